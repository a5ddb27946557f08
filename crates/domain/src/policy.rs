//! The policy, the same in every line of business: what was issued, and from when to when it covers (D30, D53).

use crate::cancellation::Cancellation;
use crate::date::{Date, Timestamp, day_of, days_later, last_day_of_cover, start_of_day};
use crate::endorsement::{CoverTerms, Endorsement, EndorsementState};
use crate::id::{ClaimId, PartnerId, PolicyId, ProposalId, SessionId};
use crate::identifier::{Identifier, Reference, each_once};
use crate::line::Line;
use crate::money::{Premium, Rupees};
use crate::person::PersonalLine;
pub use crate::policy_number::PolicyNumber;
use crate::policy_state::PolicyState;
use crate::proposal::{Actor, Moving, Proposal, RefusedMove, Underway};
use crate::refund::OwedRefund;
use crate::renewal::Renewal;

/// 128 random bits that name a certificate to whoever holds it: the QR code's address.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct CheckCode(pub [u8; 16]);

impl std::fmt::Debug for CheckCode {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.write_str("CheckCode(…)")
    }
}

/// From when to when a policy covers, both days included (D53).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CoverPeriod {
    /// First day.
    pub starts: Date,
    /// Last day.
    pub ends: Date,
}

impl CoverPeriod {
    /// The cover starts on the day of disbursement where that is today or later, else on the day of issue, and
    /// ends `months` months later, the day before (D53). `None` beyond the calendar.
    pub fn of(disbursed: Option<Date>, issued: Date, months: u32) -> Option<Self> {
        let starts = disbursed.filter(|day| *day >= issued).unwrap_or(issued);
        Some(CoverPeriod { starts, ends: last_day_of_cover(starts, months)? })
    }
}

/// A policy of a line of business.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy<L: Line> {
    pub id: PolicyId,
    /// Whose customer it belongs to.
    pub partner: PartnerId,
    /// The session it belongs to.
    pub session: Option<SessionId>,
    /// The proposal it came from. `None` for an imported one.
    pub proposal: Option<ProposalId>,
    /// Our number, which stands on the certificate.
    pub number: PolicyNumber,
    /// The number under which the insurer keeps it, where it is another.
    pub insurer_number: Option<PolicyNumber>,
    /// What the partner calls the sale, where it told that (D79).
    pub reference: Option<Reference>,
    /// What the QR code of its certificate names it by. `None` for an imported one, which has no certificate of ours.
    pub check: Option<CheckCode>,
    /// When it was issued: by its day in Asia/Kolkata lists find it (D32).
    pub issued_at: Timestamp,
    /// Cover at the start.
    pub sum_insured: Rupees,
    /// What it costs.
    pub premium: Premium,
    /// Where it was last moved to. [`Policy::state_on`] says where it stands on a day.
    pub state: PolicyState,
    /// When it was last moved: at first when it was issued.
    pub changed_at: Timestamp,
    /// How often it was changed, from 1 on.
    pub version: u32,
    /// When its certificate was first downloaded.
    pub document_read_at: Option<Timestamp>,
    /// The cancellation that was last asked for.
    pub cancellation: Option<Cancellation>,
    /// The claims that were made on it, oldest first.
    pub claims: Vec<ClaimId>,
    /// The endorsements that were asked for, oldest first.
    pub endorsements: Vec<Endorsement>,
    /// Last day on which it can be renewed. `None` where it cannot be.
    pub renewable_until: Option<Date>,
    /// The policy that follows it.
    pub renewed_by: Option<PolicyId>,
    /// What the line holds beside this.
    pub cover: L::Cover,
}

impl<L: Line> Moving for Policy<L> {
    type State = PolicyState;

    fn state(&self) -> PolicyState {
        self.state
    }

    fn stand(&mut self, to: PolicyState, at: Timestamp, _: Option<&PersonalLine>) -> Result<(), RefusedMove> {
        self.state = self.state.move_to(to)?;
        self.changed_at = at;
        Ok(())
    }
}

impl<L: Line> Policy<L> {
    /// What it is known by beside what its proposal is, each once.
    pub fn identifiers(&self) -> Vec<Identifier> {
        let mut holder = match self.proposal {
            Some(_) => Vec::new(),
            None => L::identifiers_of_holder(&self.cover),
        };
        holder.extend(self.made_endorsements().flat_map(|made| made.change.identifiers()));
        each_once(holder, self.reference.as_ref())
    }

    /// The endorsements that are part of it, in the order in which they were made.
    pub fn made_endorsements(&self) -> impl Iterator<Item = &Endorsement> {
        self.endorsements.iter().filter(|endorsement| endorsement.is_made())
    }

    /// The endorsement that somebody is to decide. There is one at most.
    pub fn open_endorsement(&self) -> Option<&Endorsement> {
        self.endorsements.iter().find(|endorsement| endorsement.is_open())
    }

    /// Whether a refund is all of the premium that the insurer has, apart from tax: then there never was cover (D114).
    pub fn is_full_refund(&self, refund: Premium) -> bool {
        refund.base() > Rupees::ZERO && refund.base() >= self.retained().base()
    }

