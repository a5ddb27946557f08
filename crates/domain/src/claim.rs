//! Claims from first notice to payment (D81 to D83).

use crate::bank::Ifsc;
use crate::date::{Date, Timestamp, day_of, days_later};
use crate::id::{ClaimDocumentId, ClaimId, PartnerId, PolicyId, SessionId};
use crate::identifier::{Identifier, Reference};
use crate::line::LineOfBusiness;
use crate::money::Rupees;
use crate::person::{Email, Mobile, PersonalLine, contact_identifiers};
use crate::premium::PaymentReference;
use crate::proposal::{Moving, RefusedMove};
use crate::text::{FromText, vocabulary};

vocabulary! {
    ClaimKind, "one of DEATH, DISABILITY, HOSPITALISATION, OTHER" {
        /// An insured person died.
        Death = "DEATH",
        /// An insured person became disabled.
        Disability = "DISABILITY",
        /// An insured person was treated in a hospital.
        Hospitalisation = "HOSPITALISATION",
        /// Any other loss that the policy covers.
        Other = "OTHER",
    }
}

vocabulary! {
    /// Status of a claim.
    ClaimState, "one of INTIMATED, UNDER_ASSESSMENT, UNDER_INVESTIGATION, APPROVED, PAID, REJECTED, REPUDIATED, WITHDRAWN" {
        /// The first notice of the loss was given.
        Intimated = "INTIMATED",
        /// The insurer is assessing the claim.
        UnderAssessment = "UNDER_ASSESSMENT",
        /// The insurer is investigating the claim.
        UnderInvestigation = "UNDER_INVESTIGATION",
        /// The insurer will pay the claim.
        Approved = "APPROVED",
        /// The insurer paid the claim. Final.
        Paid = "PAID",
        /// The policy does not cover this loss. Final.
        Rejected = "REJECTED",
        /// The insurer denies its liability, for example because a fact was not disclosed. Final.
        Repudiated = "REPUDIATED",
        /// The partner or operator withdrew the claim before payment. Final.
        Withdrawn = "WITHDRAWN",
    }
}

impl ClaimState {
    /// Validates one status change against the allowed transitions (D82).
    ///
    /// # Errors
    /// [`RefusedMove::NoSuchTransition`] if the change is not allowed. A change to the same status is never
    /// allowed.
    pub fn move_to(self, next: Self) -> Result<Self, RefusedMove> {
        use ClaimState::{
            Approved, Intimated, Paid, Rejected, Repudiated, UnderAssessment, UnderInvestigation, Withdrawn,
        };
        match (self, next) {
            (Intimated, UnderAssessment | Rejected | Withdrawn)
            | (UnderAssessment, UnderInvestigation | Approved | Rejected | Repudiated | Withdrawn)
            | (UnderInvestigation, Approved | Rejected | Repudiated | Withdrawn)
            | (Approved, Paid | Withdrawn) => Ok(next),
            (
                Intimated | UnderAssessment | UnderInvestigation | Approved | Paid | Rejected | Repudiated
                | Withdrawn,
                _,
            ) => Err(RefusedMove::NoSuchTransition { from: self.word(), to: next.word() }),
        }
    }

    /// Whether the claim is unfinished: not paid, rejected, repudiated or withdrawn.
    pub const fn is_open(self) -> bool {
        use ClaimState::{Paid, Rejected, Repudiated, Withdrawn};
        !matches!(self, Paid | Rejected | Repudiated | Withdrawn)
    }

    /// Whether a claim in this state counts if a rule asks whether there is a claim, and blocks another claim
    /// for the same loss. Rejected and withdrawn claims do not count (D114).
    pub const fn counts(self) -> bool {
        !matches!(self, ClaimState::Rejected | ClaimState::Withdrawn)
    }

    /// Whether documents can still be uploaded. An approved claim takes documents too, because payment may
    /// need missing ones.
    pub const fn takes_papers(self) -> bool {
        self.is_open()
    }
}

