//! Endorsement of a policy: what of it is changed after its sale, who asked and who confirmed it, and what that costs or gives
//! back (D89).

use crate::date::{BirthDate, Timestamp};
use crate::identifier::Identifier;
use crate::money::{Premium, Rupees};
use crate::person::{Address, Email, Name, Nominee, PersonalLine, Phone, PrintedLine, contact_identifiers};
use crate::premium::PaymentReference;
use crate::proposal::Actor;
use crate::refund::OwedRefund;
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

vocabulary! {
    /// Where an endorsement stands.
    EndorsementState, "one of REQUESTED, MADE, REFUSED" {
        /// Somebody is to confirm it, or its premium is to come. The policy is as it was.
        Requested = "REQUESTED",
        /// It is part of the policy.
        Made = "MADE",
        /// The policy stays as it was.
        Refused = "REFUSED",
    }
}

/// New ways to reach somebody. Whatever is `None` stays as it is; something is always there.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NewContact {
    /// Address.
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
        /// The name.
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
    /// Its kind.
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

    /// What the customer is known by through it.
    pub fn identifiers(&self) -> Vec<Identifier> {
        let EndorsementChange::Contact { contact, .. } = self else { return Vec::new() };
        contact_identifiers(contact.phone.as_ref().map(|phone| &phone.mobile), contact.email.as_ref())
    }
}

/// Cover and what it costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CoverTerms {
    /// Cover at the start.
    pub sum_insured: Rupees,
    /// What it costs.
    pub premium: Premium,
}

/// A payment of what an endorsement costs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChargePayment {
    /// What the payment is called where it was made, such as the bank's UTR.
    pub reference: PaymentReference,
    /// The day on which the insurer received it, in Asia/Kolkata.
    pub received_on: crate::date::Date,
}

/// An endorsement that somebody asked for. A policy keeps all of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endorsement {
    /// Its number among those of the policy, from 1 on.
    pub number: u16,
    /// What is changed.
    pub change: EndorsementChange,
    /// Who asked.
    pub asked_by: Actor,
    /// When.
    pub asked_at: Timestamp,
    /// Why, in the words of who asked.
    pub note: Option<PersonalLine>,
    /// Where it stands.
    pub state: EndorsementState,
    /// When it was made or refused.
    pub decided_at: Option<Timestamp>,
    /// Who made or refused it.
    pub decided_by: Option<Actor>,
    /// Why it was refused, in the words of who did.
    pub reason: Option<PersonalLine>,
    /// The policy before it.
    pub before: CoverTerms,
    /// The policy after it.
    pub after: CoverTerms,
    /// What is to be paid for it, before it is made. May be nought.
    pub charge: Premium,
    /// The payment of that.
    pub payment: Option<ChargePayment>,
    /// What the insurer owes to the insured once it is made.
    pub refund: Option<OwedRefund>,
}

impl Endorsement {
    /// Whether it is part of the policy.
    pub fn is_made(&self) -> bool {
        self.state == EndorsementState::Made
    }

    /// Whether somebody is to decide it.
    pub fn is_open(&self) -> bool {
        self.state == EndorsementState::Requested
    }

    /// What it adds to the premiums of the policy; below nought where it gives back.
    pub fn difference(&self) -> Premium {
        let back = self.refund.as_ref().map(|refund| refund.amount);
        let less = |of: fn(Premium) -> Rupees| of(self.charge) - back.map_or(Rupees::ZERO, of);
        // One of the two is nought, so that neither part is more than an amount that could be counted.
        Premium::of_parts(less(Premium::base), less(Premium::gst)).unwrap_or(self.charge)
    }

    /// Refuses it.
    pub fn refuse(&mut self, by: Actor, at: Timestamp, reason: Option<PersonalLine>) {
        self.state = EndorsementState::Refused;
        (self.decided_by, self.decided_at, self.reason) = (Some(by), Some(at), reason);
    }
}
