//! Health proposals from the journey (interface §10, §11, States).
//!
//! This module has a customer's answers, and all allowed status changes of a proposal.

use crate::bank::BankAccount;
use crate::date::{BirthDate, Date, Timestamp};
use crate::endorsement_change::{EndorsementChange, NewContact};
use crate::health_quote::{Age, Attribution, Customer, HealthRequest, Member, PlanType, Porting, Relation};
use crate::id::{QuoteId, VariantId};
use crate::identifier::Identifier;
use crate::language::Language;
use crate::line::{Line, LineOfBusiness, ProposalState, QuotedVariant};
use crate::money::Rupees;
use crate::party::{Party, PartyRole};
use crate::person::{
    Address, Email, FormResponses, HomePincode, Mobile, Nominee, PersonalLine, Pincode, contact_identifiers,
};
use crate::proposal::{Proposal, RefusedMove};
use crate::quote::CatalogueHash;
use crate::renewal::Renewal;
use crate::text::vocabulary;

/// Retail health, sold on the hosted journey.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Health;

pub type HealthProposal = Proposal<Health>;

vocabulary! {
    /// Status of a health proposal (interface, States).
    HealthProposalStatus, "one of INITIATED, PENDING, SUBMITTED, UNDERWRITING, CANCELLED, ACCEPTED, REJECTED, OFFLINE" {
        /// Received by this service.
        Initiated = "INITIATED",
        /// Passed this service's own checks; waits to be sent to the insurer.
        Pending = "PENDING",
        /// Sent to the insurer.
        Submitted = "SUBMITTED",
        /// The insurer is assessing the proposal.
        Underwriting = "UNDERWRITING",
        /// Failed this service's own checks. Final.
        Cancelled = "CANCELLED",
        /// The insurer accepted the proposal, and a policy exists. Final.
        Accepted = "ACCEPTED",
        /// The insurer refused the proposal. Final.
        Rejected = "REJECTED",
        /// Continues outside this service until the operator enters the outcome.
        Offline = "OFFLINE",
    }
}

impl ProposalState for HealthProposalStatus {
    const ALL: &'static [Self] = HealthProposalStatus::ALL;
    const ISSUED: Self = HealthProposalStatus::Accepted;
    const REJECTED: Self = HealthProposalStatus::Rejected;

    fn word(self) -> &'static str {
        HealthProposalStatus::word(self)
    }

    /// All allowed status changes. Any other change is refused.
    fn move_to(self, next: Self) -> Result<Self, RefusedMove> {
        use HealthProposalStatus::{
            Accepted, Cancelled, Initiated, Offline, Pending, Rejected, Submitted, Underwriting,
        };
        match (self, next) {
            (Initiated, Pending | Cancelled)
            | (Pending, Submitted | Offline)
            | (Submitted | Offline, Underwriting)
            | (Underwriting, Accepted | Rejected) => Ok(next),
            (
                Initiated | Pending | Submitted | Underwriting | Cancelled | Accepted | Rejected | Offline,
                _,
            ) => Err(RefusedMove::between(self, next)),
        }
    }

    fn way_to(self, decision: Self) -> Option<Vec<Self>> {
        use HealthProposalStatus::{
            Accepted, Cancelled, Initiated, Offline, Pending, Rejected, Submitted, Underwriting,
        };
        let before: &[Self] = match self {
            Pending => &[Submitted, Underwriting],
            Submitted | Offline => &[Underwriting],
            Underwriting => &[],
            Initiated | Cancelled | Accepted | Rejected => return None,
        };
        matches!(decision, Accepted | Rejected).then(|| before.iter().copied().chain([decision]).collect())
    }

    fn is_unsubmitted(self) -> bool {
        self == HealthProposalStatus::Initiated
    }

    /// `OFFLINE` is not included, because the operator decides such a proposal, not the insurer.
    fn is_undecided(self) -> bool {
        use HealthProposalStatus::{Pending, Submitted, Underwriting};
        matches!(self, Pending | Submitted | Underwriting)
    }

    fn is_final(self) -> bool {
        use HealthProposalStatus::{Accepted, Cancelled, Rejected};
        matches!(self, Cancelled | Accepted | Rejected)
    }
}

