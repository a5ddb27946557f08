//! Credit life as a line of business (interface §5 to §7; D28, D53).
//!
//! This module has the proposal that a partner sends, all changes of the proposal's status, and the cover of
//! the policy.

use crate::context::{Context, ContextEntry, YesOrNo, key};
use crate::cover_period::CoverPeriod;
use crate::date::{Date, Timestamp};
use crate::endorsement_change::{EndorsementChange, NewContact};
use crate::id::{QuoteId, RecommendationId, VariantId};
use crate::line::{Line, LineOfBusiness, ProposalState, QuotedVariant};
use crate::money::{CoverAmount, Rupees};
use crate::party::{Party, PartyRole};
use crate::person::{Name, Nominee, Person};
use crate::proposal::{Proposal, RefusedMove};
use crate::quote::{CatalogueHash, QuoteRequest};
use crate::renewal::Renewal;
use crate::text::vocabulary;

/// Group credit life, sold over the embedded API.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CreditLife;

pub type EmbeddedProposal = Proposal<CreditLife>;

vocabulary! {
    /// Status of a credit-life proposal.
    ProposalStatus, "one of DRAFT, PENDING, COMPLETED, REJECTED" {
        /// Saved, not yet submitted.
        Draft = "DRAFT",
        /// Submitted for processing.
        Pending = "PENDING",
        /// Approved, policy issued. Final.
        Completed = "COMPLETED",
        /// Refused. Final.
        Rejected = "REJECTED",
    }
}

vocabulary! {
    /// Whether a new proposal is submitted at once.
    Submission, "one of DRAFT, SUBMITTED" {
        /// Saved, to be submitted later.
        Draft = "DRAFT",
        /// Submitted at once.
        Submitted = "SUBMITTED",
    }
}

impl ProposalState for ProposalStatus {
    const ALL: &'static [Self] = ProposalStatus::ALL;
    const ISSUED: Self = ProposalStatus::Completed;
    const REJECTED: Self = ProposalStatus::Rejected;

    fn word(self) -> &'static str {
        ProposalStatus::word(self)
    }

    /// All allowed status changes (D28). Any other change is refused.
    fn move_to(self, next: Self) -> Result<Self, RefusedMove> {
        use ProposalStatus::{Completed, Draft, Pending, Rejected};
        match (self, next) {
            (Draft, Pending | Rejected) | (Pending, Completed | Rejected) => Ok(next),
            (Draft | Pending | Completed | Rejected, _) => Err(RefusedMove::between(self, next)),
        }
    }

    fn way_to(self, decision: Self) -> Option<Vec<Self>> {
        self.move_to(decision).ok().filter(|_| decision.is_final()).map(|decision| vec![decision])
    }

    fn is_unsubmitted(self) -> bool {
        self == ProposalStatus::Draft
    }

    fn is_undecided(self) -> bool {
        self == ProposalStatus::Pending
    }

    fn is_final(self) -> bool {
        matches!(self, ProposalStatus::Completed | ProposalStatus::Rejected)
    }
}

/// Validated request of a partner to make a proposal for a quoted variant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProposalRequest {
    pub quote: QuoteId,
    /// Item of the quote (one priced variant) that is proposed.
    pub recommendation: RecommendationId,
    pub submission: Submission,
    pub proposer: Person,
    /// Insured people; at least one.
    pub insured_members: Vec<Person>,
    /// People who receive the sum insured. If there are nominees, their shares total 100 percent.
    pub nominees: Vec<Nominee>,
    pub context: Context,
}

/// Copy of the quote's terms, so that the proposal can be decided and issued without the quote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuotedCover {
    /// When the quote was made.
    pub at: Timestamp,
    /// Quote request that was priced.
    pub request: QuoteRequest,
    /// Hash of the catalogue version whose names, texts and rates apply.
    pub catalogue: CatalogueHash,
}

/// Credit-life part of a proposal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CreditApplication {
    pub variant: VariantId,
    pub quoted: QuotedCover,
    pub request: ProposalRequest,
}

/// Credit-life part of a policy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CreditCover {
    /// First and last day of cover.
    pub period: CoverPeriod,
    /// Length of the cover in months.
    pub term_months: u32,
    pub variant: VariantId,
    /// Hash of the catalogue version whose names and texts the policy has.
    pub catalogue: CatalogueHash,
    /// The product's text that tells the customer how the premium is paid (D29).
    pub settlement: String,
    /// Name of the first insured member.
    pub holder: Name,
}

impl CreditCover {
    /// Sum insured and cover of the policy for an accepted application. `None` if the calendar cannot represent
    /// the last day.
    pub(crate) fn of(
        application: &CreditApplication,
        issued: Date,
        settlement: String,
    ) -> Option<(Rupees, CreditCover)> {
        let CreditApplication { variant, quoted, request } = application;
        let holder = request.insured_members.first().unwrap_or(&request.proposer);
        let cover = CreditCover {
            period: application.period(issued)?,
            term_months: quoted.request.term.as_months(),
            variant: *variant,
            catalogue: quoted.catalogue,
            settlement,
            holder: holder.name.clone(),
        };
        Some((quoted.request.cover.amount(), cover))
    }

