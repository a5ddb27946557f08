//! The health proposal: what a customer fills in on the journey, and every move that its status can make
//! (interface §10, §11, States).

use crate::bank::BankAccount;
use crate::date::{BirthDate, Date, Timestamp};
use crate::endorsement_change::{EndorsementChange, NewContact};
use crate::health_policy::HealthCover;
use crate::health_quote::{Age, Attribution, Customer, HealthRequest, Member, PlanType, Porting, Relation};
use crate::id::{QuoteId, VariantId};
use crate::identifier::Identifier;
use crate::language::Language;
use crate::line::{Line, LineOfBusiness, ProposalState, QuotedVariant};
use crate::money::Rupees;
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
    /// Where a health proposal stands (interface, States).
    HealthProposalStatus, "one of INITIATED, PENDING, SUBMITTED, UNDERWRITING, CANCELLED, ACCEPTED, REJECTED, OFFLINE" {
        /// Submitted to us.
        Initiated = "INITIATED",
        /// Passed our own checks, waits to be handed to the insurer.
        Pending = "PENDING",
        /// Handed to the insurer.
        Submitted = "SUBMITTED",
        /// The insurer looks at it.
        Underwriting = "UNDERWRITING",
        /// Failed our own checks. Final.
        Cancelled = "CANCELLED",
        /// The insurer accepts: there is a policy. Final.
        Accepted = "ACCEPTED",
        /// The insurer refuses. Final.
        Rejected = "REJECTED",
        /// Goes on outside of this service, until the operator tells what came of it.
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

    /// Every single move that there is.
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

    /// `OFFLINE` is not: the operator decides it, not the insurer.
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
    /// Whether no other proposal for the same quote and variant may be made beside it: it has not come to nothing
    /// (interface, States).
    pub const fn is_active(self) -> bool {
        !matches!(self, HealthProposalStatus::Rejected | HealthProposalStatus::Cancelled)
    }
}

/// A postal address as health proposals and policies show it.
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
    /// All of it but the country, in one line, for those who must have it.
    pub fn in_one_line(&self) -> String {
        let lines = [Some(&self.line_1), self.line_2.as_ref(), Some(&self.city), Some(&self.state)];
        let lines: Vec<&str> = lines.into_iter().flatten().map(PersonalLine::reveal).collect();
        format!("{} {}", lines.join(", "), self.pincode.reveal())
    }
}

/// Who proposes, and pays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HealthProposer {
    /// Full name.
    pub name: PersonalLine,
    /// Mobile number.
    pub phone: Mobile,
    /// Day of birth.
    pub born: BirthDate,
    /// E-mail address; the journey always asks for it.
    pub email: Option<Email>,
    pub address: HomeAddress,
    /// Account for refunds.
    pub bank: Option<BankAccount>,
}

impl HealthProposer {
    /// What the proposer is known by.
    pub fn identifiers(&self) -> Vec<Identifier> {
        contact_identifiers(Some(&self.phone), self.email.as_ref())
    }
}

/// A person who is insured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InsuredMember {
    /// Full name.
    pub name: PersonalLine,
    /// Day of birth.
    pub born: BirthDate,
    /// Gender, in the person's own words.
    pub gender: PersonalLine,
    /// What the person is to the proposer: `SELF`, `SPOUSE` …
    pub relationship: PersonalLine,
    /// Pre-existing diseases, by the catalogue's ids or in the words of an imported record.
    pub illnesses: Vec<PersonalLine>,
}

/// Who is paid when the proposer cannot be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HealthNominee {
    /// Full name.
    pub name: PersonalLine,
    /// What the nominee is to the proposer.
    pub relationship: PersonalLine,
    /// Mobile number, where known.
    pub phone: Option<Mobile>,
}

vocabulary! {
    /// What a customer is asked to agree to, each by itself.
    ConsentPurpose, "one of declaration, insurer, messages" {
        /// That what was answered is true and whole. Needed.
        Declaration = "declaration",
        /// That the answers are handed to the insurer. Needed.
        Insurer = "insurer",
        /// That messages about the policy may come by SMS or WhatsApp. Free.
        Messages = "messages",
    }
}