impl HealthProposalStatus {
    /// Whether a proposal in this state blocks another proposal for the same quote and variant. Only rejected
    /// and cancelled proposals do not block (interface, States).
    pub const fn is_active(self) -> bool {
        !matches!(self, HealthProposalStatus::Rejected | HealthProposalStatus::Cancelled)
    }
}

/// Postal address in health proposals and policies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HomeAddress {
    /// House and street.
    pub line_1: PersonalLine,
    /// Locality.
    pub line_2: Option<PersonalLine>,
    pub city: PersonalLine,
    pub state: PersonalLine,
    pub country: PersonalLine,
    /// Postal code.
    pub pincode: Pincode,
}

impl HomeAddress {
    /// The address without its country, on one line, in plain text.
    pub fn in_one_line(&self) -> String {
        let lines = [Some(&self.line_1), self.line_2.as_ref(), Some(&self.city), Some(&self.state)];
        let lines: Vec<&str> = lines.into_iter().flatten().map(PersonalLine::reveal).collect();
        format!("{} {}", lines.join(", "), self.pincode.reveal())
    }
}

/// Person who applies for the policy and pays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HealthProposer {
    pub name: PersonalLine,
    pub phone: Mobile,
    pub born: BirthDate,
    /// E-mail address. The journey always asks for the address, but an imported record may lack it.
    pub email: Option<Email>,
    pub address: HomeAddress,
    /// Bank account for refunds.
    pub bank: Option<BankAccount>,
}

/// People of a health application or policy. Only the proposer and the nominees have contacts.
pub(crate) fn parties(
    proposer: &HealthProposer,
    members: &[InsuredMember],
    nominees: &[HealthNominee],
) -> Vec<Party> {
    let own = relationship_word(Relation::Own);
    let insured = (1..).zip(members).map(|(number, member)| {
        let identifiers = if member.relationship == own { proposer.identifiers() } else { Vec::new() };
        let party = Party::new(PartyRole::Insured, member.name.clone(), Some(member.born), identifiers);
        Party { member: Some(number), ..party }
    });
    let nominees = nominees.iter().map(|nominee| {
        let contact = contact_identifiers(nominee.phone.as_ref(), None);
        Party::new(PartyRole::Nominee, nominee.name.clone(), None, contact)
    });
    let (name, born) = (proposer.name.clone(), Some(proposer.born));
    let proposer = [Party::new(PartyRole::Proposer, name, born, proposer.identifiers())];
    proposer.into_iter().chain(insured).chain(nominees).collect()
}

impl HealthProposer {
    /// Mobile number and e-mail address as search keys.
    pub fn identifiers(&self) -> Vec<Identifier> {
        contact_identifiers(Some(&self.phone), self.email.as_ref())
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InsuredMember {
    pub name: PersonalLine,
    pub born: BirthDate,
    /// Gender, in the person's own words.
    pub gender: PersonalLine,
    /// Relation to the proposer: `SELF`, `SPOUSE` …
    pub relationship: PersonalLine,
    /// Pre-existing diseases, as catalogue ids or as text of an imported record.
    pub illnesses: Vec<PersonalLine>,
}

/// Nominee: person who is paid if the proposer cannot be paid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HealthNominee {
    pub name: PersonalLine,
    /// Relation to the proposer.
    pub relationship: PersonalLine,
    pub phone: Option<Mobile>,
}

vocabulary! {
    /// Purpose for which a customer is asked for consent.
    ConsentPurpose, "one of declaration, insurer, messages" {
        /// The answers are true and complete. Required.
        Declaration = "declaration",
        /// The answers may be sent to the insurer. Required.
        Insurer = "insurer",
        /// Messages about the policy may come by SMS or WhatsApp. Optional.
        Messages = "messages",
    }
}

impl ConsentPurpose {
    /// Whether a proposal needs this consent.
    pub const fn is_needed(self) -> bool {
        matches!(self, ConsentPurpose::Declaration | ConsentPurpose::Insurer)
    }
}

/// Customer's answer to one request for consent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Consent {
    pub purpose: ConsentPurpose,
    /// Whether the customer gave the consent.
    pub given: bool,
    /// SHA-256 of the text shown to the customer.
    pub text_hash: [u8; 32],
    /// Time of the customer's answer.
    pub at: Timestamp,
    /// Text shown to the customer.
    pub text: Option<String>,
    /// Language of the text.
    pub language: Option<Language>,
}

