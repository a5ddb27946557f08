//! Renewal of health policies: due policies, quotes, proposals (D91).

use std::sync::Arc;

use domain::date::{Date, Timestamp, day_of, days_before, days_later, start_of_day};
use domain::health_policy::IssuedPolicy;
use domain::health_proposal::{
    Chosen, Health, HealthApplication, HealthForm, HealthProposal, HealthProposalStatus, JourneyProposal,
    ProposalOrigin, QuotedFamily,
};
use domain::health_quote::NotOffered;
use domain::id::{PartnerId, PolicyId, ProposalId, counted_on};
use domain::money::{Premium, Rupees};
use domain::period::Period;
use domain::person::HomePincode;
use domain::policy::{CoverPeriod, Policy};
use domain::premium::PremiumRoute;
use domain::proposal::{Actor, Decision, Underway};
use domain::renewal::{Renewal, months_served};
use rating::{Catalogue, Connector, HealthExplanation, HealthVariant, NotRenewable, RenewalRules, Step};

use crate::error::{ConflictReason, Error, Result};
use crate::line::sale_rules::SaleRules;
use crate::line::{SoldLine, health};
use crate::list::cursor::ListKind;
use crate::list::{ListAsk, ListPage, Lists};
use crate::partner::PartnerService;
use crate::policy::renewable::can_be_renewed;
use crate::policy::{PolicyService, PolicyShown};
use crate::proposal::health::record_on_its_way;
use crate::proposal::not_kept::NotKept;
use crate::proposal::{KeptWith, ProposalService};
use crate::shared::Shared;
use crate::shared::idempotency::{Draft, KeptResponse, Outcome};
use crate::storage::lists::{Beyond, ListPosition, Page, Selection};

/// Distance from a policy's id to the quote id of its renewal. The quote itself is not stored. Because every
/// renewal of a policy has the same quote id, only one can be under way.
const RENEWAL_QUOTE: u32 = 0x2000;

/// Waiting period of a health policy, as of the first day of its renewal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WaitingPeriod {
    /// Length of the waiting period, in completed months of cover.
    pub months: u16,
    /// Months of the waiting period that are over on the first day.
    pub served: u16,
    /// First day on which the waiting period is over.
    pub over_on: Date,
}

impl WaitingPeriod {
    /// Waiting period of `months` months. `brought` of them were served with another insurer.
    fn of(months: u16, covered_since: Date, brought: u16, starts: Date) -> Self {
        let served = months_served(covered_since, starts).saturating_add(brought).min(months);
        let left = u32::from(months.saturating_sub(brought));
        let over_on = CoverPeriod::of(None, covered_since, left.max(1)).map(|period| period.ends);
        let over_on = over_on.and_then(|day| day.tomorrow().ok()).filter(|_| left > 0);
        WaitingPeriod { months, served, over_on: over_on.unwrap_or(covered_since) }
    }
}

/// Price and cover of a renewal.
#[derive(Debug, Clone)]
pub struct RenewalQuote {
    /// Policy to renew.
    pub policy: PolicyId,
    pub before: Premium,
    /// Last day on which the policy can be renewed.
    pub until: Date,
    /// Length of the renewal's cover, in years.
    pub years: u8,
    /// Period of cover if the renewal is issued today.
    pub period: CoverPeriod,
    /// Days without cover between the two policies.
    pub days_without_cover: u32,
    pub sum_insured: Rupees,
    /// Deductible in a year, zero if none.
    pub deductible: Rupees,
    /// Part of every claim that the customer bears, in percent.
    pub copay_percent: u8,
    /// Premium of the renewal.
    pub premium: Premium,
    /// Steps of the premium's calculation. Empty if the insurer set the price.
    pub steps: Vec<Step>,
    /// First day of the insured persons' cover without a break.
    pub covered_since: Date,
    /// The waiting period for pre-existing diseases.
    pub waiting: WaitingPeriod,
    /// Source of the renewal rules, such as a law or the product's wording.
    pub source: String,
    /// Who decides the proposal of the renewal.
    pub confirmed_by: Decision,
    /// How the premium of the renewal reaches the insurer.
    pub route: PremiumRoute,
}