vocabulary! {
    /// What becomes of premium that was refunded for days after the event.
    RefundsAfter, "one of DEDUCT, KEEP" {
        /// The payment of the claim deducts the refund.
        Deduct = "DEDUCT",
        /// The claim is paid in full.
        Keep = "KEEP",
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claimant {
    pub name: PersonalLine,
    /// Relation to the insured person, such as `SPOUSE` or `SELF`.
    pub relation: PersonalLine,
    pub phone: Mobile,
    pub email: Option<Email>,
}

impl Claimant {
    /// Mobile number and e-mail address as search keys.
    pub fn identifiers(&self) -> Vec<Identifier> {
        contact_identifiers(Some(&self.phone), self.email.as_ref())
    }
}

/// Bank account number: 6 to 20 letters and digits.
#[derive(Clone, PartialEq, Eq)]
pub struct AccountNumber(String);

impl AccountNumber {
    /// The number in plain text.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Restores a stored number without validation.
    pub fn kept(text: String) -> Self {
        AccountNumber(text)
    }

    /// Last four characters: all that is shown of a stored number.
    pub fn last_four(&self) -> &str {
        self.0.get(self.0.len().saturating_sub(4)..).unwrap_or_default()
    }
}

impl std::fmt::Debug for AccountNumber {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.write_str("AccountNumber(…)")
    }
}

impl FromText for AccountNumber {
    const WANTED: &'static str = "an account number of 6 to 20 letters and digits";
    const PATTERN: Option<&'static str> = Some(r"^\s*[A-Za-z0-9]{6,20}\s*$");

    fn from_text(text: &str) -> Result<Self, &'static str> {
        let good = (6..=20).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if good { Ok(AccountNumber(text.to_owned())) } else { Err("text that is not an account number") }
    }
}

/// Bank account to which a claim is paid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PayeeAccount {
    /// Name of the account holder.
    pub holder: PersonalLine,
    pub number: AccountNumber,
    /// Code of the bank branch.
    pub ifsc: Ifsc,
}

/// Document that a claim of this kind needs, as the catalogue said at first notice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WantedPaper {
    /// Id by which uploads name this document.
    pub id: String,
    /// Name of the document for people.
    pub name: String,
    /// Whether payment of the claim needs this document or its waiver.
    pub required: bool,
}

/// Legal deadlines of a claim, from the catalogue at first notice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClaimClocks {
    /// Days from first notice until the insurer must pay, reject or repudiate the claim.
    pub settle_within_days: u16,
    /// Days from first notice for the same decision, if the insurer investigates the claim.
    pub investigated_within_days: u16,
    /// Interest rate for a late payment, in hundredths of a percent per year. Interest counts from first
    /// notice.
    pub late_interest: u32,
}

/// Required document that was missing when the claim was paid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WaivedPaper {
    /// Id of the missing document.
    pub paper: String,
    /// Why the claim was paid without this document.
    pub reason: PersonalLine,
}

/// Payment of a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimPayment {
    /// Payer's reference of the payment, such as the bank's UTR.
    pub reference: PaymentReference,
    /// Day of payment, in Asia/Kolkata.
    pub paid_on: Date,
    /// Late-payment interest, in addition to the approved amount. May be zero.
    pub interest: Rupees,
}

/// Transfer of money for a claim that is paid in several, for example to the lender and to each nominee.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimTransfer {
    /// Who received it, if known.
    pub payee: Option<PersonalLine>,
    /// Amount, with the interest of the whole claim in the last transfer.
    pub amount: Rupees,
    /// Payer's reference of the transfer.
    pub reference: PaymentReference,
    /// Day of the transfer, in Asia/Kolkata.
    pub paid_on: Date,
}