    /// Applies an endorsement. Ignores a change of data that the cover does not have.
    pub(crate) fn endorse(&mut self, change: &EndorsementChange) {
        match change {
            EndorsementChange::Name { member: 1, name } => self.holder = name.as_ref().clone(),
            EndorsementChange::Name { .. }
            | EndorsementChange::Nominees(_)
            | EndorsementChange::Contact { .. }
            | EndorsementChange::DateOfBirth { .. }
            | EndorsementChange::LoanAccount(_)
            | EndorsementChange::Assignment(_)
            | EndorsementChange::CoverReduction(_) => {}
        }
    }
}

impl ProposalRequest {
    /// Changes the insured member with this number (from 1). Also changes the proposer, if proposer and
    /// member are the same person.
    fn change(&mut self, member: u16, change: impl Fn(&mut Person)) {
        let Some(person) = self.insured_members.get_mut(usize::from(member).wrapping_sub(1)) else { return };
        if self.proposer.is_same_as(person) {
            change(&mut self.proposer);
        }
        change(person);
    }
}

impl CreditApplication {
    /// First and last day of cover if the policy is issued on `issued`. Cover starts on the disbursement day
    /// in the context if that is `issued` or later, else on `issued` (D53). `None` if the calendar cannot
    /// represent the last day.
    pub fn period(&self, issued: Date) -> Option<CoverPeriod> {
        let sold = self.sold();
        CoverPeriod::of(sold.context.disbursement_date(), issued, sold.term.as_months())
    }

    /// The sale as a quote request. The first insured member is the borrower, and the proposal's loan data
    /// replaces the quote's (D61). If the quote has a joint borrower, the second insured member is that
    /// person (D76).
    pub fn sold(&self) -> QuoteRequest {
        let quoted = &self.quoted.request;
        let borrower = self.request.insured_members.first().unwrap_or(&self.request.proposer);
        let mut context = self.request.context.over(&quoted.context);
        if let (Some(_), Some(joint)) = (context.joint_date_of_birth(), self.request.insured_members.get(1)) {
            context = Context::of_joint_life(joint.born, joint.gender).over(&context);
        }
        QuoteRequest { born: borrower.born, gender: borrower.gender, context, ..quoted.clone() }
    }
}

impl Line for CreditLife {
    const LINE: LineOfBusiness = LineOfBusiness::CreditLife;
    type Status = ProposalStatus;
    type Application = CreditApplication;

    fn quoted(application: &CreditApplication) -> QuotedVariant<'_> {
        QuotedVariant::Here(application.request.quote, application.variant)
    }

    fn endorse(application: &mut CreditApplication, change: &EndorsementChange) {
        let CreditApplication { quoted, request, .. } = application;
        let told = |request: &mut ProposalRequest, entries: &[(&str, &str)]| {
            let entry = |(key, value): &(&str, &str)| ContextEntry::new(*key, vec![(*value).to_owned()]);
            request.context = Context::of(entries.iter().map(entry).collect()).over(&request.context);
        };
        match change {
            EndorsementChange::Nominees(nominees) => request.nominees.clone_from(nominees),
            EndorsementChange::Contact { member, contact } => request.change(*member, |person| {
                let NewContact { address, phone, email } = contact.as_ref();
                person.address = address.as_ref().unwrap_or(&person.address).clone();
                person.phone = phone.as_ref().unwrap_or(&person.phone).clone();
                person.email = email.as_ref().unwrap_or(&person.email).clone();
            }),
            EndorsementChange::Name { member, name } => {
                request.change(*member, |person| person.name = name.as_ref().clone());
            }
            EndorsementChange::DateOfBirth { member, born } => {
                request.change(*member, |person| person.born = *born);
                // The quote also has the date of birth of the second life.
                let joint = &quoted.request.context;
                if *member == 2
                    && let (Some(_), Some(gender)) = (joint.joint_date_of_birth(), joint.joint_gender())
                {
                    quoted.request.context = Context::of_joint_life(*born, gender).over(joint);
                }
            }
            EndorsementChange::LoanAccount(number) => told(request, &[(key::LOAN_ACCOUNT, number.reveal())]),
            EndorsementChange::Assignment(lender) => {
                told(
                    request,
                    &[(key::LENDER, lender.reveal()), (key::CLAIMS_TO_LENDER, YesOrNo::Yes.word())],
                );
            }
            EndorsementChange::CoverReduction(cover) => {
                quoted.request.cover = CoverAmount::of(*cover).unwrap_or(quoted.request.cover);
            }
        }
    }

    fn parties(application: &CreditApplication) -> Vec<Party> {
        let ProposalRequest { proposer, insured_members, nominees, .. } = &application.request;
        let members = (1..).zip(insured_members);
        let insured = members.map(|(number, one)| Party::of_person(PartyRole::Insured, one, Some(number)));
        let proposer = [Party::of_person(PartyRole::Proposer, proposer, None)];
        proposer.into_iter().chain(insured).chain(nominees.iter().flat_map(Party::of_nominee)).collect()
    }

    fn renewal(_: &CreditApplication) -> Option<&Renewal> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_4_of_the_16_status_changes_of_a_proposal_are_allowed() {
        use ProposalStatus::{Completed, Draft, Pending, Rejected};
        let allowed = [(Draft, Pending), (Draft, Rejected), (Pending, Completed), (Pending, Rejected)]; // D28
        for from in ProposalStatus::ALL {
            for to in ProposalStatus::ALL {
                assert_eq!(from.move_to(*to).is_ok(), allowed.contains(&(*from, *to)), "{from} to {to}");
            }
        }
    }
}
