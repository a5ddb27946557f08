//! Renewal of health policies: which are due, what one would cost, and the proposal by which another policy follows (D91).

use std::sync::Arc;

use domain::date::{Date, Timestamp, day_of, days_before, days_later, start_of_day};
use domain::health_policy::{HealthPolicy, IssuedPolicy};
use domain::health_proposal::{
    Chosen, Health, HealthApplication, HealthForm, HealthProposal, HealthProposalStatus, JourneyProposal,
    ProposalOrigin, QuotedFamily,
};
use domain::health_quote::NotOffered;
use domain::id::{PartnerId, PolicyId, ProposalId, counted_on};
use domain::money::{Premium, Rupees};
use domain::period::Period;
use domain::person::HomePincode;
use domain::policy::CoverPeriod;
use domain::premium::PremiumRoute;
use domain::proposal::{Actor, Decision, Underway};
use domain::renewal::{Renewal, months_served};
use rating::{Catalogue, Connector, HealthExplanation, HealthVariant, NotRenewable, RenewalRules, Step};

use crate::error::{ConflictReason, Error, Result};
use crate::line::SoldLine;
use crate::line::sale_rules::SaleRules;
use crate::list::cursor::ListKind;
use crate::list::{ListAsk, ListPage, Lists};
use crate::on_any_policy;
use crate::partner::PartnerService;
use crate::policy::renewable::can_be_renewed;
use crate::policy::{PolicyService, PolicyShown};
use crate::proposal::health::record_on_its_way;
use crate::proposal::{KeptWith, NotKept, ProposalService};
use crate::shared::Shared;
use crate::shared::idempotency::{Draft, KeptResponse, Outcome};
use crate::storage::AnyPolicy;
use crate::storage::lists::{Beyond, ListPosition, Page, Selection};

/// The quote of a renewal is not kept: its id is the policy's own counted on from here. So of one policy only one renewal can be
/// under way at a time.
const RENEWAL_QUOTE: u32 = 0x2000;

/// A waiting period on the first day of a renewal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WaitingPeriod {
    /// Completed months of cover after which what waits is covered.
    pub months: u16,
    /// How many of them were served by then.
    pub served: u16,
    /// The first day on which what waits is covered.
    pub over_on: Date,
}

impl WaitingPeriod {
    /// A waiting period of which some months were served with another insurer.
    fn of(months: u16, covered_since: Date, brought: u16, starts: Date) -> Self {
        let served = months_served(covered_since, starts).saturating_add(brought).min(months);
        let left = u32::from(months.saturating_sub(brought));
        let over_on = CoverPeriod::of(None, covered_since, left.max(1)).map(|period| period.ends);
        let over_on = over_on.and_then(|day| day.tomorrow().ok()).filter(|_| left > 0);
        WaitingPeriod { months, served, over_on: over_on.unwrap_or(covered_since) }
    }
}

/// What a renewal would cost, and what it would cover.
#[derive(Debug, Clone)]
pub struct RenewalQuote {
    /// The policy that is renewed.
    pub policy: PolicyId,
    pub before: Premium,
    /// Last day on which it can be renewed.
    pub until: Date,
    /// Years of cover.
    pub years: u8,
    /// From when to when the renewal would cover if it were issued today.
    pub period: CoverPeriod,
    /// Days between the two policies on which nobody is covered.
    pub days_without_cover: u32,
    pub sum_insured: Rupees,
    /// Deductible in a year; zero for none.
    pub deductible: Rupees,
    /// Part of every claim that the customer bears, in percent.
    pub copay_percent: u8,
    /// What it costs.
    pub premium: Premium,
    /// The steps to it. None where its insurer priced it.
    pub steps: Vec<Step>,
    /// Since when its people are covered without a break.
    pub covered_since: Date,
    /// The waiting period for pre-existing diseases.
    pub waiting: WaitingPeriod,
    /// Where the rules come from.
    pub source: String,
    /// Who decides the proposal.
    pub confirmed_by: Decision,
    /// How its premium reaches the insurer.
    pub route: PremiumRoute,
}

/// A renewal that is not kept yet.
pub struct RenewalDraft {
    /// What it costs and covers.
    pub quote: RenewalQuote,
    pub proposal: ProposalId,
    created: Underway<HealthProposal>,
    catalogue: Arc<Catalogue>,
}