/// First notice of a loss.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimNotice {
    pub kind: ClaimKind,
    /// Day of the loss, in Asia/Kolkata, such as the day of death or of hospital admission.
    pub event_on: Date,
    pub cause: PersonalLine,
    /// Where the loss happened, such as the town or hospital.
    pub place: Option<PersonalLine>,
    /// Number of the insured member concerned, from 1.
    pub member: u16,
    pub claimant: Claimant,
    /// Bank account for the payment of the claim, if known.
    pub account: Option<PayeeAccount>,
    /// Claimed amount, if known.
    pub claimed: Option<Rupees>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    pub id: ClaimId,
    /// Partner that sold the policy.
    pub partner: PartnerId,
    pub policy: PolicyId,
    pub line: LineOfBusiness,
    /// Session in which the policy was sold.
    pub session: Option<SessionId>,
    /// Partner's reference for the sale, as it was at first notice.
    pub reference: Option<Reference>,
    /// Time of first notice. Deadlines start on the day of this time in Asia/Kolkata. Lists select claims by
    /// that day.
    pub created_at: Timestamp,
    pub notice: ClaimNotice,
    pub member_name: PersonalLine,
    pub state: ClaimState,
    /// Time of the last status change.
    pub changed_at: Timestamp,
    /// Version number, from 1; each stored change adds 1.
    pub version: u32,
    /// Documents that the claim needs, required and optional.
    pub wanted: Vec<WantedPaper>,
    pub clocks: ClaimClocks,
    /// Whether the claim was ever under investigation. If so, the longer deadline applies.
    pub investigated: bool,
    /// Amount that the insurer approved.
    pub approved: Option<Rupees>,
    /// Refunds of premium for days after the event, which the payment deducts. `None`: nothing is deducted.
    pub deducted: Option<Rupees>,
    /// Payment that completed the claim. `None` until then.
    pub paid: Option<ClaimPayment>,
    /// All transfers of a claim that is paid in several, or to a named payee, oldest first. Empty if one transfer
    /// without a named payee paid the claim.
    pub transfers: Vec<ClaimTransfer>,
    /// Required documents that were missing when the claim was paid.
    pub waived: Vec<WaivedPaper>,
    /// Last request for documents.
    pub asked: Option<PapersAsked>,
}

/// Request for documents of a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PapersAsked {
    /// What is needed, in words for the claimant.
    pub text: PersonalLine,
    /// Day by which the documents should come.
    pub by: Date,
    pub asked_at: Timestamp,
}

impl Claim {
    /// Last day for the insurer to pay, reject or repudiate the claim.
    pub fn settle_by(&self) -> Date {
        let ClaimClocks { settle_within_days, investigated_within_days, .. } = self.clocks;
        let days = if self.investigated { investigated_within_days } else { settle_within_days };
        let told = day_of(self.created_at);
        days_later(told, days).unwrap_or(told)
    }

    /// Whether the claim is still open after the day [`Claim::settle_by`].
    pub fn is_late(&self, today: Date) -> bool {
        self.state.is_open() && today > self.settle_by()
    }

    /// Amount that the insurer pays or paid. `None` unless the claim is approved or paid.
    pub fn payable(&self) -> Option<Rupees> {
        self.approved.filter(|_| matches!(self.state, ClaimState::Approved | ClaimState::Paid))
    }

    /// Approved amount less what the payment deducts, without interest. `None` unless an amount is approved.
    pub fn net(&self) -> Option<Rupees> {
        self.approved.map(|approved| approved - self.deducted.unwrap_or(Rupees::ZERO))
    }

    /// Late-payment interest if the claim is paid on `day`. Zero until [`Claim::settle_by`]. After that day,
    /// simple interest for each day since first notice, rounded half up to the paisa.
    ///
    /// Of a claim that is paid in several transfers, each transfer bears interest until its own day. The interest of
    /// all is paid with the last one, and rounded once.
    pub fn interest_on(&self, day: Date) -> Rupees {
        let year = 365 * 10_000_i128;
        let paise = |amount: Rupees, day: Date| {
            let days =
                if day > self.settle_by() { (day - day_of(self.created_at)).get_days().max(0) } else { 0 };
            i128::from(amount.paise()) * i128::from(self.clocks.late_interest) * i128::from(days)
        };
        let before: i128 =
            self.transfers.iter().map(|transfer| paise(transfer.amount, transfer.paid_on)).sum();
        let all = before + paise(self.unpaid(), day);
        Rupees::from_paise(i64::try_from((2 * all + year) / (2 * year)).unwrap_or(i64::MAX))
    }