/// Renewal that is not saved yet.
pub struct RenewalDraft {
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

/// Policy that is due for renewal.
pub struct RenewalDue {
    pub shown: PolicyShown,
    /// Last day on which the policy can be renewed.
    pub until: Date,
    /// First day on which the policy can be renewed. `None` if the running catalogue has no renewal rules for
    /// it.
    pub from: Option<Date>,
    /// Latest renewal notice, as the number of days before the last day of cover. `None` before the first
    /// notice, and after the cover has ended.
    pub notice: Option<u16>,
}

pub struct RenewalService {
    pub(crate) shared: Arc<Shared>,
    pub(crate) policies: Arc<PolicyService>,
    pub(crate) partners: Arc<PartnerService>,
    pub(crate) proposals: Arc<ProposalService>,
    pub(crate) rules: Arc<SaleRules>,
    pub(crate) lists: Arc<Lists>,
}

/// Policy with all data for its renewal.
struct Subject {
    policy: Policy,
    issued: IssuedPolicy,
    made: JourneyProposal,
    renewal: Renewal,
    rules: Arc<RenewalRules>,
    /// Running catalogue, from which the renewal is priced.
    catalogue: Arc<Catalogue>,
}

impl RenewalService {
    /// Price and cover of the renewal of a partner's policy today, for `years` years. `None` means the same
    /// tenure as before. Nothing is saved.
    ///
    /// # Errors
    /// [`Error::Unknown`]; [`Error::Refused`] if the policy's state does not allow a renewal;
    /// [`Error::NotRenewable`]; [`Error::Conflict`] if the policy was imported, or an endorsement of it waits
    /// for a decision; [`Error::InsurerUnavailable`].
    pub async fn quote(&self, of: PartnerId, id: PolicyId, years: Option<u8>) -> Result<RenewalQuote> {
        let subject = self.subject(of, id).await?;
        Ok(self.quote_one(&subject, years).await?.0)
    }