    /// Whether it was cancelled for a full refund.
    pub fn never_covered(&self) -> bool {
        let refund = self.cancellation.as_ref().and_then(|cancellation| cancellation.confirmed_refund());
        refund.is_some_and(|refund| self.is_full_refund(refund.amount))
    }

    /// How many of the endorsements that were made hold on a day: from the day after each was asked for.
    pub fn endorsements_on(&self, day: Date) -> usize {
        self.made_endorsements().take_while(|made| day_of(made.asked_at) < day).count()
    }

    /// The proposal that it came of, with its endorsements.
    pub fn endorsed(&self, application: &L::Application) -> L::Application {
        let mut application = application.clone();
        for made in self.made_endorsements() {
            L::endorse(&mut application, &made.change);
        }
        application
    }

    /// The number of its certificate among those that it had, from 1 on: each endorsement replaces it.
    pub fn certificate_version(&self) -> u32 {
        1 + self.made_endorsements().count() as u32
    }

    /// All that was paid for it: its premium as it was sold, and what its endorsements cost.
    pub fn paid_in(&self) -> Rupees {
        self.sold_terms().premium.total() + self.charged()
    }

    /// What its endorsements cost.
    pub fn charged(&self) -> Rupees {
        self.made_endorsements().map(|made| made.charge.total()).sum()
    }

    /// All that comes back of it, or came.
    pub fn comes_back(&self) -> Rupees {
        self.refunds().map(|refund| refund.amount.total()).sum()
    }

    /// What the insurer keeps of all that was paid for it: less what came back by endorsements.
    pub fn retained(&self) -> Premium {
        let differences = self.made_endorsements().map(Endorsement::difference);
        differences.fold(self.sold_terms().premium, |kept, more| {
            Premium::of_parts(kept.base() + more.base(), kept.gst() + more.gst()).unwrap_or(kept)
        })
    }

    /// Cover and premium as they were sold.
    pub fn sold_terms(&self) -> CoverTerms {
        let now = CoverTerms { sum_insured: self.sum_insured, premium: self.premium };
        self.made_endorsements().next().map_or(now, |first| first.before)
    }

