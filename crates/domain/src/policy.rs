//! Policies in every line of business (D30, D53).

use crate::cancellation::{Cancellation, CancellationReason};
pub use crate::cover_period::CoverPeriod;
use crate::credit_life::{CreditCover, CreditLife};
use crate::date::{Date, Timestamp, day_of, days_later, start_of_day};
use crate::endorsement::{CoverTerms, Endorsement, EndorsementState};
use crate::endorsement_change::EndorsementChange;
use crate::health_policy::HealthCover;
use crate::health_proposal::Health;
use crate::id::{ClaimId, MemberId, NomineeId, PartnerId, PolicyId, ProposalId, SessionId, counted_on};
use crate::identifier::{Identifier, Reference, each_once};
use crate::line::{Line, LineOfBusiness};
use crate::money::{Premium, Rupees};
use crate::party::Party;
use crate::person::PersonalLine;
pub use crate::policy_number::PolicyNumber;
use crate::policy_state::PolicyState;
use crate::proposal::{Actor, Moving, Proposal, RefusedMove, Underway};
use crate::quote::CatalogueHash;
use crate::refund::OwedRefund;
use crate::renewal::Renewal;

/// 128 random bits in the URL of a certificate's QR code. Anybody who has the code can check the certificate.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct CheckCode(pub [u8; 16]);

impl std::fmt::Debug for CheckCode {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.write_str("CheckCode(…)")
    }
}

/// Data of a policy that only its line of business has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cover {
    CreditLife(CreditCover),
    Health(Box<HealthCover>),
}

impl Cover {
    pub fn line(&self) -> LineOfBusiness {
        match self {
            Cover::CreditLife(_) => LineOfBusiness::CreditLife,
            Cover::Health(_) => LineOfBusiness::Health,
        }
    }

    /// Cover of a credit-life policy. `None` for another line of business.
    pub fn credit_life(&self) -> Option<&CreditCover> {
        match self {
            Cover::CreditLife(cover) => Some(cover),
            Cover::Health(_) => None,
        }
    }

    /// Cover of a health policy. `None` for another line of business.
    pub fn health(&self) -> Option<&HealthCover> {
        match self {
            Cover::Health(cover) => Some(cover),
            Cover::CreditLife(_) => None,
        }
    }

    /// Applies an endorsement. Ignores a change of data that the cover does not have.
    pub fn endorse(&mut self, change: &EndorsementChange) {
        match self {
            Cover::CreditLife(cover) => cover.endorse(change),
            Cover::Health(cover) => cover.endorse(change),
        }
    }

    /// Catalogue version with which the policy was sold. `None` for an imported policy.
    pub fn catalogue(&self) -> Option<CatalogueHash> {
        match self {
            Cover::CreditLife(cover) => Some(cover.catalogue),
            Cover::Health(cover) => cover.issued().map(|issued| issued.chosen.catalogue),
        }
    }

    /// People in the cover of an imported policy, which has no application.
    pub fn parties(&self) -> Vec<Party> {
        self.health().map(HealthCover::parties).unwrap_or_default()
    }

    /// The product's text on how the premium is paid, of a policy issued here (D29). `None` for an imported
    /// policy.
    fn settlement(&self) -> Option<&str> {
        match self {
            Cover::CreditLife(cover) => Some(&cover.settlement),
            Cover::Health(cover) => cover.issued().map(|issued| issued.settlement.as_str()),
        }
    }

    fn last_day(&self) -> Date {
        match self {
            Cover::CreditLife(cover) => cover.period.ends,
            Cover::Health(cover) => cover.expires(),
        }
    }
}

/// Line of business that issues policies.
pub trait PolicyLine: Line {
    /// Sum insured and cover of a policy that is issued on `issued`. `None` for an imported proposal, or if
    /// the calendar cannot represent the end of cover.
    fn cover(proposal: &Proposal<Self>, issued: Date, settlement: String) -> Option<(Rupees, Cover)>;
}

impl PolicyLine for CreditLife {
    fn cover(proposal: &Proposal<Self>, issued: Date, settlement: String) -> Option<(Rupees, Cover)> {
        let (sum, cover) = CreditCover::of(&proposal.application, issued, settlement)?;
        Some((sum, Cover::CreditLife(cover)))
    }
}

