//! Credit life as a line of business: the proposal that a partner sends, every move of its status, and what its policy
//! covers (interface §5 to §7; D28, D53).

use crate::context::{Context, ContextEntry, YesOrNo, key};
use crate::date::{Date, Timestamp};
use crate::endorsement_change::{EndorsementChange, NewContact};
use crate::id::{QuoteId, RecommendationId, VariantId};
use crate::identifier::Identifier;
use crate::line::{Line, LineOfBusiness, ProposalState, QuotedVariant};
use crate::money::{CoverAmount, Rupees};
use crate::person::{Name, Nominee, Person};
use crate::policy::{CoverPeriod, Policy};
use crate::proposal::{Proposal, RefusedMove};
use crate::quote::{CatalogueHash, QuoteRequest};
use crate::renewal::Renewal;
use crate::text::vocabulary;

/// Group credit life, sold by the embedded API.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CreditLife;

pub type EmbeddedProposal = Proposal<CreditLife>;

pub type EmbeddedPolicy = Policy<CreditLife>;

vocabulary! {
    /// Where a proposal of credit life stands.
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
    /// How a new proposal enters.
    Submission, "one of DRAFT, SUBMITTED" {
        /// To be submitted later.
        Draft = "DRAFT",
        /// At once.
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

    /// Every transition there is (D28).
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

/// What a partner sends to propose a quoted variant, judged field by field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProposalRequest {
    pub quote: QuoteId,
    /// The item of the quote.
    pub recommendation: RecommendationId,
    /// Saved or submitted.
    pub submission: Submission,
    pub proposer: Person,
    /// Who is insured; at least one.
    pub insured_members: Vec<Person>,
    /// Who receives the sum insured; shares total 100 where there is any.
    pub nominees: Vec<Nominee>,
    /// What else the partner sent.
    pub context: Context,
}

/// What a proposal keeps of its quote, so that it can be decided, issued and explained without it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuotedCover {
    /// When the quote was given.
    pub at: Timestamp,
    /// What was priced.
    pub request: QuoteRequest,
    /// The catalogue version whose names, texts and rates hold.
    pub catalogue: CatalogueHash,
}

/// What a proposal of credit life holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CreditApplication {
    /// The variant proposed.
    pub variant: VariantId,
    pub quoted: QuotedCover,
    /// What was sent.
    pub request: ProposalRequest,
}

/// What a policy of credit life covers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CreditCover {
    /// From when to when it covers.
    pub period: CoverPeriod,
    /// Length of the cover, in months.
    pub term_months: u32,
    pub variant: VariantId,
    /// The catalogue version whose names and texts it was issued under.
    pub catalogue: CatalogueHash,
    /// How the premium is settled (D29).
    pub settlement: String,
    /// The first insured member.
    pub holder: Name,
}

impl ProposalRequest {
    /// Changes an insured member by the number from 1 on, and the proposer where that is the same person.
    fn change(&mut self, member: u16, change: impl Fn(&mut Person)) {
        let Some(person) = self.insured_members.get_mut(usize::from(member).wrapping_sub(1)) else { return };
        if self.proposer.is_same_as(person) {
            change(&mut self.proposer);
        }
        change(person);
    }
}

impl CreditApplication {
    /// The cover of a policy issued on a day: from the day of disbursement that the proposal names, else the quote
    /// (D53). `None` beyond the calendar.
    pub fn period(&self, issued: Date) -> Option<CoverPeriod> {
        let sold = self.sold();
        CoverPeriod::of(sold.context.disbursement_date(), issued, sold.term.as_months())
    }

    /// What is sold, as it would have been quoted: to the first insured member, who is the borrower, and with what the
    /// proposal says of the loan in place of what the quote said (D61). Where a joint life was told, it is the second
    /// insured member's (D76).
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
    type Cover = CreditCover;

    fn quoted(application: &CreditApplication) -> QuotedVariant<'_> {
        QuotedVariant::Here(application.request.quote, application.variant)
    }

    fn cover(proposal: &Proposal<Self>, issued: Date, settlement: String) -> Option<(Rupees, CreditCover)> {
        let CreditApplication { variant, quoted, request } = &proposal.application;
        let holder = request.insured_members.first().unwrap_or(&request.proposer);
        let cover = CreditCover {
            period: proposal.application.period(issued)?,
            term_months: quoted.request.term.as_months(),
            variant: *variant,
            catalogue: quoted.catalogue,
            settlement,
            holder: holder.name.clone(),
        };
        Some((quoted.request.cover.amount(), cover))
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
                // The second of two lives was quoted by its date of birth as well.
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

    fn endorse_cover(cover: &mut CreditCover, change: &EndorsementChange) {
        match change {
            EndorsementChange::Name { member: 1, name } => cover.holder = name.as_ref().clone(),
            EndorsementChange::Name { .. }
            | EndorsementChange::Nominees(_)
            | EndorsementChange::Contact { .. }
            | EndorsementChange::DateOfBirth { .. }
            | EndorsementChange::LoanAccount(_)
            | EndorsementChange::Assignment(_)
            | EndorsementChange::CoverReduction(_) => {}
        }
    }

    fn identifiers(application: &CreditApplication) -> Vec<Identifier> {
        let ProposalRequest { proposer, insured_members, .. } = &application.request;
        [proposer].into_iter().chain(insured_members).flat_map(Person::identifiers).collect()
    }

    fn members_known_by(application: &CreditApplication, by: &Identifier) -> Vec<u16> {
        let members = (1..).zip(&application.request.insured_members);
        members.filter(|(_, person)| person.identifiers().contains(by)).map(|(number, _)| number).collect()
    }

    fn identifiers_of_holder(_: &CreditCover) -> Vec<Identifier> {
        Vec::new()
    }

    fn settlement(cover: &CreditCover) -> Option<&str> {
        Some(&cover.settlement)
    }

    fn last_day(cover: &CreditCover) -> Date {
        cover.period.ends
    }

    fn renewal(_: &CreditApplication) -> Option<&Renewal> {
        None
    }

    fn renewal_of_cover(_: &CreditCover) -> Option<&Renewal> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_sixteen_moves_four_exist() {
        use ProposalStatus::{Completed, Draft, Pending, Rejected};
        let allowed = [(Draft, Pending), (Draft, Rejected), (Pending, Completed), (Pending, Rejected)]; // D28
        for from in ProposalStatus::ALL {
            for to in ProposalStatus::ALL {
                assert_eq!(from.move_to(*to).is_ok(), allowed.contains(&(*from, *to)), "{from} to {to}");
            }
        }
    }
}