    /// The policy as it was when only the first `endorsements` of those that were made were part of it: who was covered, for how
    /// much, what it cost, and what the partner called it. Where it stands, and what else happened to it, is as it is now. `None`
    /// for an imported policy, which has no proposal.
    pub fn as_of_endorsement(&self, endorsements: usize, proposal: &Proposal<L>) -> Option<Policy<L>> {
        let made: Vec<Endorsement> = self.made_endorsements().take(endorsements).cloned().collect();
        let settlement = L::settlement(&self.cover)?.to_owned();
        let (_, mut cover) = L::cover(proposal, day_of(self.issued_at), settlement)?;
        for endorsement in &made {
            L::endorse_cover(&mut cover, &endorsement.change);
        }
        let terms = made.last().map_or(self.sold_terms(), |last| last.after);
        fn account<'a>(made: impl Iterator<Item = &'a Endorsement>) -> Option<Reference> {
            made.filter_map(|made| made.change.loan_account()).last()
        }
        // The reference follows the loan's account only where partners name sales by that.
        let follows = account(self.made_endorsements()).is_some_and(|now| Some(now) == self.reference);
        let reference = match follows {
            true => account(made.iter()).or_else(|| proposal.reference.clone()),
            false => self.reference.clone(),
        };
        let CoverTerms { sum_insured, premium } = terms;
        Some(Policy { sum_insured, premium, reference, cover, endorsements: made, ..self.clone() })
    }

    /// Makes the endorsement that is open: the policy is as it says from now on. `None`: none is open.
    pub fn make_endorsement(&mut self, by: Actor, at: Timestamp) -> Option<&mut Endorsement> {
        let open = self.endorsements.iter_mut().find(|endorsement| endorsement.is_open())?;
        open.state = EndorsementState::Made;
        (open.decided_by, open.decided_at) = (Some(by), Some(at));
        (self.sum_insured, self.premium) = (open.after.sum_insured, open.after.premium);
        L::endorse_cover(&mut self.cover, &open.change);
        Some(open)
    }

    /// Last day of its cover.
    pub fn last_day(&self) -> Date {
        L::last_day(&self.cover)
    }

    /// Where it stands on a day: it expires and lapses by its days alone (D66, D91).
    pub fn state_on(&self, today: Date) -> PolicyState {
        self.state.on(today, self.last_day(), self.renewable_until)
    }

    /// Its refunds, in the order in which they came about.
    pub fn refunds(&self) -> impl Iterator<Item = &OwedRefund> {
        let of_endorsements = self.made_endorsements().filter_map(|made| made.refund.as_ref());
        of_endorsements.chain(self.cancellation.as_ref().and_then(|one| one.confirmed_refund()))
    }

    /// The refund that is still owed, of several the one that is due first.
    pub fn refund_owed(&self) -> Option<&OwedRefund> {
        self.refunds().filter(|refund| refund.owed() > Rupees::ZERO).min_by_key(|refund| refund.due_on)
    }

    /// The refund of [`Policy::refund_owed`], for its payment.
    pub fn refund_owed_mut(&mut self) -> Option<&mut OwedRefund> {
        let made = self.endorsements.iter_mut().filter(|endorsement| endorsement.is_made());
        let confirmed = self.cancellation.as_mut().filter(|cancellation| cancellation.confirmed_at.is_some());
        let all = made.filter_map(|made| made.refund.as_mut()).chain(confirmed.map(|one| &mut one.refund));
        all.filter(|refund| refund.owed() > Rupees::ZERO).min_by_key(|refund| refund.due_on)
    }

    /// The day by which the insurer is to have paid its refund. `None` where it owes none.
    pub fn refund_due_on(&self) -> Option<Date> {
        self.refund_owed().map(|refund| refund.due_on)
    }

    /// When somebody asked for what a refund of it is owed for.
    pub fn refund_asked_at(&self, refund: &OwedRefund) -> Option<Timestamp> {
        let endorsement = self.made_endorsements().find(|made| made.refund.as_ref() == Some(refund));
        let cancellation = || self.cancellation.as_ref().filter(|one| one.confirmed_refund() == Some(refund));
        endorsement.map(|made| made.asked_at).or_else(|| cancellation().map(|one| one.asked_at))
    }

    /// Since when it stands where it stands on a day.
    pub fn state_since(&self, today: Date) -> Timestamp {
        let after = |day: Date| day.tomorrow().ok().and_then(start_of_day).unwrap_or(self.changed_at);
        match self.state_on(today) {
            PolicyState::Expired => after(self.last_day()),
            // An imported one may have been moved there before it came.
            PolicyState::Lapsed if self.state == PolicyState::Issued => {
                after(self.renewable_until.unwrap_or(self.last_day()))
            }
            _ => self.changed_at,
        }
    }

    /// The policy that it renews. `None` for a first one.
    pub fn renews(&self) -> Option<&Renewal> {
        L::renewal_of_cover(&self.cover)
    }

    /// Since when its people are covered without a break.
    pub fn covered_since(&self, starts: Date) -> Date {
        self.renews().map_or(starts, |renewal| renewal.covered_since)
    }

    /// Lets another policy follow it, which was issued at an instant by somebody.
    ///
    /// # Errors
    /// [`RefusedMove`] where it does not stand so that it can be renewed.
    pub fn renewed(
        mut self,
        by: PolicyId,
        actor: Actor,
        at: Timestamp,
    ) -> Result<Underway<Self>, RefusedMove> {
        self.renewed_by = Some(by);
        let mut underway = Underway::resumed(self, at);
        underway.go(actor, PolicyState::Renewed, None)?;
        Ok(underway)
    }

    /// The policy that completes a proposal. `None` when there can be none: see [`Line::cover`].
    pub fn issue(proposal: &Proposal<L>, terms: IssueTerms, at: Timestamp) -> Option<Policy<L>> {
        let issued = day_of(at);
        let (sum_insured, cover) = L::cover(proposal, issued, terms.settlement)?;
        let renewable_until = terms.grace_days.and_then(|days| days_later(L::last_day(&cover), days));
        Some(Policy {
            id: terms.id,
            partner: proposal.partner,
            session: proposal.session,
            proposal: Some(proposal.id),
            number: PolicyNumber::of(&terms.number_prefix, issued.year(), terms.id),
            insurer_number: terms.insurer_number,
            reference: proposal.reference.clone(),
            check: Some(terms.check),
            issued_at: at,
            sum_insured,
            premium: proposal.premium,
            state: PolicyState::Issued,
            changed_at: at,
            version: 1,
            document_read_at: None,
            cancellation: None,
            claims: Vec::new(),
            endorsements: Vec::new(),
            renewable_until,
            renewed_by: None,
            cover,
        })
    }
}

/// What the service and the catalogue add to a proposal to make it a policy.
#[derive(Debug, Clone)]
pub struct IssueTerms {
    pub id: PolicyId,
    pub check: CheckCode,
    /// The product's prefix of policy numbers.
    pub number_prefix: String,
    /// The insurer's own number, where it decided.
    pub insurer_number: Option<PolicyNumber>,
    /// How the product's premium is settled (D29).
    pub settlement: String,
    /// How many days after its last one the policy can be renewed. `None`: it cannot be.
    pub grace_days: Option<u16>,
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn cover_starts_on_disbursement_unless_that_is_past() {
        let issued = date(2026, 11, 20); // D53
        let starts = |disbursed| CoverPeriod::of(disbursed, issued, 12).expect("in range").starts;
        assert_eq!(starts(None), issued);
        assert_eq!(starts(Some(date(2026, 11, 19))), issued);
        assert_eq!(starts(Some(issued)), issued);
        assert_eq!(starts(Some(date(2026, 12, 1))), date(2026, 12, 1));
    }
}