impl PolicyLine for Health {
    fn cover(proposal: &Proposal<Self>, issued: Date, settlement: String) -> Option<(Rupees, Cover)> {
        let (sum, cover) = HealthCover::of(&proposal.application, issued, settlement)?;
        Some((sum, Cover::Health(Box::new(cover))))
    }
}

/// Number from which nominee ids are derived. Member ids are derived from numbers that start at 1, so a
/// nominee and a member never share an id.
const FIRST_NOMINEE: u32 = 0x1000;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    pub id: PolicyId,
    /// Partner that sold the policy.
    pub partner: PartnerId,
    /// Session in which the policy was sold.
    pub session: Option<SessionId>,
    /// Proposal from which the policy was issued. `None` for an imported policy.
    pub proposal: Option<ProposalId>,
    /// Policy number given by this service, printed on the certificate.
    pub number: PolicyNumber,
    /// Insurer's own policy number, if it differs from `number`.
    pub insurer_number: Option<PolicyNumber>,
    /// Partner's reference for the sale, if any (D79).
    pub reference: Option<Reference>,
    /// Code in the QR code of the certificate. `None` for an imported policy, which has no certificate here.
    pub check: Option<CheckCode>,
    /// Time of issue. Lists select policies by the day of this time in Asia/Kolkata (D32).
    pub issued_at: Timestamp,
    /// Sum insured on the first day of cover.
    pub sum_insured: Rupees,
    /// Premium of the policy, after the applied endorsements.
    pub premium: Premium,
    /// State after the last stored change. [`Policy::state_on`] gives the state on a day.
    pub state: PolicyState,
    /// Time of the last state change. If there was none: time of issue.
    pub changed_at: Timestamp,
    /// Version number, from 1; each stored change adds 1.
    pub version: u32,
    /// Time of the first download of the certificate.
    pub document_read_at: Option<Timestamp>,
    /// Latest request to cancel the policy.
    pub cancellation: Option<Cancellation>,
    /// Claims on the policy, oldest first.
    pub claims: Vec<ClaimId>,
    /// Requested endorsements, oldest first.
    pub endorsements: Vec<Endorsement>,
    /// Last day to renew the policy. `None` if the policy cannot be renewed.
    pub renewable_until: Option<Date>,
    /// Policy that renewed this one.
    pub renewed_by: Option<PolicyId>,
    /// Data that only this line of business has.
    pub cover: Cover,
}

impl Moving for Policy {
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

impl Policy {
    pub fn line(&self) -> LineOfBusiness {
        self.cover.line()
    }

    /// Search keys of the policy that its proposal does not have. Without duplicates.
    pub fn identifiers(&self) -> Vec<Identifier> {
        let mut holder = match self.proposal {
            Some(_) => Vec::new(),
            None => self.cover.parties().into_iter().flat_map(|party| party.identifiers).collect(),
        };
        holder.extend(self.made_endorsements().flat_map(|made| made.change.identifiers()));
        each_once(holder, self.reference.as_ref())
    }

    /// Applied endorsements, in the order of application.
    pub fn made_endorsements(&self) -> impl Iterator<Item = &Endorsement> {
        self.endorsements.iter().filter(|endorsement| endorsement.is_made())
    }

    /// The endorsement that waits for a decision. At most one.
    pub fn open_endorsement(&self) -> Option<&Endorsement> {
        self.endorsements.iter().find(|endorsement| endorsement.is_open())
    }

    /// Whether a refund returns the whole base premium that the insurer retained. If so, the policy counts as
    /// if it had never given cover (D114).
    pub fn is_full_refund(&self, refund: Premium) -> bool {
        refund.base() > Rupees::ZERO && refund.base() >= self.retained().base()
    }

    /// Whether a cancellation avoids the policy, so that it never gave cover: for fraud, or with a full refund
    /// (D114).
    pub fn is_avoided_by(&self, reason: CancellationReason, refund: Premium) -> bool {
        reason == CancellationReason::Fraud || self.is_full_refund(refund)
    }

    /// The cancellation that avoided the policy, if any.
    pub fn avoidance(&self) -> Option<&Cancellation> {
        self.cancellation.as_ref().filter(|cancellation| {
            let refund = cancellation.confirmed_refund();
            refund.is_some_and(|refund| self.is_avoided_by(cancellation.reason, refund.amount))
        })
    }