/// All answers of a customer on the journey.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HealthForm {
    pub proposer: HealthProposer,
    /// Gender of the proposer, in the person's own words.
    pub gender: PersonalLine,
    /// Insured people, in the order of the quote's members.
    pub members: Vec<InsuredMember>,
    /// Nominee: person who is paid if the proposer cannot be paid.
    pub nominee: HealthNominee,
}

/// Family member as entered on the journey, before the page that asks for names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FamilyMember {
    pub member: Member,
    /// Catalogue ids of the person's illnesses.
    pub illnesses: Vec<String>,
}

/// A family relation in capitals, as responses show it.
pub fn relationship_word(relation: Relation) -> PersonalLine {
    PersonalLine::kept(relation.word().to_uppercase())
}

/// Chosen variant of a quote, with the terms of the policy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chosen {
    pub quote: QuoteId,
    pub variant: VariantId,
    /// Hash of the catalogue version whose names and texts apply.
    pub catalogue: CatalogueHash,
    pub plan: PlanType,
    pub sum_insured: Rupees,
    /// Deductible per year. Zero if there is none.
    pub deductible: Rupees,
    /// Customer's share of each claim, in percent.
    pub copay_percent: u8,
    /// Policy that the customer moves from another insurer, if any.
    pub porting: Option<Porting>,
    /// Policy that the new policy will renew, if any.
    pub renewal: Option<Renewal>,
}

/// Plan of an imported record. The catalogues of this service do not have such a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedPlan {
    /// Insurer id as in the imported record.
    pub insurer_id: String,
    pub insurer_name: String,
    /// URL of the insurer's logo. May be empty.
    pub insurer_logo: String,
    pub product_id: String,
    pub product_name: String,
    pub variant_id: String,
    pub variant_name: String,
}

/// Copy of the quote's facts about the family, so that the proposal can be decided without the quote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuotedFamily {
    /// When the quote was made.
    pub at: Timestamp,
    /// Pincode of the family's home.
    pub pincode: HomePincode,
    /// Family members for whom the quote was priced.
    pub members: Vec<Member>,
    /// Whether any member has a pre-existing disease.
    pub has_ped: bool,
    /// Pre-existing diseases, as catalogue ids.
    pub illnesses: Vec<String>,
}

/// Data that only a proposal from the journey has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JourneyProposal {
    pub quoted: QuotedFamily,
    pub chosen: Chosen,
    /// Customer's answers.
    pub form: HealthForm,
    /// Customer's answers to the requests for consent.
    pub consents: Vec<Consent>,
}

impl JourneyProposal {
    /// First day of cover if the policy is issued on `issued`.
    pub fn starts(&self, issued: Date) -> Date {
        self.chosen.renewal.as_ref().map_or(issued, |renewal| renewal.starts(issued))
    }

