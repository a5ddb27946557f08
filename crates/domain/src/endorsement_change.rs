//! What of a policy an endorsement changes, and to what (D89).

use crate::date::BirthDate;
use crate::identifier::{Identifier, Reference};
use crate::money::Rupees;
use crate::person::{Address, Email, Name, Nominee, Phone, PrintedLine, contact_identifiers};
use crate::text::vocabulary;

vocabulary! {
    /// What of a policy is changed.
    EndorsementKind, "one of NOMINEE, CONTACT, NAME, DATE_OF_BIRTH, LOAN_ACCOUNT, ASSIGNMENT, COVER_REDUCTION" {
        /// Who is paid.
        Nominee = "NOMINEE",
        /// Address, mobile number or e-mail address.
        Contact = "CONTACT",
        /// How a name is written.
        Name = "NAME",
        /// A day of birth: the premium is found again by the rates of the sale.
        DateOfBirth = "DATE_OF_BIRTH",
        /// The number of the loan's account.
        LoanAccount = "LOAN_ACCOUNT",
        /// To whom the policy is assigned.
        Assignment = "ASSIGNMENT",
        /// Cover falls: the premium is found again by the rates of the sale.
        CoverReduction = "COVER_REDUCTION",
    }
}

impl EndorsementKind {
    /// Whether the premium is found again.
    pub const fn is_priced(self) -> bool {
        matches!(self, EndorsementKind::DateOfBirth | EndorsementKind::CoverReduction)
    }
}

/// New ways to reach somebody. Whatever is `None` stays as it is; something is always there.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NewContact {
    pub address: Option<Address>,
    /// Mobile number.
    pub phone: Option<Phone>,
    /// E-mail address.
    pub email: Option<Email>,
}

/// What is changed, and to what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EndorsementChange {
    /// These are paid, in place of those before.
    Nominees(Vec<Nominee>),
    /// A member is reached otherwise; of health, the proposer.
    Contact {
        /// The member's number, from 1 on.
        member: u16,
        /// How.
        contact: Box<NewContact>,
    },
    /// A member's name is written otherwise.
    Name {
        /// The member's number, from 1 on.
        member: u16,
        name: Box<Name>,
    },
    /// A member was born on another day.
    DateOfBirth {
        /// The member's number, from 1 on.
        member: u16,
        /// The day.
        born: BirthDate,
    },
    /// The loan has another account.
    LoanAccount(PrintedLine),
    /// The policy is assigned to a lender, who is paid first.
    Assignment(PrintedLine),
    /// Cover at the start falls to this.
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

    /// The number of the member whom it is about, from 1 on. `None`: it is about the policy.
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

    /// The same change for another member. A change of the whole policy stays as it is.
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

    /// The new account of the loan, as partners name sales by it. `None` for other changes.
    pub fn loan_account(&self) -> Option<Reference> {
        match self {
            EndorsementChange::LoanAccount(number) => Reference::of(number.reveal()),
            _ => None,
        }
    }

    /// What the customer is known by through it.
    pub fn identifiers(&self) -> Vec<Identifier> {
        let EndorsementChange::Contact { contact, .. } = self else { return Vec::new() };
        contact_identifiers(contact.phone.as_ref().map(|phone| &phone.mobile), contact.email.as_ref())
    }
}
