//! Product rules that every sale must meet (D61).
//!
//! They are checked at the proposal, and again when the policy is issued. The product must fit the person on
//! the day when cover starts, and the price must be the quoted one.

use std::collections::BTreeSet;
use std::sync::Arc;

use aws_lc_rs::digest::{SHA256, digest};
use domain::context::key;
use domain::credit_life::{CreditApplication, CreditLife, EmbeddedProposal};
use domain::date::{Date, day_of, in_words};
use domain::health_proposal::{HealthProposal, JourneyProposal};
use domain::health_quote::{HealthRequest, Member, NotOffered, Outcome};
use domain::id::{PartnerId, ProposalId};
use domain::identifier::{Identifier, IdentifierKind};
use domain::line::LineOfBusiness;
use domain::money::{Premium, Rupees};
use domain::person::Person;
use domain::premium::PremiumRoute;
use domain::proposal::Actor;
use domain::quote::{NotPriced, QuoteRequest};
use rating::{Catalogue, Connector, CreditVariant, HealthVariant, Product, Sale, cover_on};

use crate::error::{Error, Fault, Faults, Result};
use crate::insurer::{HealthAsk, InsurerFault, as_many, in_time, note_fault};
use crate::line::credit_pricing::CreditPricing;
use crate::shared::Shared;
use crate::storage::{Identified, Proposals, SaleCount};

/// Path of the field with the borrower's date of birth in a proposal.
const BORN: &str = "insured_members[0].date_of_birth";

/// Start of the paths of all fields about the second person of a joint life in a proposal.
const JOINT: &str = "insured_members[1].";

/// Path of the field with the borrower's occupation in a proposal.
const OCCUPATION: &str = "insured_members[0].occupation";

/// Path of the field with the borrower's gender in a proposal.
const GENDER: &str = "insured_members[0].gender";

/// Most records with the same identifier that are searched for other policies on a loan account, newest
/// first.
const MOST_OTHERS: usize = 100;

/// Number of groups of sales that are counted for each partner.
const BUCKETS: u16 = 4096;

/// Sales on which the rules of a sale depend.
#[derive(Default)]
pub struct EarlierSales {
    /// Groups of sales, as they were when the rules were checked.
    pub(crate) counts: Vec<SaleCount>,
    /// Fault if the same quote and variant were sold to the same person.
    pub(crate) same: Option<Fault>,
}

/// Checks sales of every line of business.
pub struct SaleRules {
    pub(crate) shared: Arc<Shared>,
    pub(crate) pricing: Arc<CreditPricing>,
}

impl SaleRules {
    /// Why the operator can sell nothing of a product now, on a day of the partner's clock. `None` if it can. Test
    /// partners sell no insurance, so nothing stops them.
    pub(crate) fn not_sold_now(&self, of: PartnerId, product: &Product, on: Date) -> Option<String> {
        if self.shared.partner_clock.is_test(of) {
            return None;
        }
        let settings = &self.shared.settings;
        match settings.operator.as_deref() {
            Some(operator) if !operator.may_sell(on) => {
                Some(format!("Nothing can be sold: the operator's licence ended on {}.", in_words(operator.licence_until)))
            }
            _ if product.premium.route() == PremiumRoute::Here && settings.gateway.is_none() => {
                Some("This product cannot be sold: its premium is paid on a page of this service, which has no payment gateway.".to_owned())
            }
            _ => None,
        }
    }

    /// Every product rule that a credit-life sale on a day breaks. Also checks that the price is still the
    /// quoted one. `by` is the actor whose decision issues the policy. If that is the insurer, it is not
    /// asked again for its own price. `id` is the proposal, if it exists already.
    ///
    /// # Errors
    /// [`Error::InsurerUnavailable`] if the insurer that prices the sale does not answer.
    pub(crate) async fn credit_life(
        &self,
        (of, id): (PartnerId, Option<ProposalId>),
        variant: &CreditVariant,
        application: &CreditApplication,
        premium: Premium,
        on: Date,
        by: Actor,
    ) -> Result<Faults> {
        let mut sale = variant.sale(application, on);
        if variant.limits.sale.cover_up_to.is_some() {
            sale.covered_already = self.covered_already(of, id, application, &sale).await?;
        }
        let broken = variant.sale_faults(&sale).into_iter();
        let mut faults: Vec<Fault> =
            broken.map(|rule| Fault { field: rule.field, message: rule.message }).collect();
        // If a rule refuses a person, do not compare prices, because another price would follow from the same
        // fault.
        let of_joint = |field: &str| variant.limits.sale.joint_life && field.starts_with(JOINT);
        let person_refused = faults.iter().any(|fault| fault.field == BORN || of_joint(&fault.field));
        if !person_refused && self.is_to_be_priced(variant, application, &sale, by) {
            faults.extend(self.price_fault(of, variant, application, premium, &sale).await?);
        }
        Ok(Faults(faults))
    }