impl Draft for RenewalDraft {
    fn at(&self) -> Timestamp {
        self.created.at()
    }
}

/// A policy that is due to be renewed.
pub struct RenewalDue {
    pub shown: PolicyShown,
    /// Last day on which it can be renewed.
    pub until: Date,
    /// First day on which it can be. `None` where the running catalogue has no rules for it.
    pub from: Option<Date>,
    /// The notice that has come: so many days before its last one. `None` before the first, and once its cover has ended.
    pub notice: Option<u16>,
}

/// Renews policies.
pub struct RenewalService {
    pub(crate) shared: Arc<Shared>,
    pub(crate) policies: Arc<PolicyService>,
    pub(crate) partners: Arc<PartnerService>,
    pub(crate) proposals: Arc<ProposalService>,
    pub(crate) rules: Arc<SaleRules>,
    pub(crate) lists: Arc<Lists>,
}

/// A policy with all that a renewal of it is made of.
struct Subject {
    policy: HealthPolicy,
    issued: IssuedPolicy,
    made: JourneyProposal,
    renewal: Renewal,
    rules: Arc<RenewalRules>,
    /// The running catalogue, by which it is priced.
    catalogue: Arc<Catalogue>,
}

impl RenewalService {
    /// What the renewal of a partner's policy would cost today, for as many years as before or for so many. Nothing is kept.
    ///
    /// # Errors
    /// [`Error::Unknown`]; [`Error::Refused`] where the policy does not stand so that it can be renewed; [`Error::NotRenewable`];
    /// [`Error::Conflict`] for a policy that is renewed elsewhere; [`Error::InsurerUnavailable`].
    pub async fn quote(&self, of: PartnerId, id: PolicyId, years: Option<u8>) -> Result<RenewalQuote> {
        let subject = self.subject(of, id).await?;
        Ok(self.quote_one(&subject, years).await?.0)
    }

    /// A request to renew a policy. It is not kept yet.
    ///
    /// # Errors
    /// As of [`RenewalService::quote`]; [`Error::Conflict`] where it costs something else than `expected`.
    pub async fn request(
        &self,
        of: PartnerId,
        id: PolicyId,
        years: Option<u8>,
        expected: Option<Rupees>,
        by: Actor,
    ) -> Result<RenewalDraft> {
        let subject = self.subject(of, id).await?;
        let (quote, made) = self.quote_one(&subject, years).await?;
        let total = quote.premium.total();
        if expected.is_some_and(|expected| expected != total) {
            return Err(Error::conflict_of(
                ConflictReason::AmountChanged,
                format!(
                    "Another premium was expected: the renewal costs {} today. Ask for a new quote.",
                    total.grouped_with_paise()
                ),
            ));
        }
        let now = self.shared.partner_clock.now(of);
        let proposal = HealthProposal {
            id: self.shared.ids.make(),
            partner: of,
            session: subject.policy.session,
            status: HealthProposalStatus::Initiated,
            created_at: now,
            changed_at: now,
            premium: quote.premium,
            reason: None,
            insurer_reference: None,
            reference: subject.policy.reference.clone(),
            application: HealthApplication {
                tenure: quote.years,
                origin: ProposalOrigin::Journey(Box::new(made)),
            },
        };
        Ok(RenewalDraft {
            quote,
            proposal: proposal.id,
            created: Underway::created(proposal, by),
            catalogue: subject.catalogue,
        })
    }

