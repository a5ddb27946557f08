//! Claims: the first notice of a loss, where it stands with the insurer, its papers and its payment (D81 to D83).

use crate::bank::Ifsc;
use crate::date::{Date, Timestamp, day_of, days_later};
use crate::id::{ClaimDocumentId, ClaimId, PartnerId, PolicyId, SessionId};
use crate::identifier::Reference;
use crate::line::LineOfBusiness;
use crate::money::Rupees;
use crate::person::{Email, Mobile, PersonalLine};
use crate::premium::PaymentReference;
use crate::proposal::{Moving, RefusedMove};
use crate::text::{FromText, vocabulary};

vocabulary! {
    /// What a claim is made for.
    ClaimKind, "one of DEATH, DISABILITY, HOSPITALISATION, OTHER" {
        /// Somebody who was insured died.
        Death = "DEATH",
        /// Somebody who is insured became disabled.
        Disability = "DISABILITY",
        /// Somebody who is insured was treated in a hospital.
        Hospitalisation = "HOSPITALISATION",
        /// Something else that the policy pays for.
        Other = "OTHER",
    }
}

vocabulary! {
    /// Where a claim stands.
    ClaimState, "one of INTIMATED, UNDER_ASSESSMENT, UNDER_INVESTIGATION, APPROVED, PAID, REJECTED, REPUDIATED, WITHDRAWN" {
        /// Somebody gave the first notice of it.
        Intimated = "INTIMATED",
        /// The insurer assesses it.
        UnderAssessment = "UNDER_ASSESSMENT",
        /// The insurer has it investigated.
        UnderInvestigation = "UNDER_INVESTIGATION",
        /// The insurer pays it.
        Approved = "APPROVED",
        /// It was paid. Final.
        Paid = "PAID",
        /// Nothing is payable under the policy: it does not cover this. Final.
        Rejected = "REJECTED",
        /// The insurer denies its liability, such as for something that was not told. Final.
        Repudiated = "REPUDIATED",
        /// The partner or the operator withdrew it before it was paid. Final.
        Withdrawn = "WITHDRAWN",
    }
}

impl ClaimState {
    /// Judges a single move: every transition there is (D82).
    ///
    /// # Errors
    /// [`RefusedMove::NoSuchTransition`], a state to itself included.
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

    /// Whether somebody has something to do about a claim in it.
    pub const fn is_open(self) -> bool {
        use ClaimState::{Paid, Rejected, Repudiated, Withdrawn};
        !matches!(self, Paid | Rejected | Repudiated | Withdrawn)
    }

    /// Whether a claim in it takes cover and blocks a cancellation or the same claim. A rejected or withdrawn one does not (D114).
    pub const fn counts(self) -> bool {
        !matches!(self, ClaimState::Rejected | ClaimState::Withdrawn)
    }

    /// Whether papers are still taken for a claim in it: an approved one may lack some that it needs to be paid.
    pub const fn takes_papers(self) -> bool {
        self.is_open()
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claimant {
    /// Full name.
    pub name: PersonalLine,
    /// What the claimant is to the insured person, such as `SPOUSE` or `SELF`.
    pub relation: PersonalLine,
    /// Mobile number.
    pub phone: Mobile,
    /// E-mail address.
    pub email: Option<Email>,
}

/// The number of a bank account: 6 to 20 letters and digits.
#[derive(Clone, PartialEq, Eq)]
pub struct AccountNumber(String);

impl AccountNumber {
    /// The number, for those who must have it.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// A number that was already judged, as it was kept.
    pub fn kept(text: String) -> Self {
        AccountNumber(text)
    }

    /// Its last four characters: all that is shown once it was told.
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
    const WANTED: &'static str = "the number of an account, 6 to 20 letters and digits,";
    const PATTERN: Option<&'static str> = Some(r"^\s*[A-Za-z0-9]{6,20}\s*$");

    fn from_text(text: &str) -> Result<Self, &'static str> {
        let good = (6..=20).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if good { Ok(AccountNumber(text.to_owned())) } else { Err("text that is no such number") }
    }
}

/// The account to which a claim is paid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PayeeAccount {
    /// Whose it is.
    pub holder: PersonalLine,
    pub number: AccountNumber,
    /// The code of its branch.
    pub ifsc: Ifsc,
}

/// A paper that a claim of its kind needs, as the catalogue asked for it when the claim was made known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WantedPaper {
    /// What uploads name it by.
    pub id: String,
    /// What it is called.
    pub name: String,
    /// Whether nothing is paid without it.
    pub required: bool,
}

/// The legal clocks of a claim, as the catalogue had them when it was made known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClaimClocks {
    /// Days from the notice within which it is settled: paid, rejected or repudiated.
    pub settle_within_days: u16,
    /// The same where the insurer has it investigated.
    pub investigated_within_days: u16,
    /// Interest on a claim that is paid later, from the notice on, in hundredths of a percent for a year.
    pub late_interest: u32,
}

/// A required paper without which a claim was paid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WaivedPaper {
    /// Which of the claim's papers.
    pub paper: String,
    /// Why the claim was paid without it.
    pub reason: PersonalLine,
}