    /// Number of applied endorsements that are in force on a day. An endorsement is in force from the day
    /// after its request.
    pub fn endorsements_on(&self, day: Date) -> usize {
        self.made_endorsements().take_while(|made| day_of(made.asked_at) < day).count()
    }

    /// Applies the policy's endorsements to the application from which it was issued.
    pub fn endorsed<L: Line>(&self, application: &L::Application) -> L::Application {
        let mut application = application.clone();
        for made in self.made_endorsements() {
            L::endorse(&mut application, &made.change);
        }
        application
    }

    /// Version of the policy's current certificate, from 1. Each applied endorsement makes a new certificate.
    pub fn certificate_version(&self) -> u32 {
        1 + self.made_endorsements().count() as u32
    }

    /// Total paid for the policy: premium at the sale and endorsement charges.
    pub fn paid_in(&self) -> Rupees {
        self.sold_terms().premium.total() + self.charged()
    }

    /// Total of the charges of applied endorsements.
    pub fn charged(&self) -> Rupees {
        self.made_endorsements().map(|made| made.charge.total()).sum()
    }

    /// Total of the policy's refunds, paid or owed.
    pub fn comes_back(&self) -> Rupees {
        self.refunds().map(|refund| refund.amount.total()).sum()
    }

    /// Premium that the insurer retains: all payments less refunds of endorsements.
    pub fn retained(&self) -> Premium {
        let differences = self.made_endorsements().map(Endorsement::difference);
        differences.fold(self.sold_terms().premium, |kept, more| {
            Premium::of_parts(kept.base() + more.base(), kept.gst() + more.gst()).unwrap_or(kept)
        })
    }

    /// Cover and premium at the sale.
    pub fn sold_terms(&self) -> CoverTerms {
        let now = CoverTerms { sum_insured: self.sum_insured, premium: self.premium };
        self.made_endorsements().next().map_or(now, |first| first.before)
    }

    /// The policy with only its first `endorsements` applied endorsements.
    ///
    /// People, cover, premium and reference are those of that time. State and other history are the current
    /// ones. `None` for an imported policy.
    pub fn as_of_endorsement<L: PolicyLine>(
        &self,
        endorsements: usize,
        proposal: &Proposal<L>,
    ) -> Option<Policy> {
        let made: Vec<Endorsement> = self.made_endorsements().take(endorsements).cloned().collect();
        let settlement = self.cover.settlement()?.to_owned();
        let (_, mut cover) = L::cover(proposal, day_of(self.issued_at), settlement)?;
        for endorsement in &made {
            cover.endorse(&endorsement.change);
        }
        let terms = made.last().map_or(self.sold_terms(), |last| last.after);
        fn account<'a>(made: impl Iterator<Item = &'a Endorsement>) -> Option<Reference> {
            made.filter_map(|made| made.change.loan_account()).last()
        }
        // The reference changes with the loan account only if the partner uses that as reference.
        let follows = account(self.made_endorsements()).is_some_and(|now| Some(now) == self.reference);
        let reference = match follows {
            true => account(made.iter()).or_else(|| proposal.reference.clone()),
            false => self.reference.clone(),
        };
        let CoverTerms { sum_insured, premium } = terms;
        Some(Policy { sum_insured, premium, reference, cover, endorsements: made, ..self.clone() })
    }

    /// Applies the open endorsement to the policy. `None` if none is open.
    pub fn make_endorsement(&mut self, by: Actor, at: Timestamp) -> Option<&mut Endorsement> {
        let open = self.endorsements.iter_mut().find(|endorsement| endorsement.is_open())?;
        open.state = EndorsementState::Made;
        (open.decided_by, open.decided_at) = (Some(by), Some(at));
        (self.sum_insured, self.premium) = (open.after.sum_insured, open.after.premium);
        self.cover.endorse(&open.change);
        Some(open)
    }

    pub fn last_day(&self) -> Date {
        self.cover.last_day()
    }

    /// State on a day. A policy expires and lapses by date, without a stored change (D66, D91).
    pub fn state_on(&self, today: Date) -> PolicyState {
        self.state.on(today, self.last_day(), self.renewable_until)
    }

    /// Refunds of endorsements, in the order of the endorsements, then the refund of the cancellation.
    pub fn refunds(&self) -> impl Iterator<Item = &OwedRefund> {
        let of_endorsements = self.made_endorsements().filter_map(|made| made.refund.as_ref());
        of_endorsements.chain(self.cancellation.as_ref().and_then(|one| one.confirmed_refund()))
    }