    /// Keeps a renewal's proposal as far as it goes by itself, in one transaction with its response where an idempotency key
    /// came.
    ///
    /// # Errors
    /// [`Error::Conflict`] where another one is under way, and where the policy was changed at the same time.
    pub async fn keep(
        &self,
        draft: RenewalDraft,
        response: Option<KeptResponse>,
    ) -> Result<Outcome<(ProposalId, RenewalQuote)>> {
        let made = draft.created.proposal().application.journey();
        let chosen = made.map(|made| &made.chosen);
        let variant = chosen.and_then(|chosen| draft.catalogue.health_variant(chosen.variant));
        let variant = variant.ok_or_else(|| Error::Internal("a renewal of no variant".into()))?;
        let with = KeptWith { response: response.as_ref().map(KeptResponse::keyed), ..KeptWith::default() };
        // Who is insured already is not judged anew before underwriting.
        let record =
            async || record_on_its_way(&self.proposals, &draft.created, variant, (None, None), with).await;
        let mut recorded = record().await;
        if let Err(NotKept::AlreadyActive(other)) = recorded
            && self.proposals.end_if_void::<Health>(draft.created.proposal().partner, other).await?
        {
            recorded = record().await;
        }
        let kept = NotKept::or_twin(recorded.map_err(|why| {
            match why {
                NotKept::AlreadyActive(other) => Error::conflict_of(
                    ConflictReason::MadeBefore,
                    format!("The renewal of the policy is under way: {other}."),
                )
                .into(),
                other => other,
            }
        }))?;
        self.shared.idempotency.outcome(kept, (draft.proposal, draft.quote), response).await
    }

    /// A page of a partner's policies that are due to be renewed: those whose cover ends in a period, else all that can be
    /// renewed today. The one that ends first comes first.
    ///
    /// # Errors
    /// [`Error::Invalid`] with every fault of what is asked.
    pub async fn due(&self, of: PartnerId, ask: ListAsk) -> Result<ListPage<RenewalDue>> {
        let list = ListKind::Renewals;
        let resolved = self.lists.resolve(of, list, ask)?;
        let today = self.policies.today_of(of);
        let ends = match &resolved.which {
            Some(Selection::Period(period)) => *period,
            _ => self.ends_of_all_due(today),
        };
        let key = |at: ListPosition| (day_of(at.created_at), PolicyId::from_uuid(at.id));
        let from = resolved.from.map(|from| from.map(key));
        let most = usize::from(resolved.limit);
        let mut found = self.shared.storage.renewals_due(of, ends, today, from, most + 1).await?;
        let has_more = found.len() > most;
        let (has_newer, has_older) = match from {
            Some(Beyond::Before(_)) => {
                // The one too many is the farthest from the position: the first.
                found.drain(..found.len().saturating_sub(most));
                (has_more, true)
            }
            from => {
                found.truncate(most);
                (from.is_some(), has_more)
            }
        };
        let records = self.with_days(self.policies.in_short(found).await?);
        let page = Page { records, has_newer, has_older, count: 0 };
        Ok(self.lists.page(of, list, resolved, page, |due| position(&due.shown.policy)))
    }

    /// Policies of every partner or of one that are due to be renewed within so many days; the one that ends first comes first.
    /// At most `most`.
    ///
    /// # Errors
    /// [`Error::Unknown`] for an unknown partner.
    pub async fn due_of_partners(
        &self,
        partner: Option<&str>,
        within_days: Option<u16>,
        most: usize,
    ) -> Result<Vec<RenewalDue>> {
        let of = self.partners.of_list(partner).await?;
        let mut found = Vec::new();
        for partner in of {
            let today = self.policies.today_of(partner);
            let mut ends = self.ends_of_all_due(today);
            ends.last = within_days.and_then(|days| days_later(today, days)).unwrap_or(ends.last);
            found.extend(self.shared.storage.renewals_due(partner, ends, today, None, most).await?);
        }
        found.sort_by_key(position_of_end);
        found.truncate(most);
        Ok(self.with_days(self.policies.all_shown(found).await?))
    }

    /// The last days of cover of all policies that can be renewed on a day.
    fn ends_of_all_due(&self, today: Date) -> Period {
        let running = self.shared.catalogues.running();
        let rules = running.products().filter_map(|product| product.renewals.as_ref());
        let most = rules.filter_map(|rules| rules.notice_days.first()).max().copied().unwrap_or(0);
        Period {
            first: days_before(today, RenewalRules::LONGEST_GRACE).unwrap_or(today),
            last: days_later(today, most).unwrap_or(today),
        }
    }

    /// Policies with the days on which they can be renewed.
    fn with_days(&self, found: Vec<PolicyShown>) -> Vec<RenewalDue> {
        let due = |shown: PolicyShown| {
            let (last_day, until) =
                on_any_policy!(&shown.policy, policy => (policy.last_day(), policy.renewable_until));
            let until = until.unwrap_or(last_day);
            let product = self.policies.sold_as(&shown.covered);
            let rules = product.and_then(|product| product.renewals.clone());
            let from = rules.as_ref().map(|rules| rules.first_day(last_day));
            let notice = rules.and_then(|rules| rules.notice(last_day, shown.today));
            RenewalDue { shown, until, from, notice }
        };
        found.into_iter().map(due).collect()
    }