impl ConsentPurpose {
    /// Whether no proposal is made without it.
    pub const fn is_needed(self) -> bool {
        matches!(self, ConsentPurpose::Declaration | ConsentPurpose::Insurer)
    }
}

/// What a customer answered when asked to agree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Consent {
    /// To what.
    pub purpose: ConsentPurpose,
    /// Whether it was given.
    pub given: bool,
    /// SHA-256 of the text that was shown.
    pub text_hash: [u8; 32],
    /// When it was answered.
    pub at: Timestamp,
    /// The text itself, in the words that were shown.
    pub text: Option<String>,
    /// The language of the text.
    pub language: Option<Language>,
}

/// Everything that a customer filled in on the journey.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HealthForm {
    pub proposer: HealthProposer,
    /// Gender of the proposer, in the person's own words.
    pub gender: PersonalLine,
    /// Who is insured, in the order of the quote's members.
    pub members: Vec<InsuredMember>,
    /// Who is paid when the proposer cannot be.
    pub nominee: HealthNominee,
}

/// A person of the family as the journey knows it before names are asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FamilyMember {
    /// Relation and age.
    pub member: Member,
    /// Ids of the illnesses that the person has.
    pub illnesses: Vec<String>,
}

/// The word under which reads show a family member's relation.
pub fn relationship_word(relation: Relation) -> PersonalLine {
    PersonalLine::kept(relation.word().to_uppercase())
}

/// What of a quote was chosen, with the facts that hold for the policy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chosen {
    pub quote: QuoteId,
    pub variant: VariantId,
    /// The catalogue version whose names and texts hold.
    pub catalogue: CatalogueHash,
    /// Kind of cover.
    pub plan: PlanType,
    pub sum_insured: Rupees,
    /// Deductible in a year; zero for none.
    pub deductible: Rupees,
    /// Part of every claim that the customer bears, in percent.
    pub copay_percent: u8,
    /// A policy brought along from another insurer.
    pub porting: Option<Porting>,
    /// The policy that is renewed.
    pub renewal: Option<Renewal>,
}

/// Names of a plan that this service's catalogues do not have: an imported record brings them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedPlan {
    /// The insurer's id, in the words of the record.
    pub insurer_id: String,
    pub insurer_name: String,
    /// Address of its logo; may be empty.
    pub insurer_logo: String,
    pub product_id: String,
    pub product_name: String,
    pub variant_id: String,
    pub variant_name: String,
}

/// What a proposal keeps of its quote beside what was chosen of it, so that it can be decided without the quote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuotedFamily {
    /// When the quote was given.
    pub at: Timestamp,
    /// Where the family lives.
    pub pincode: HomePincode,
    /// Who was priced.
    pub members: Vec<Member>,
    /// Whether somebody has an illness.
    pub has_ped: bool,
    /// The illnesses, by the catalogue's ids.
    pub illnesses: Vec<String>,
}

/// What only a proposal made on the journey has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JourneyProposal {
    pub quoted: QuotedFamily,
    pub chosen: Chosen,
    /// What was filled in.
    pub form: HealthForm,
    /// What was agreed to.
    pub consents: Vec<Consent>,
}

impl JourneyProposal {
    /// First day of the cover of a policy that is issued for it on a day.
    pub fn starts(&self, issued: Date) -> Date {
        self.chosen.renewal.as_ref().map_or(issued, |renewal| renewal.starts(issued))
    }

    /// What would be quoted for it if cover started on a day: the same plan for the same people, with their ages of that
    /// day. `None` where somebody has no age that a quote could have.
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

/// What only an imported proposal has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedProposal {
    /// Insurer, product and variant.
    pub plan: NamedPlan,
    /// Proposer's name.
    pub name: PersonalLine,
    /// Proposer's phone.
    pub phone: Mobile,
    /// Proposer's e-mail.
    pub email: Email,
    /// The quote's id, in the words of the record.
    pub quote_id: String,
    /// Answers by section.
    pub form_responses: FormResponses,
}

/// Where a proposal comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProposalOrigin {
    /// The hosted journey.
    Journey(Box<JourneyProposal>),
    /// A book that the operator brought along.
    Import(Box<ImportedProposal>),
}

