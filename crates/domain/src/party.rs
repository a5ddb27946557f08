//! People in a record, with their roles.

use crate::date::BirthDate;
use crate::identifier::{Identifier, IdentifierKind};
use crate::person::{
    Appointee, Document, Nominee, Person, PersonalLine, Phone, Title, contact_identifiers, pan_of,
};
use crate::text::{folded, vocabulary};

vocabulary! {
    /// Role of a person in a record.
    PartyRole, "one of customer, proposer, insured, nominee, appointee, claimant, complainant" {
        /// Asked for a health quote, or fills in an application.
        Customer = "customer",
        /// Applies for the cover, or is the policyholder.
        Proposer = "proposer",
        Insured = "insured",
        Nominee = "nominee",
        /// Receives the money of a minor nominee.
        Appointee = "appointee",
        /// Reported a claim.
        Claimant = "claimant",
        Complainant = "complainant",
    }
}

/// Person in a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Party {
    pub role: PartyRole,
    /// Full name.
    pub name: PersonalLine,
    /// Title before the name, if the record has it.
    pub title: Option<Title>,
    pub born: Option<BirthDate>,
    /// Mobile number, e-mail address and PAN as search keys.
    pub identifiers: Vec<Identifier>,
    /// Number of the insured member, from 1.
    pub member: Option<u16>,
}

impl Party {
    /// Person of whom a record has only name, birth date and contact.
    pub fn new(
        role: PartyRole,
        name: PersonalLine,
        born: Option<BirthDate>,
        identifiers: Vec<Identifier>,
    ) -> Self {
        Party { role, name, title: None, born, identifiers, member: None }
    }

    /// Proposer or insured member of a credit-protection proposal.
    pub fn of_person(role: PartyRole, person: &Person, member: Option<u16>) -> Self {
        let (name, title) = (person.name.full(), Some(person.name.title));
        Party { role, name, title, born: Some(person.born), identifiers: person.identifiers(), member }
    }

    /// A nominee, and the appointee of a minor.
    pub fn of_nominee(nominee: &Nominee) -> Vec<Self> {
        let named = |phone: &Option<Phone>, documents: &[Document]| {
            let pan = pan_of(documents).map(|pan| Identifier::of(IdentifierKind::Pan, pan));
            contact_identifiers(phone.as_ref().map(|phone| &phone.mobile), None)
                .into_iter()
                .chain(pan)
                .collect()
        };
        let Nominee { name, born, phone, documents, appointee, .. } = nominee;
        let appointee = appointee.as_ref().map(|Appointee { name, born, phone, documents, .. }| {
            Party::new(PartyRole::Appointee, name.full(), Some(*born), named(phone, documents))
        });
        let nominee = Party::new(PartyRole::Nominee, name.full(), Some(*born), named(phone, documents));
        [nominee].into_iter().chain(appointee).collect()
    }

    /// Whether two parties are the same person: the same PAN, or the same name and date of birth. Without a date of
    /// birth, the name alone counts.
    pub fn is_same_as(&self, other: &Party) -> bool {
        let pan = |party: &Party| party.identifiers.iter().find(|by| by.kind == IdentifierKind::Pan).cloned();
        let born = self.born.zip(other.born).is_none_or(|(own, other)| own == other);
        pan(self).is_some_and(|own| pan(other) == Some(own)) || born && self.folded() == other.folded()
    }

    /// First and last word of the name, in the form in which names are compared. Forms differ in middle names.
    pub fn folded(&self) -> String {
        let name = folded(self.name.reveal());
        let words: Vec<&str> = name.split(' ').collect();
        match words[..] {
            [first, .., last] => format!("{first} {last}"),
            _ => name,
        }
    }
}