    /// A policy that can be renewed today, with all that its renewal is made of.
    async fn subject(&self, of: PartnerId, id: PolicyId) -> Result<Subject> {
        let today = self.policies.today_of(of);
        let policy = match self.policies.find(of, id).await? {
            AnyPolicy::Health(policy) => *policy,
            AnyPolicy::CreditLife(_) => return Err(Error::NotRenewable(NotRenewable::NoRules)),
        };
        let imported = || {
            Error::conflict_of(
                ConflictReason::NotOffered,
                "The policy was imported: it is renewed where it was sold.".into(),
            )
        };
        let proposal = policy.proposal.ok_or_else(imported)?;
        let issued = policy.cover.issued().cloned().ok_or_else(imported)?;
        let proposal = Health::storage(self.shared.storage.as_ref()).proposal(of, proposal).await?;
        let proposal = proposal.ok_or_else(|| Error::Internal(format!("{id} has lost its proposal")))?;
        let made = policy.endorsed(&proposal.application).journey().cloned().ok_or_else(imported)?;
        let covered = self.policies.covered_by(&policy, Some(&proposal)).await?;
        let product = self.policies.sold_as(&covered).ok_or_else(imported)?;
        let no_rules = || Error::NotRenewable(NotRenewable::NoRules);
        let rules = product.renewals.clone().ok_or_else(no_rules)?;
        can_be_renewed(&policy, &rules, today)?;
        let renewal = Renewal {
            policy: policy.id,
            number: policy.number.clone(),
            insurer_number: policy.insurer_number.clone(),
            certificate_version: policy.certificate_version(),
            ended: policy.last_day(),
            covered_since: policy.covered_since(issued.period.starts),
        };
        let catalogue = self.shared.catalogues.running();
        Ok(Subject { policy, issued, made, renewal, rules, catalogue })
    }

    /// What a renewal costs, and what its proposal is made of.
    async fn quote_one(
        &self,
        subject: &Subject,
        years: Option<u8>,
    ) -> Result<(RenewalQuote, JourneyProposal)> {
        let Subject { policy, issued, renewal, rules, catalogue, .. } = subject;
        let now = self.shared.partner_clock.now(policy.partner);
        let today = day_of(now);
        let not_sold = || Error::NotRenewable(NotRenewable::NotSold);
        let variant: &HealthVariant = catalogue.health_variant(issued.chosen.variant).ok_or_else(not_sold)?;
        let years = years.unwrap_or(policy.cover.tenure);
        let starts = renewal.starts(today);
        let period = CoverPeriod::of(Some(starts), today, u32::from(years) * 12);
        let period = period.ok_or_else(|| Error::Internal("cover would run beyond the calendar".into()))?;
        let mut renewed = self.application(subject, now);
        let refused = |why: String| Error::NotRenewable(NotRenewable::NotOffered(why));
        let request = renewed.request_on(starts);
        let request = request.ok_or_else(|| refused("Somebody is older than 120.".into()))?;
        // A variant that its insurer prices has no steps, and no price here.
        let HealthExplanation { tenures: explained, outcome } = variant.explain(&request, starts);
        let outcome = match variant.insurer().connector {
            Connector::RateTable => outcome,
            Connector::Http(_) => {
                self.rules.health_offer(policy.partner, catalogue, variant, &request, starts).await
            }
        };
        let offer = match outcome {
            Err(NotOffered::InsurerFailed | NotOffered::InsurerSlow) => {
                return Err(Error::InsurerUnavailable);
            }
            offer => offer.map_err(|why| refused(why.to_string()))?,
        };
        if offer.deductible != issued.chosen.deductible {
            // One that has no deductible asks for none, and is offered the least.
            return Err(refused(NotOffered::Deductible.to_string()));
        }
        let price = offer.tenures.iter().find(|price| price.years == years).ok_or_else(|| {
            let offered: Vec<String> = offer.tenures.iter().map(|price| price.years.to_string()).collect();
            let message = format!("Must be {}.", offered.join(" or "));
            Error::invalid("years", message)
        })?;
        let explained = explained.into_iter().filter(|explained| explained.years == years);
        let steps = explained.flat_map(|explained| explained.steps).collect();
        renewed.quoted.members = request.members;
        renewed.chosen.copay_percent = offer.copay_percent;
        let brought = issued.chosen.porting.map_or(0, |porting| porting.months());
        let waiting = WaitingPeriod::of(variant.waiting_months, renewal.covered_since, brought, starts);
        let before = renewal.starts(renewal.ended);
        let quote = RenewalQuote {
            policy: policy.id,
            before: policy.premium,
            until: policy.renewable_until.unwrap_or(renewal.ended),
            years,
            period,
            days_without_cover: before.until(starts).map_or(0, |span| span.get_days().unsigned_abs()),
            sum_insured: policy.sum_insured,
            deductible: offer.deductible,
            copay_percent: offer.copay_percent,
            premium: price.premium,
            steps,
            covered_since: renewal.covered_since,
            waiting,
            source: rules.source.clone(),
            confirmed_by: decided_by(variant),
            route: variant.product.premium.route(),
        };
        Ok((quote, renewed))
    }

