//! Changes that an endorsement can make to a policy (D89).

use crate::date::BirthDate;
use crate::identifier::{Identifier, Reference};
use crate::money::Rupees;
use crate::party::Party;
use crate::person::{Address, Email, Name, Nominee, Phone, PrintedLine, contact_identifiers};
use crate::text::vocabulary;

vocabulary! {
    /// Kind of change that an endorsement makes.
    EndorsementKind, "one of NOMINEE, CONTACT, NAME, DATE_OF_BIRTH, LOAN_ACCOUNT, ASSIGNMENT, COVER_REDUCTION" {
        /// Who receives the sum insured.
        Nominee = "NOMINEE",
        /// Address, mobile number or e-mail address.
        Contact = "CONTACT",
        /// Spelling of a name.
        Name = "NAME",
        /// Date of birth. The premium is recalculated with the rates of the sale.
        DateOfBirth = "DATE_OF_BIRTH",
        /// Loan account number.
        LoanAccount = "LOAN_ACCOUNT",
        /// Assignment of the policy to a lender.
        Assignment = "ASSIGNMENT",
        /// Lower cover. The premium is recalculated with the rates of the sale.
        CoverReduction = "COVER_REDUCTION",
    }
}

impl EndorsementKind {
    /// Whether a change of this kind makes the service recalculate the premium.
    pub const fn is_priced(self) -> bool {
        matches!(self, EndorsementKind::DateOfBirth | EndorsementKind::CoverReduction)
    }
}

/// New contact details. `None` leaves a detail unchanged; at least one is `Some`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NewContact {
    pub address: Option<Address>,
    pub phone: Option<Phone>,
    pub email: Option<Email>,
}

/// Change that an endorsement makes, with the new values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EndorsementChange {
    /// New nominees, who replace all earlier ones.
    Nominees(Vec<Nominee>),
    /// New contact details of a member; in a health policy, of the proposer.
    Contact {
        /// Member number, from 1.
        member: u16,
        contact: Box<NewContact>,
    },
    /// Corrected name of a member.
    Name {
        /// Member number, from 1.
        member: u16,
        name: Box<Name>,
    },
    /// Corrected date of birth of a member.
    DateOfBirth {
        /// Member number, from 1.
        member: u16,
        born: BirthDate,
    },
    /// New loan account number.
    LoanAccount(PrintedLine),
    /// Name of the lender to which the policy is assigned. The lender is paid first.
    Assignment(PrintedLine),
    /// New, lower sum insured at the start of cover.
    CoverReduction(Rupees),
}

impl EndorsementChange {
    pub const fn kind(&self) -> EndorsementKind {
        match self {
            EndorsementChange::Nominees(_) => EndorsementKind::Nominee,
            EndorsementChange::Contact { .. } => EndorsementKind::Contact,
            EndorsementChange::Name { .. } => EndorsementKind::Name,
            EndorsementChange::DateOfBirth { .. } => EndorsementKind::DateOfBirth,
            EndorsementChange::LoanAccount(_) => EndorsementKind::LoanAccount,
            EndorsementChange::Assignment(_) => EndorsementKind::Assignment,
            EndorsementChange::CoverReduction(_) => EndorsementKind::CoverReduction,
        }
    }

    /// Number of the member whom the change concerns, from 1. `None` if the change concerns the whole policy.
    pub const fn member(&self) -> Option<u16> {
        match self {
            EndorsementChange::Contact { member, .. }
            | EndorsementChange::Name { member, .. }
            | EndorsementChange::DateOfBirth { member, .. } => Some(*member),
            EndorsementChange::Nominees(_)
            | EndorsementChange::LoanAccount(_)
            | EndorsementChange::Assignment(_)
            | EndorsementChange::CoverReduction(_) => None,
        }
    }

    /// The same change for another member. A change of the whole policy stays the same.
    #[must_use]
    pub fn of_member(mut self, number: u16) -> Self {
        if let EndorsementChange::Contact { member, .. }
        | EndorsementChange::Name { member, .. }
        | EndorsementChange::DateOfBirth { member, .. } = &mut self
        {
            *member = number;
        }
        self
    }

    /// The new loan account number, as a partner's reference for a sale. `None` for other kinds of change.
    pub fn loan_account(&self) -> Option<Reference> {
        match self {
            EndorsementChange::LoanAccount(number) => Reference::of(number.reveal()),
            _ => None,
        }
    }

    /// Search keys of the people whom the change names: a new contact, or new nominees.
    pub fn identifiers(&self) -> Vec<Identifier> {
        match self {
            EndorsementChange::Contact { contact, .. } => {
                contact_identifiers(contact.phone.as_ref().map(|phone| &phone.mobile), contact.email.as_ref())
            }
            EndorsementChange::Nominees(nominees) => {
                nominees.iter().flat_map(Party::of_nominee).flat_map(|party| party.identifiers).collect()
            }
            _ => Vec::new(),
        }
    }
}