    /// The refund that the insurer still owes. If there are several, the one with the earliest due day.
    pub fn refund_owed(&self) -> Option<&OwedRefund> {
        self.refunds().filter(|refund| refund.owed() > Rupees::ZERO).min_by_key(|refund| refund.due_on)
    }

    /// Mutable access to [`Policy::refund_owed`], to enter the payment of that refund.
    pub fn refund_owed_mut(&mut self) -> Option<&mut OwedRefund> {
        let made = self.endorsements.iter_mut().filter(|endorsement| endorsement.is_made());
        let confirmed = self.cancellation.as_mut().filter(|cancellation| cancellation.confirmed_at.is_some());
        let all = made.filter_map(|made| made.refund.as_mut()).chain(confirmed.map(|one| &mut one.refund));
        all.filter(|refund| refund.owed() > Rupees::ZERO).min_by_key(|refund| refund.due_on)
    }

    /// Last day for the insurer to pay [`Policy::refund_owed`]. `None` if no refund is owed.
    pub fn refund_due_on(&self) -> Option<Date> {
        self.refund_owed().map(|refund| refund.due_on)
    }

    /// Time of the endorsement or cancellation request that led to this refund.
    pub fn refund_asked_at(&self, refund: &OwedRefund) -> Option<Timestamp> {
        let endorsement = self.made_endorsements().find(|made| made.refund.as_ref() == Some(refund));
        let cancellation = || self.cancellation.as_ref().filter(|one| one.confirmed_refund() == Some(refund));
        endorsement.map(|made| made.asked_at).or_else(|| cancellation().map(|one| one.asked_at))
    }

    /// Time since when the policy has its state of `today`.
    pub fn state_since(&self, today: Date) -> Timestamp {
        let after = |day: Date| day.tomorrow().ok().and_then(start_of_day).unwrap_or(self.changed_at);
        match self.state_on(today) {
            PolicyState::Expired => after(self.last_day()),
            // An imported policy may have the state LAPSED in its record.
            PolicyState::Lapsed if self.state == PolicyState::Issued => {
                after(self.renewable_until.unwrap_or(self.last_day()))
            }
            _ => self.changed_at,
        }
    }

    /// Id of the member at an index. Derived from the policy's id, so member ids are not stored.
    pub fn member_id(&self, index: usize) -> MemberId {
        counted_on(self.id, index as u32 + 1)
    }

    /// Id of the nominee at an index. Derived from the policy's id, so nominee ids are not stored.
    pub fn nominee_id(&self, index: usize) -> NomineeId {
        counted_on(self.id, FIRST_NOMINEE + index as u32)
    }

    /// Policy that this one renews. `None` for a first policy.
    pub fn renews(&self) -> Option<&Renewal> {
        self.cover.health()?.issued()?.chosen.renewal.as_ref()
    }

    /// First day of the insured people's unbroken cover. `starts` if the policy renews no other.
    pub fn covered_since(&self, starts: Date) -> Date {
        self.renews().map_or(starts, |renewal| renewal.covered_since)
    }

    /// Marks the policy as renewed by the policy `by`.
    ///
    /// # Errors
    /// [`RefusedMove`] if the policy's state does not allow a renewal.
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

    /// Issues the policy of a proposal. `None` if that is impossible: see [`PolicyLine::cover`].
    pub fn issue<L: PolicyLine>(proposal: &Proposal<L>, terms: IssueTerms, at: Timestamp) -> Option<Policy> {
        let issued = day_of(at);
        let (sum_insured, cover) = L::cover(proposal, issued, terms.settlement)?;
        let renewable_until = terms.grace_days.and_then(|days| days_later(cover.last_day(), days));
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

/// Data that service and catalogue add when a proposal becomes a policy.
#[derive(Debug, Clone)]
pub struct IssueTerms {
    pub id: PolicyId,
    pub check: CheckCode,
    /// Prefix of the product's policy numbers.
    pub number_prefix: String,
    /// Insurer's own policy number, if the insurer decided and gave one.
    pub insurer_number: Option<PolicyNumber>,
    /// The product's text that tells the customer how the premium is paid (D29).
    pub settlement: String,
    /// Number of days after the policy's last day in which the policy can be renewed. `None` if there are no
    /// renewals.
    pub grace_days: Option<u16>,
}