    /// What is left of the approved amount after the transfers so far, without interest. Only for a claim that is not
    /// paid yet.
    pub fn unpaid(&self) -> Rupees {
        let moved: Rupees = self.transfers.iter().map(|transfer| transfer.amount).sum();
        (self.net().unwrap_or(Rupees::ZERO) - moved).max(Rupees::ZERO)
    }

    /// Whether money was already paid for the claim.
    pub fn has_payment(&self) -> bool {
        self.paid.is_some() || !self.transfers.is_empty()
    }

    /// Whether a bank reference is that of a payment of the claim. Letter case does not matter (D116).
    pub fn was_paid_with(&self, reference: &str) -> bool {
        self.references().any(|known| known.as_str().eq_ignore_ascii_case(reference))
    }

    /// Bank references of the claim's payments. The last one may occur twice.
    pub fn references(&self) -> impl Iterator<Item = &PaymentReference> {
        let all = self.transfers.iter().map(|transfer| &transfer.reference);
        all.chain(self.paid.iter().map(|paid| &paid.reference))
    }
}

impl Moving for Claim {
    type State = ClaimState;

    fn state(&self) -> ClaimState {
        self.state
    }

    fn stand(&mut self, to: ClaimState, at: Timestamp, _: Option<&PersonalLine>) -> Result<(), RefusedMove> {
        self.state = self.state.move_to(to)?;
        self.investigated |= to == ClaimState::UnderInvestigation;
        self.changed_at = at;
        Ok(())
    }
}

vocabulary! {
    /// Media type of an uploaded document, detected from its first bytes.
    PaperType, "one of application/pdf, image/jpeg, image/png" {
        Pdf = "application/pdf",
        Jpeg = "image/jpeg",
        Png = "image/png",
    }
}

impl PaperType {
    /// Detects the type from a file's first bytes only. `None` if no allowed type fits.
    pub fn of_first_bytes(bytes: &[u8]) -> Option<Self> {
        match bytes {
            [b'%', b'P', b'D', b'F', b'-', ..] => Some(PaperType::Pdf),
            [0xff, 0xd8, 0xff, ..] => Some(PaperType::Jpeg),
            [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => Some(PaperType::Png),
            _ => None,
        }
    }

    /// Number of first bytes that suffice to detect any type.
    pub const FIRST_BYTES: usize = 8;

    /// Extension for file names, without the dot.
    pub const fn extension(self) -> &'static str {
        match self {
            PaperType::Pdf => "pdf",
            PaperType::Jpeg => "jpg",
            PaperType::Png => "png",
        }
    }
}

/// Maximum size of an uploaded document, in bytes.
pub const LARGEST_PAPER: u64 = 10 * 1024 * 1024;