    /// Quote request for the same plan and people, with their ages on `day`. `None` if an age is not allowed
    /// in a quote.
    pub fn request_on(&self, day: Date) -> Option<HealthRequest> {
        let people = self.quoted.members.iter().zip(&self.form.members);
        let aged = people.map(|(quoted, insured)| {
            Some(Member { relation: quoted.relation, age: Age::on(insured.born, day)? })
        });
        let (quoted, chosen) = (&self.quoted, &self.chosen);
        let pincode = quoted.pincode.clone();
        Some(HealthRequest {
            lead: None,
            user: None,
            session: None,
            customer: Customer { name: None, gender: None, phone: None, pincode, email: None },
            members: aged.collect::<Option<_>>()?,
            has_ped: quoted.has_ped,
            selected_peds: quoted.illnesses.clone(),
            plan: chosen.plan,
            sum_insured: chosen.sum_insured,
            deductible: (chosen.deductible > Rupees::ZERO).then_some(chosen.deductible),
            porting: chosen.porting,
            attribution: Attribution::default(),
            covered_since: chosen.renewal.as_ref().map(|renewal| renewal.covered_since),
        })
    }
}

/// Data that only an imported proposal has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedProposal {
    /// Names and ids of insurer, product and variant.
    pub plan: NamedPlan,
    pub name: PersonalLine,
    pub phone: Mobile,
    pub email: Email,
    /// Quote id as in the imported record.
    pub quote_id: String,
    /// Form answers of the imported record, by section.
    pub form_responses: FormResponses,
}

/// Whether a proposal comes from the journey or from an import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProposalOrigin {
    Journey(Box<JourneyProposal>),
    /// Imported by the operator.
    Import(Box<ImportedProposal>),
}

/// Health part of a proposal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HealthApplication {
    /// Length of the cover in years.
    pub tenure: u8,
    /// Data that depends on whether the proposal comes from the journey or from an import.
    pub origin: ProposalOrigin,
}

impl HealthApplication {
    /// Data that only a proposal from the journey has. `None` for an imported proposal.
    pub fn journey(&self) -> Option<&JourneyProposal> {
        match &self.origin {
            ProposalOrigin::Journey(made) => Some(made),
            ProposalOrigin::Import(_) => None,
        }
    }
}

impl HealthNominee {
    /// Converts an endorsement's nominee to the form of health policies.
    pub(crate) fn of(nominee: &Nominee) -> Self {
        HealthNominee {
            name: nominee.name.full(),
            relationship: PersonalLine::kept(nominee.relationship.word().to_owned()),
            phone: nominee.phone.as_ref().map(|phone| phone.mobile.clone()),
        }
    }
}

impl HomeAddress {
    /// Converts an endorsement's address to the form of health policies.
    fn of(address: &Address) -> Self {
        let lines = [Some(&address.line_2), address.line_3.as_ref()];
        let lines: Vec<&str> = lines.into_iter().flatten().map(PersonalLine::reveal).collect();
        HomeAddress {
            line_1: address.line_1.clone(),
            line_2: Some(PersonalLine::kept(lines.join(", "))),
            city: address.city.clone(),
            state: address.state.clone(),
            country: address.country.clone(),
            pincode: address.pincode.clone(),
        }
    }
}

/// Applies an endorsement to the family. If the member is the proposer, the proposer changes too.
pub(crate) fn endorse_people(
    change: &EndorsementChange,
    proposer: &mut HealthProposer,
    members: &mut [InsuredMember],
) {
    let member = change.member().and_then(|number| members.get_mut(usize::from(number).wrapping_sub(1)));
    let is_proposer = |member: &InsuredMember| member.relationship == relationship_word(Relation::Own);
    match change {
        EndorsementChange::Contact { contact, .. } => {
            let NewContact { address, phone, email } = contact.as_ref();
            proposer.address = address.as_ref().map_or_else(|| proposer.address.clone(), HomeAddress::of);
            proposer.phone = phone.as_ref().map_or(&proposer.phone, |phone| &phone.mobile).clone();
            proposer.email = email.as_ref().or(proposer.email.as_ref()).cloned();
        }
        EndorsementChange::Name { name, .. } => {
            let Some(member) = member else { return };
            member.name = name.full();
            if is_proposer(member) {
                proposer.name = name.full();
            }
        }
        EndorsementChange::DateOfBirth { born, .. } => {
            let Some(member) = member else { return };
            member.born = *born;
            if is_proposer(member) {
                proposer.born = *born;
            }
        }
        EndorsementChange::Nominees(_)
        | EndorsementChange::LoanAccount(_)
        | EndorsementChange::Assignment(_)
        | EndorsementChange::CoverReduction(_) => {}
    }
}