    /// The proposal of a renewal before it is priced: the same people in the same plan.
    fn application(&self, subject: &Subject, now: Timestamp) -> JourneyProposal {
        let Subject { policy, issued, made, renewal, catalogue, .. } = subject;
        let HealthForm { proposer, .. } = &made.form;
        let lives_in = HomePincode::of(&proposer.address.pincode);
        JourneyProposal {
            quoted: QuotedFamily {
                at: now,
                pincode: lives_in.unwrap_or_else(|| made.quoted.pincode.clone()),
                ..made.quoted.clone()
            },
            chosen: Chosen {
                quote: counted_on(policy.id, RENEWAL_QUOTE),
                catalogue: catalogue.hash(),
                sum_insured: policy.sum_insured,
                renewal: Some(renewal.clone()),
                ..issued.chosen.clone()
            },
            form: made.form.clone(),
            // The customer agreed to the first policy; the partner has the renewal's.
            consents: Vec::new(),
        }
    }
}

/// Who decides the renewal of a plan: no operation of the contract decides health proposals, so partners' products are their
/// operator's.
fn decided_by(variant: &HealthVariant) -> Decision {
    let product = &variant.product;
    match (product.decision, &product.insurer.connector) {
        (Decision::StraightThrough, _) if variant.online => Decision::StraightThrough,
        (Decision::Insurer, Connector::Http(_)) if variant.online => Decision::Insurer,
        _ => Decision::Operator,
    }
}

/// The position of a policy in the list of those that are due: its last day, then its id.
fn position(policy: &AnyPolicy) -> ListPosition {
    let (day, id) = position_of_end(policy);
    ListPosition { created_at: start_of_day(day).unwrap_or(Timestamp::MIN), id: id.uuid() }
}

fn position_of_end(policy: &AnyPolicy) -> (Date, PolicyId) {
    on_any_policy!(policy, policy => (policy.last_day(), policy.id))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn date(year: i16, month: i8, day: i8) -> Date {
        Date::constant(year, month, day)
    }

    #[test]
    fn a_waiting_period_counts_what_was_served_and_what_was_brought_along() {
        let since = date(2026, 11, 20); // D91
        let of = |months, brought, starts| {
            let WaitingPeriod { served, over_on, .. } = WaitingPeriod::of(months, since, brought, starts);
            (served, over_on)
        };
        assert_eq!(of(36, 0, date(2027, 11, 20)), (12, date(2029, 11, 20)));
        assert_eq!(of(36, 0, date(2029, 11, 20)), (36, date(2029, 11, 20)));
        assert_eq!(of(36, 0, date(2033, 11, 20)), (36, date(2029, 11, 20)));
        assert_eq!(of(36, 24, date(2027, 11, 20)), (36, date(2027, 11, 20)));
        assert_eq!(of(36, 30, date(2026, 11, 20)), (30, date(2027, 5, 20)));
        assert_eq!(of(36, 36, date(2027, 11, 20)), (36, since));
        assert_eq!(of(0, 0, date(2027, 11, 20)), (0, since));
    }
}