/// Document uploaded for a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimDocument {
    pub id: ClaimDocumentId,
    pub claim: ClaimId,
    /// When the document was uploaded.
    pub added_at: Timestamp,
    /// Id of the needed document ([`WantedPaper::id`]) that this file provides. `None`: an additional
    /// document.
    pub paper: Option<String>,
    pub media: PaperType,
    /// Size of the file in bytes.
    pub bytes: u64,
    /// SHA-256 of the file.
    pub hash: [u8; 32],
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;
    use crate::id::Uuid;

    #[test]
    fn only_14_of_the_64_status_changes_of_a_claim_are_allowed() {
        use ClaimState::{
            Approved, Intimated, Paid, Rejected, Repudiated, UnderAssessment, UnderInvestigation, Withdrawn,
        };
        let allowed = [
            (Intimated, UnderAssessment),
            (Intimated, Rejected),
            (UnderAssessment, UnderInvestigation),
            (UnderAssessment, Approved),
            (UnderAssessment, Rejected),
            (UnderAssessment, Repudiated),
            (UnderInvestigation, Approved),
            (UnderInvestigation, Rejected),
            (UnderInvestigation, Repudiated),
            (Approved, Paid),
            (Intimated, Withdrawn),
            (UnderAssessment, Withdrawn),
            (UnderInvestigation, Withdrawn),
            (Approved, Withdrawn),
        ]; // D82, D114
        for from in ClaimState::ALL {
            for to in ClaimState::ALL {
                assert_eq!(from.move_to(*to).is_ok(), allowed.contains(&(*from, *to)), "{from} to {to}");
            }
            let has_way = ClaimState::ALL.iter().any(|to| from.move_to(*to).is_ok());
            assert_eq!(from.is_open(), has_way, "{from}");
        }
    }

    #[test]
    fn the_type_of_a_paper_is_found_from_its_first_bytes() {
        assert_eq!(PaperType::of_first_bytes(b"%PDF-1.7 ..."), Some(PaperType::Pdf));
        assert_eq!(PaperType::of_first_bytes(&[0xff, 0xd8, 0xff, 0xe0]), Some(PaperType::Jpeg));
        assert_eq!(PaperType::of_first_bytes(b"\x89PNG\r\n\x1a\n...."), Some(PaperType::Png));
        for other in [&b"MZ"[..], b"", b"%PDF", b"<html>", b"\x89PNG"] {
            assert_eq!(PaperType::of_first_bytes(other), None);
        }
    }

    #[test]
    fn a_claim_that_is_paid_late_bears_interest_from_its_notice() {
        let line = |text: &str| PersonalLine::kept(text.to_owned());
        let told = crate::date::start_of_day(date(2026, 11, 20)).expect("in range");
        let claim = Claim {
            id: ClaimId::from_uuid(Uuid::from_u128(1)),
            partner: PartnerId::from_uuid(Uuid::from_u128(1)),
            policy: PolicyId::from_uuid(Uuid::from_u128(1)),
            line: LineOfBusiness::CreditLife,
            session: None,
            reference: None,
            created_at: told,
            notice: ClaimNotice {
                kind: ClaimKind::Death,
                event_on: date(2026, 11, 18),
                cause: line("Accident"),
                place: None,
                member: 1,
                claimant: Claimant {
                    name: line("Ravi Rao"),
                    relation: line("SPOUSE"),
                    phone: Mobile::kept("9876543211".into()),
                    email: None,
                },
                account: None,
                claimed: None,
            },
            member_name: line("Asha Rao"),
            state: ClaimState::Approved,
            changed_at: told,
            version: 1,
            wanted: Vec::new(),
            clocks: ClaimClocks { settle_within_days: 15, investigated_within_days: 45, late_interest: 875 },
            investigated: false,
            approved: Some(Rupees::whole(500_000)),
            deducted: None,
            paid: None,
            transfers: Vec::new(),
            waived: Vec::new(),
            asked: None,
        };
        assert_eq!(claim.settle_by(), date(2026, 12, 5));
        assert_eq!(claim.interest_on(date(2026, 12, 5)), Rupees::ZERO);
        // 5,00,000 x 8.75 % x 16 / 365 = 1,917.808
        assert_eq!(claim.interest_on(date(2026, 12, 6)), Rupees::from_paise(191_781));
        assert!(claim.is_late(date(2026, 12, 6)) && !claim.is_late(date(2026, 12, 5)));
        let investigated = Claim { investigated: true, ..claim };
        assert_eq!(investigated.settle_by(), date(2027, 1, 4));
        assert_eq!(investigated.interest_on(date(2026, 12, 6)), Rupees::ZERO);
    }
}