    /// Sum insured that the partner's policies in force on the same loan account already have, on the day
    /// when the new cover starts. If several people are insured, the highest sum counts. Zero if the sale
    /// names no account.
    async fn covered_already(
        &self,
        of: PartnerId,
        id: Option<ProposalId>,
        application: &CreditApplication,
        sale: &Sale<'_>,
    ) -> Result<Rupees> {
        let Some(account) = sale.sold.context.loan_account() else { return Ok(Rupees::ZERO) };
        let context = &sale.sold.context;
        let people = &application.request.insured_members;
        let mut covers = vec![Rupees::ZERO; people.len()];
        let store: &dyn Proposals<CreditLife> = self.shared.storage.as_ref();
        for other in self.others_known_by(of, &account, people).await? {
            if Some(other) == id {
                continue;
            }
            let Some(policy) = self.shared.storage.policy_of(of, other).await? else { continue };
            let Some(proposal) = store.proposal(of, other).await? else { continue };
            let application = policy.endorsed::<CreditLife>(&proposal.application);
            let is_on_it = application.sold().context.has_loan_account_of(context);
            let is_living = policy.state_on(sale.starts).covers() && sale.starts <= policy.last_day();
            if !is_on_it || !is_living {
                continue;
            }
            let Some(cover) = policy.cover.credit_life() else { continue };
            let catalogue = self.shared.catalogues.version(cover.catalogue).await?;
            let schedule = catalogue.credit_variant(cover.variant);
            let schedule = schedule
                .map_or(Vec::new(), |variant| variant.schedule(policy.sum_insured, cover.term_months));
            let cover = cover_on(&schedule, cover.period.starts, sale.starts, policy.sum_insured);
            for (person, covered) in people.iter().zip(&mut covers) {
                if application.request.insured_members.iter().any(|insured| insured.is_same_as(person)) {
                    *covered = *covered + cover;
                }
            }
        }
        Ok(covers.into_iter().max().unwrap_or(Rupees::ZERO))
    }

    /// Sales on which the rules of a credit-life sale depend: those from its quote and variant, and those on its
    /// loan account (D140).
    pub(crate) async fn earlier_sales(
        &self,
        proposal: &EmbeddedProposal,
        variant: &CreditVariant,
    ) -> Result<EarlierSales> {
        let (of, application, terms) = (proposal.partner, &proposal.application, &variant.limits.sale);
        let from = (application.request.quote, variant.id);
        let account = terms.cover_up_to.and_then(|_| application.sold().context.loan_account_folded());
        let quote = (!terms.same_quote_many).then(|| format!("{} {}", from.0, from.1));
        let buckets: BTreeSet<u16> = account.iter().chain(&quote).map(|group| bucket(group)).collect();
        if buckets.is_empty() {
            return Ok(EarlierSales::default());
        }
        let buckets: Vec<u16> = buckets.into_iter().collect();
        let (counts, sold) = self.shared.storage.sales(of, &buckets, from, MOST_OTHERS).await?;
        let store: &dyn Proposals<CreditLife> = self.shared.storage.as_ref();
        let people = &application.request.insured_members;
        for other in sold.into_iter().filter(|other| quote.is_some() && *other != proposal.id) {
            let Some(sold) = store.proposal(of, other).await? else { continue };
            let others = &sold.application.request.insured_members;
            let is_same = people.iter().any(|person| others.iter().any(|other| other.is_same_as(person)));
            if is_same && let Some(policy) = self.shared.storage.policy_of(of, other).await? {
                let message = format!(
                    "This quote and variant were already sold to this person: policy {}. Get a new quote for another policy.",
                    policy.number
                );
                return Ok(EarlierSales { counts, same: Some(Fault { field: "quote_id".into(), message }) });
            }
        }
        Ok(EarlierSales { counts, same: None })
    }