impl Line for Health {
    const LINE: LineOfBusiness = LineOfBusiness::Health;
    type Status = HealthProposalStatus;
    type Application = HealthApplication;

    fn quoted(application: &HealthApplication) -> QuotedVariant<'_> {
        match &application.origin {
            ProposalOrigin::Journey(made) => QuotedVariant::Here(made.chosen.quote, made.chosen.variant),
            ProposalOrigin::Import(record) => {
                QuotedVariant::Elsewhere { quote: &record.quote_id, variant: &record.plan.variant_id }
            }
        }
    }

    fn endorse(application: &mut HealthApplication, change: &EndorsementChange) {
        let ProposalOrigin::Journey(made) = &mut application.origin else { return };
        let HealthForm { proposer, members, nominee, .. } = &mut made.form;
        endorse_people(change, proposer, members);
        if let EndorsementChange::Nominees(nominees) = change
            && let Some(first) = nominees.first()
        {
            *nominee = HealthNominee::of(first);
        }
    }

    fn parties(application: &HealthApplication) -> Vec<Party> {
        match &application.origin {
            ProposalOrigin::Journey(made) => {
                let HealthForm { proposer, members, nominee, .. } = &made.form;
                parties(proposer, members, std::slice::from_ref(nominee))
            }
            ProposalOrigin::Import(record) => {
                let contact = contact_identifiers(Some(&record.phone), Some(&record.email));
                vec![Party::new(PartyRole::Proposer, record.name.clone(), None, contact)]
            }
        }
    }

    fn renewal(application: &HealthApplication) -> Option<&Renewal> {
        application.journey()?.chosen.renewal.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_8_of_the_64_status_changes_of_a_health_proposal_are_allowed() {
        use HealthProposalStatus::{
            Accepted, Cancelled, Initiated, Offline, Pending, Rejected, Submitted, Underwriting,
        };
        let allowed = [
            (Initiated, Pending),
            (Initiated, Cancelled),
            (Pending, Submitted),
            (Pending, Offline),
            (Submitted, Underwriting),
            (Offline, Underwriting),
            (Underwriting, Accepted),
            (Underwriting, Rejected),
        ];
        for from in HealthProposalStatus::ALL {
            for to in HealthProposalStatus::ALL {
                assert_eq!(from.move_to(*to).is_ok(), allowed.contains(&(*from, *to)), "{from} to {to}");
            }
        }
    }

    #[test]
    fn the_path_from_a_status_to_a_decision_consists_of_allowed_moves() {
        use HealthProposalStatus::{Accepted, Rejected};
        for from in HealthProposalStatus::ALL {
            for decision in HealthProposalStatus::ALL {
                let Some(way) = from.way_to(*decision) else { continue };
                assert!(matches!(decision, Accepted | Rejected));
                let end = way.iter().try_fold(*from, |at, next| at.move_to(*next));
                assert_eq!(end, Ok(*decision), "{from} to {decision}");
            }
            let undecided = !from.is_final() && *from != HealthProposalStatus::Initiated;
            assert_eq!(from.way_to(Accepted).is_some(), undecided, "{from}");
        }
    }

    #[test]
    fn only_cancelled_and_rejected_health_proposals_are_inactive() {
        let inactive: Vec<_> =
            HealthProposalStatus::ALL.iter().filter(|status| !status.is_active()).collect();
        assert_eq!(inactive, [&HealthProposalStatus::Cancelled, &HealthProposalStatus::Rejected]);
    }
}