/// A claim that was paid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimPayment {
    /// What the payment is called where it was made, such as the bank's UTR.
    pub reference: PaymentReference,
    /// The day on which it was paid, in Asia/Kolkata.
    pub paid_on: Date,
    /// Interest for paying late, beside what was approved. May be nought.
    pub interest: Rupees,
}

/// What somebody tells of a loss.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimNotice {
    /// What it is made for.
    pub kind: ClaimKind,
    /// The day of the event, in Asia/Kolkata: of the death, or on which the hospital admitted the person.
    pub event_on: Date,
    /// What happened.
    pub cause: PersonalLine,
    /// Where.
    pub place: Option<PersonalLine>,
    /// Which of the policy's members it happened to, counted from 1.
    pub member: u16,
    pub claimant: Claimant,
    /// Where it is to be paid.
    pub account: Option<PayeeAccount>,
    /// What is claimed, where somebody knows it.
    pub claimed: Option<Rupees>,
}

/// A claim on a policy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    pub id: ClaimId,
    /// Whose customer it belongs to.
    pub partner: PartnerId,
    pub policy: PolicyId,
    /// The policy's line of business.
    pub line: LineOfBusiness,
    /// The policy's session.
    pub session: Option<SessionId>,
    /// What the partner called the sale when the claim was made known.
    pub reference: Option<Reference>,
    /// When it was made known: by its day in Asia/Kolkata lists find it, and the clocks begin.
    pub created_at: Timestamp,
    /// What was told.
    pub notice: ClaimNotice,
    pub member_name: PersonalLine,
    /// Where it stands.
    pub state: ClaimState,
    /// When it was last moved.
    pub changed_at: Timestamp,
    /// How often it was changed, from 1 on.
    pub version: u32,
    /// The papers that it needs.
    pub wanted: Vec<WantedPaper>,
    pub clocks: ClaimClocks,
    /// Whether it was ever under investigation.
    pub investigated: bool,
    /// What the insurer pays, once it is approved.
    pub approved: Option<Rupees>,
    /// The payment, once it was made.
    pub paid: Option<ClaimPayment>,
    /// The required papers without which it was paid.
    pub waived: Vec<WaivedPaper>,
}

impl Claim {
    /// The day by which the insurer is to have settled it.
    pub fn settle_by(&self) -> Date {
        let ClaimClocks { settle_within_days, investigated_within_days, .. } = self.clocks;
        let days = if self.investigated { investigated_within_days } else { settle_within_days };
        let told = day_of(self.created_at);
        days_later(told, days).unwrap_or(told)
    }

    /// Whether it should have been settled by a day, and is not.
    pub fn is_late(&self, today: Date) -> bool {
        self.state.is_open() && today > self.settle_by()
    }

    /// What the insurer pays or paid. `None` while it has not approved it, and if it was withdrawn.
    pub fn payable(&self) -> Option<Rupees> {
        self.approved.filter(|_| matches!(self.state, ClaimState::Approved | ClaimState::Paid))
    }

    /// Interest that is owed beside what was approved where it is paid on a day: none until [`Claim::settle_by`], then simple
    /// interest for each day from the notice on, to the paisa, half up.
    pub fn interest_on(&self, day: Date) -> Rupees {
        let Some(approved) = self.approved.filter(|_| day > self.settle_by()) else { return Rupees::ZERO };
        let days = (day - day_of(self.created_at)).get_days().max(0);
        let year = 365 * 10_000_i128;
        let paise = i128::from(approved.paise()) * i128::from(self.clocks.late_interest) * i128::from(days);
        Rupees::from_paise(i64::try_from((2 * paise + year) / (2 * year)).unwrap_or(i64::MAX))
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
    /// The media type of an uploaded paper, which its first bytes show.
    PaperType, "one of application/pdf, image/jpeg, image/png" {
        Pdf = "application/pdf",
        Jpeg = "image/jpeg",
        Png = "image/png",
    }
}

impl PaperType {
    /// The type that the first bytes of a file show. The file is looked at no further.
    pub fn of_first_bytes(bytes: &[u8]) -> Option<Self> {
        match bytes {
            [b'%', b'P', b'D', b'F', b'-', ..] => Some(PaperType::Pdf),
            [0xff, 0xd8, 0xff, ..] => Some(PaperType::Jpeg),
            [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => Some(PaperType::Png),
            _ => None,
        }
    }

    /// Bytes by which every type is known.
    pub const FIRST_BYTES: usize = 8;

    /// What file names end in.
    pub const fn extension(self) -> &'static str {
        match self {
            PaperType::Pdf => "pdf",
            PaperType::Jpeg => "jpg",
            PaperType::Png => "png",
        }
    }
}

/// Most bytes of a paper.
pub const LARGEST_PAPER: u64 = 10 * 1024 * 1024;

/// A paper that was uploaded for a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimDocument {
    pub id: ClaimDocumentId,
    pub claim: ClaimId,
    /// When it was uploaded.
    pub added_at: Timestamp,
    /// Which of the papers that are wanted it is. `None`: another one.
    pub paper: Option<String>,
    pub media: PaperType,
    /// Its size.
    pub bytes: u64,
    /// SHA-256 of its bytes.
    pub hash: [u8; 32],
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;
    use crate::id::Uuid;

    #[test]
    fn of_sixty_four_moves_fourteen_exist() {
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
    fn first_bytes_show_the_type() {
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
            paid: None,
            waived: Vec::new(),
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