    /// Proposals of a partner whose reference is the loan account, or that have an identifier of one of the
    /// people.
    async fn others_known_by(
        &self,
        of: PartnerId,
        account: &str,
        people: &[Person],
    ) -> Result<BTreeSet<ProposalId>> {
        let known = people.iter().flat_map(Person::identifiers);
        let written = BTreeSet::from([account.to_owned(), account.to_lowercase(), account.to_uppercase()]);
        let accounts = written.iter().map(|account| Identifier::of(IdentifierKind::Reference, account));
        let by: Vec<Identifier> = known.chain(accounts).collect();
        let kind = Identified::Proposal(LineOfBusiness::CreditLife);
        let mut found = BTreeSet::new();
        for by in by {
            let records = self.shared.storage.identified(&[of], kind, &by, MOST_OTHERS).await?;
            found.extend(records.into_iter().map(|(_, id)| ProposalId::from_uuid(id)));
        }
        Ok(found)
    }

    /// Whether the price of the sale must be computed again. A price from rate tables always is. A price of
    /// an insurer is requested again only if a fact that the price depends on differs from the quote.
    fn is_to_be_priced(
        &self,
        variant: &CreditVariant,
        application: &CreditApplication,
        sale: &Sale<'_>,
        by: Actor,
    ) -> bool {
        if variant.insurer().connector == Connector::RateTable {
            return true;
        }
        let quoted = &application.quoted;
        let facts = |of: &QuoteRequest| {
            let joint = (of.context.joint_date_of_birth(), of.context.joint_gender());
            let riders: Vec<String> = of.context.riders().map(str::to_owned).collect();
            (of.born, of.gender, of.context.loan_amount(), joint, riders)
        };
        let quoted_start = quoted.request.starts(day_of(quoted.at));
        let changed = facts(&sale.sold) != facts(&quoted.request) || sale.starts != quoted_start;
        changed && by != Actor::Insurer
    }

    /// Compares today's price of the sale with the quoted premium. If they differ, returns a fault at the
    /// field that changed the price.
    async fn price_fault(
        &self,
        of: PartnerId,
        variant: &CreditVariant,
        application: &CreditApplication,
        premium: Premium,
        sale: &Sale<'_>,
    ) -> Result<Option<Fault>> {
        let (sold, quoted) = (&sale.sold, &application.quoted.request);
        let outcome = self.credit_price(of, variant, sold, sale.starts).await?;
        if outcome.as_ref().ok() == Some(&premium) {
            return Ok(None);
        }
        let quoted_person = QuoteRequest { born: quoted.born, gender: quoted.gender, ..sold.clone() };
        let by_person = self.credit_price(of, variant, &quoted_person, sale.starts).await? == Ok(premium);
        let starts = in_words(sale.starts);
        let occupation = sold.context.occupation();
        let (field, what) = if by_person && sold.born != quoted.born {
            (BORN, "Cover of a person of this age".to_owned())
        } else if by_person {
            (GENDER, "Cover of a person of this gender".to_owned())
        } else if sold.context.loan_amount() != quoted.context.loan_amount() {
            (sale.field_of(key::LOAN_AMOUNT), "Cover of this loan".to_owned())
        } else if occupation != quoted.context.occupation() {
            (OCCUPATION, "Cover of a person of this occupation".to_owned())
        } else if sold.context.tobacco() != quoted.context.tobacco() {
            (sale.field_of(key::TOBACCO), "Cover with this answer about tobacco".to_owned())
        } else if !sold.context.riders().eq(quoted.context.riders()) {
            (sale.field_of(key::RIDERS), "Cover with these riders".to_owned())
        } else if sold.context.disbursement_date() != quoted.context.disbursement_date() {
            (sale.field_of(key::DISBURSEMENT_DATE), format!("Cover that starts on {starts}"))
        } else {
            ("quote_id", format!("Cover that starts on {starts}"))
        };
        let message = match outcome {
            Ok(now) => costs_otherwise(&what, now, premium),
            Err(why) => why.to_string(),
        };
        Ok(Some(Fault { field: field.to_owned(), message }))
    }

    /// Price of a credit-life variant for cover that starts on a day. The inner `Err` says why the variant
    /// has no price.
    ///
    /// # Errors
    /// [`Error::InsurerUnavailable`] if the insurer that prices the variant does not answer.
    pub(crate) async fn credit_price(
        &self,
        of: PartnerId,
        variant: &CreditVariant,
        request: &QuoteRequest,
        starts: Date,
    ) -> Result<Result<Premium, NotPriced>> {
        match self.pricing.price(of, variant, request, starts).await {
            Err(NotPriced::InsurerFailed | NotPriced::InsurerSlow) => Err(Error::InsurerUnavailable),
            outcome => Ok(outcome),
        }
    }