    /// Requests the renewal of a policy without saving it.
    ///
    /// # Errors
    /// The errors of [`RenewalService::quote`]; [`Error::Conflict`] if the premium differs from `expected`.
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
                    "The premium differs from the expected one: today the renewal costs {}. Get a new quote.",
                    total.grouped_with_paise()
                ),
            ));
        }
        let now = self.shared.partner_clock.now(of);
        let sold = health::variant_of(&subject.catalogue, &made.chosen)?;
        if let Some(why) = self.rules.not_sold_now(of, &sold.product, day_of(now)) {
            return Err(Error::conflict_of(ConflictReason::NotOffered, why));
        }
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

    /// Saves a renewal's proposal, with every status change that needs no decision. If the request has an
    /// idempotency key, its response is saved in the same transaction.
    ///
    /// # Errors
    /// [`Error::Conflict`] if the policy already has another open renewal, or the policy was changed at the
    /// same time.
    pub async fn keep(
        &self,
        draft: RenewalDraft,
        response: Option<KeptResponse>,
    ) -> Result<Outcome<(ProposalId, RenewalQuote)>> {
        let made = draft.created.proposal().application.journey();
        let chosen = made.map(|made| &made.chosen);
        let variant = chosen.and_then(|chosen| draft.catalogue.health_variant(chosen.variant));
        let variant = variant.ok_or_else(|| Error::Internal("the variant of a renewal is missing".into()))?;
        let with = KeptWith { response: response.as_ref().map(KeptResponse::keyed), ..KeptWith::default() };
        // The rules before underwriting do not apply, because these persons are already insured.
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
                    format!("The policy already has an open renewal: {other}."),
                )
                .into(),
                other => other,
            }
        }))?;
        self.shared.idempotency.outcome(kept, (draft.proposal, draft.quote), response).await
    }

    /// A page of a partner's policies that are due for renewal, earliest end first. If the query has a
    /// period: the policies whose cover ends in it. If not: all policies that can be renewed today.
    ///
    /// # Errors
    /// [`Error::Invalid`] with every fault of the query.
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
                // One record more than requested was read. It is the farthest from the position, so it is the
                // first.
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

    /// Policies of one partner or all that are due for renewal within `within_days`, earliest end first, at
    /// most `most`.
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

    /// Period in which a policy must end so that it can be renewed on a day.
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
            let (last_day, until) = (shown.policy.last_day(), shown.policy.renewable_until);
            let until = until.unwrap_or(last_day);
            let product = self.policies.sold_as(&shown.covered);
            let rules = product.and_then(|product| product.renewals.clone());
            let from = rules.as_ref().map(|rules| rules.first_day(last_day));
            let notice = rules.and_then(|rules| rules.notice(last_day, shown.today));
            RenewalDue { shown, until, from, notice }
        };
        found.into_iter().map(due).collect()
    }

    /// Policy that can be renewed today, with all data for its renewal.
    async fn subject(&self, of: PartnerId, id: PolicyId) -> Result<Subject> {
        let today = self.policies.today_of(of);
        let policy = self.policies.find(of, id).await?;
        let Some(cover) = policy.cover.health() else {
            return Err(Error::NotRenewable(NotRenewable::NoRules));
        };
        let imported = || {
            Error::conflict_of(
                ConflictReason::NotOffered,
                "The policy was imported. Renew it where it was sold.".into(),
            )
        };
        let proposal = policy.proposal.ok_or_else(imported)?;
        let issued = cover.issued().cloned().ok_or_else(imported)?;
        let proposal = Health::storage(self.shared.storage.as_ref()).proposal(of, proposal).await?;
        let proposal = proposal.ok_or_else(|| Error::Internal(format!("the proposal of {id} is missing")))?;
        let made =
            policy.endorsed::<Health>(&proposal.application).journey().cloned().ok_or_else(imported)?;
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

    /// Quote for a renewal, with the content of the renewal's proposal.
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
        let years = years.unwrap_or(health::cover_of(policy)?.tenure);
        let starts = renewal.starts(today);
        let period = CoverPeriod::of(Some(starts), today, u32::from(years) * 12);
        let period = period.ok_or_else(|| Error::Internal("cover would end after the year 9999".into()))?;
        let mut renewed = self.application(subject, now);
        let refused = |why: String| Error::NotRenewable(NotRenewable::NotOffered(why));
        let request = renewed.request_on(starts);
        let request = request.ok_or_else(|| refused("A person would be older than 120.".into()))?;
        // If the insurer prices a variant, `explain` has no steps and no price for it.
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
            // A policy without a deductible requests none. Then the lowest deductible is offered, which the
            // policy does not have.
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

    /// Content of a renewal's proposal before it is priced: the same people in the same plan.
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
            // The customer consented to the first policy. The partner has the consents for the renewal.
            consents: Vec::new(),
        }
    }
}

/// Who decides the renewal of a plan. The contract has no operation for partners to decide health proposals,
/// so the operator decides if the product says the partner.
fn decided_by(variant: &HealthVariant) -> Decision {
    let product = &variant.product;
    match (product.decision, &product.insurer.connector) {
        (Decision::StraightThrough, _) if variant.online => Decision::StraightThrough,
        (Decision::Insurer, Connector::Http(_)) if variant.online => Decision::Insurer,
        _ => Decision::Operator,
    }
}

/// Position of a policy in the list of due policies: its last day, then its id.
fn position(policy: &Policy) -> ListPosition {
    let (day, id) = position_of_end(policy);
    ListPosition { created_at: start_of_day(day).unwrap_or(Timestamp::MIN), id: id.uuid() }
}

fn position_of_end(policy: &Policy) -> (Date, PolicyId) {
    (policy.last_day(), policy.id)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn date(year: i16, month: i8, day: i8) -> Date {
        Date::constant(year, month, day)
    }

    #[test]
    fn a_waiting_period_counts_months_served_here_and_with_an_earlier_insurer() {
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