/// What a health proposal holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HealthApplication {
    /// Years of cover.
    pub tenure: u8,
    /// Where the proposal comes from, with all that depends on it.
    pub origin: ProposalOrigin,
}

impl HealthApplication {
    /// What the journey knows of it. `None` for an imported one.
    pub fn journey(&self) -> Option<&JourneyProposal> {
        match &self.origin {
            ProposalOrigin::Journey(made) => Some(made),
            ProposalOrigin::Import(_) => None,
        }
    }
}

impl HealthNominee {
    /// A nominee of an endorsement, as health policies have them.
    fn of(nominee: &Nominee) -> Self {
        HealthNominee {
            name: nominee.name.full(),
            relationship: PersonalLine::kept(nominee.relationship.word().to_owned()),
            phone: nominee.phone.as_ref().map(|phone| phone.mobile.clone()),
        }
    }
}

impl HomeAddress {
    /// An address of an endorsement, as health policies have them.
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

/// Changes the people of a family as an endorsement says. The proposer changes with the member who is the same person.
fn endorse_people(change: &EndorsementChange, proposer: &mut HealthProposer, members: &mut [InsuredMember]) {
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
    type Cover = HealthCover;

    fn quoted(application: &HealthApplication) -> QuotedVariant<'_> {
        match &application.origin {
            ProposalOrigin::Journey(made) => QuotedVariant::Here(made.chosen.quote, made.chosen.variant),
            ProposalOrigin::Import(record) => {
                QuotedVariant::Elsewhere { quote: &record.quote_id, variant: &record.plan.variant_id }
            }
        }
    }

    fn cover(proposal: &Proposal<Self>, issued: Date, settlement: String) -> Option<(Rupees, HealthCover)> {
        HealthCover::of(&proposal.application, issued, settlement)
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

    fn endorse_cover(cover: &mut HealthCover, change: &EndorsementChange) {
        endorse_people(change, &mut cover.proposer, &mut cover.members);
        if let EndorsementChange::Nominees(nominees) = change {
            cover.nominees = nominees.iter().map(HealthNominee::of).collect();
        }
    }

    fn identifiers(application: &HealthApplication) -> Vec<Identifier> {
        match &application.origin {
            ProposalOrigin::Journey(made) => made.form.proposer.identifiers(),
            ProposalOrigin::Import(record) => contact_identifiers(Some(&record.phone), Some(&record.email)),
        }
    }

    fn members_known_by(application: &HealthApplication, by: &Identifier) -> Vec<u16> {
        let Some(journey) = application.journey() else { return Vec::new() };
        if !journey.form.proposer.identifiers().contains(by) {
            return Vec::new();
        }
        let own = relationship_word(Relation::Own);
        let members = (1..).zip(&journey.form.members);
        // A proposer who is not insured is reached through any member.
        let number =
            members.clone().find(|(_, member)| member.relationship == own).or(members.clone().next());
        number.into_iter().map(|(number, _)| number).collect()
    }

    fn identifiers_of_holder(cover: &HealthCover) -> Vec<Identifier> {
        cover.proposer.identifiers()
    }

    fn settlement(cover: &HealthCover) -> Option<&str> {
        cover.issued().map(|issued| issued.settlement.as_str())
    }

    fn last_day(cover: &HealthCover) -> Date {
        cover.expires()
    }

    fn renewal(application: &HealthApplication) -> Option<&Renewal> {
        application.journey()?.chosen.renewal.as_ref()
    }

    fn renewal_of_cover(cover: &HealthCover) -> Option<&Renewal> {
        cover.issued()?.chosen.renewal.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_status_moves_only_where_the_table_says() {
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
    fn the_way_to_a_decision_is_made_of_single_moves() {
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
    fn only_what_came_to_nothing_makes_room_for_another_proposal() {
        let inactive: Vec<_> =
            HealthProposalStatus::ALL.iter().filter(|status| !status.is_active()).collect();
        assert_eq!(inactive, [&HealthProposalStatus::Cancelled, &HealthProposalStatus::Rejected]);
    }
}