    /// Every product rule that a health policy issued on a day would break. The ages on the day when cover
    /// starts decide whether the product fits the family, and at what price.
    ///
    /// # Errors
    /// The errors of [`SaleRules::credit_life`].
    pub(crate) async fn health(
        &self,
        catalogue: &Catalogue,
        variant: &HealthVariant,
        proposal: &HealthProposal,
        made: &JourneyProposal,
        on: Date,
        by: Actor,
    ) -> Result<Faults> {
        let of = proposal.partner;
        let on = made.starts(on);
        let Some(request) = made.request_on(on) else {
            return Ok(Faults::one(
                "members",
                "Each person must be born by the first day of cover and at most 120 years old.",
            ));
        };
        let years = |members: &[Member]| -> Vec<u16> {
            members.iter().map(|member| member.age.completed_years()).collect()
        };
        let same_ages = years(&request.members) == years(&made.quoted.members);
        let outcome = match variant.insurer().connector {
            Connector::RateTable => variant.price(&request, on),
            Connector::Http(_) if same_ages || by == Actor::Insurer => return Ok(Faults::default()),
            Connector::Http(_) => self.ask_health(of, catalogue, variant, &request, on).await,
        };
        let premium = proposal.premium;
        Ok(match outcome {
            Err(NotOffered::InsurerFailed | NotOffered::InsurerSlow) => {
                return Err(Error::InsurerUnavailable);
            }
            Err(why) => Faults::one("members", why.to_string()),
            Ok(offer) => {
                match offer.tenures.iter().find(|price| price.years == proposal.application.tenure) {
                    Some(now) if now.premium == premium => Faults::default(),
                    Some(now) => {
                        let what = format!("Cover that starts on {}", in_words(on));
                        Faults::one("premium", costs_otherwise(&what, now.premium, premium))
                    }
                    None => Faults::one("tenure", "This plan is not offered for this number of years."),
                }
            }
        })
    }

    /// Price of a plan for a family, for cover of `years` years that starts on `on`. The inner `Err` says why
    /// the plan is not offered.
    ///
    /// # Errors
    /// [`Error::InsurerUnavailable`] if the insurer that prices the plan does not answer.
    pub(crate) async fn health_price(
        &self,
        of: PartnerId,
        catalogue: &Catalogue,
        variant: &HealthVariant,
        request: &HealthRequest,
        years: u8,
        on: Date,
    ) -> Result<Result<Premium, String>> {
        match self.health_offer(of, catalogue, variant, request, on).await {
            Err(NotOffered::InsurerFailed | NotOffered::InsurerSlow) => Err(Error::InsurerUnavailable),
            Err(why) => Ok(Err(why.to_string())),
            Ok(offer) => {
                let price = offer.tenures.iter().find(|price| price.years == years);
                let none = || "This plan is not offered for this number of years.".to_owned();
                Ok(price.map(|price| price.premium).ok_or_else(none))
            }
        }
    }

    /// Offer of a plan to a family, for cover that starts on a day.
    pub(crate) async fn health_offer(
        &self,
        of: PartnerId,
        catalogue: &Catalogue,
        variant: &HealthVariant,
        request: &HealthRequest,
        on: Date,
    ) -> Outcome {
        match variant.insurer().connector {
            Connector::RateTable => variant.price(request, on),
            Connector::Http(_) => self.ask_health(of, catalogue, variant, request, on).await,
        }
    }

    async fn ask_health(
        &self,
        of: PartnerId,
        catalogue: &Catalogue,
        variant: &HealthVariant,
        request: &HealthRequest,
        on: Date,
    ) -> Outcome {
        let (insurer, within) = (variant.insurer(), self.shared.settings.insurer_deadline);
        let asking = async {
            let connection = self
                .shared
                .connections
                .to_ask(of, catalogue, insurer.id)
                .ok_or_else(InsurerFault::no_connection)?;
            connection.price_health(HealthAsk { request, variants: &[variant.id], on }, within).await
        };
        let answer = in_time(within, asking).await.and_then(|outcomes| as_many(outcomes, 1));
        let outcome = answer.map(|outcomes| outcomes.into_iter().next());
        outcome
            .unwrap_or_else(|fault| {
                note_fault(insurer.id, &fault);
                None
            })
            .unwrap_or(Err(NotOffered::InsurerFailed))
    }
}

/// Number of a group of sales. It reveals nothing about the group, because many groups share a number.
fn bucket(group: &str) -> u16 {
    let hash = digest(&SHA256, group.as_bytes());
    u16::from_be_bytes([hash.as_ref()[0], hash.as_ref()[1]]) % BUCKETS
}

fn costs_otherwise(what: &str, now: Premium, quoted: Premium) -> String {
    let (now, quoted) = (now.total().grouped(), quoted.total().grouped());
    format!("{what} costs {now}; the quote says {quoted}. Get a new quote.")
}
