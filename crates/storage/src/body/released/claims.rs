//! Example bodies of claims and of documents for them, for the tests of released encodings.

use std::borrow::Cow;

use domain::bank::Ifsc;
use domain::claim::{
    AccountNumber, ClaimClocks, ClaimKind, ClaimNotice, ClaimPayment, ClaimTransfer, Claimant, PaperType,
    PapersAsked, PayeeAccount, WaivedPaper, WantedPaper,
};
use domain::date::{Date, Timestamp};
use domain::id::{ClaimId, Uuid};
use domain::identifier::Reference;
use domain::money::Rupees;
use domain::person::{Email, Mobile, PersonalLine};
use domain::premium::PaymentReference;
use domain::text::FromText;

use super::super::{ClaimBody, PaperBody};
use super::Example;

pub(super) fn examples() -> Vec<Example> {
    vec![
        Example::newest("claim.v1", claim()),
        Example::newest("claim.v1.reference", called()),
        Example::newest("claim.v1.waived", waived()),
        Example::newest("claim.v1.asked", asked()),
        Example::newest("claim.v1.deducted", deducted()),
        Example::newest("claim.v1.transfers", transferred()),
        Example::newest("claim.v1.fewest", fewest()),
        Example::newest("claim_paper.v1", PaperBody { paper: Some("p".into()), ..paper() }),
        Example::newest("claim_paper.v1.another", paper()),
    ]
}

/// Ids of the claims on the example policies.
pub(super) fn claims() -> Option<Cow<'static, [ClaimId]>> {
    Some(vec![ClaimId::from_uuid(Uuid::from_u128(7))].into())
}

fn line(text: &str) -> PersonalLine {
    PersonalLine::kept(text.into())
}

/// Claim on a sale that has the partner's own reference.
fn called() -> ClaimBody<'static> {
    ClaimBody { reference: Some(Cow::Owned(Reference::kept("LN-0001"))), ..fewest() }
}

/// Claim for which documents were asked for.
fn asked() -> ClaimBody<'static> {
    let (text, asked_at) = (PersonalLine::kept("The bill".into()), Timestamp::UNIX_EPOCH);
    let asked = PapersAsked { text, by: Date::constant(2026, 12, 1), asked_at };
    ClaimBody { asked: Some(Cow::Owned(asked)), ..fewest() }
}

/// Claim whose payment deducts a refund.
fn deducted() -> ClaimBody<'static> {
    ClaimBody { deducted: Some(Rupees::whole(7)), ..fewest() }
}

/// Claim that is paid in several transfers.
fn transferred() -> ClaimBody<'static> {
    let transfer = ClaimTransfer {
        payee: Some(line("l")),
        amount: Rupees::whole(3),
        reference: PaymentReference::from_text("U-1").expect("a reference"),
        paid_on: Date::constant(2026, 12, 1),
    };
    ClaimBody { transfers: Some(Cow::Owned(vec![transfer])), ..fewest() }
}

/// Claim for which one required document was waived.
fn waived() -> ClaimBody<'static> {
    let paper = WaivedPaper { paper: "p".into(), reason: line("r") };
    ClaimBody { waived: Some(Cow::Owned(vec![paper])), ..fewest() }
}

/// Claim that was paid late. Every optional field is set, except `reference` and `waived`.
fn claim() -> ClaimBody<'static> {
    let notice = ClaimNotice {
        kind: ClaimKind::Death,
        event_on: Date::constant(2026, 11, 18),
        cause: line("c"),
        place: Some(line("p")),
        member: 2,
        claimant: Claimant {
            name: line("Ravi"),
            relation: line("SPOUSE"),
            phone: Mobile::kept("9876543211".into()),
            email: Some(Email::kept("r@b.in".into())),
        },
        account: Some(PayeeAccount {
            holder: line("Ravi"),
            number: AccountNumber::kept("50100012345678".into()),
            ifsc: Ifsc::kept("HDFC0000001".into()),
        }),
        claimed: Some(Rupees::whole(500_000)),
    };
    ClaimBody {
        notice: Cow::Owned(notice),
        member_name: Cow::Owned(line("Asha")),
        wanted: vec![WantedPaper { id: "d".into(), name: "D".into(), required: true }].into(),
        clocks: ClaimClocks { settle_within_days: 15, investigated_within_days: 45, late_interest: 875 },
        investigated: true,
        approved: Some(Rupees::whole(500_000)),
        paid: Some(Cow::Owned(ClaimPayment {
            reference: PaymentReference::from_text("UTR-1").expect("a reference"),
            paid_on: Date::constant(2027, 2, 1),
            interest: Rupees::from_paise(80),
        })),
        reference: None,
        waived: None,
        asked: None,
        deducted: None,
        transfers: None,
    }
}

/// Claim without optional fields.
fn fewest() -> ClaimBody<'static> {
    let mut body = ClaimBody { approved: None, paid: None, investigated: false, ..claim() };
    let notice = body.notice.to_mut();
    (notice.place, notice.account, notice.claimed, notice.claimant.email) = (None, None, None, None);
    body
}

fn paper() -> PaperBody {
    PaperBody { paper: None, media: PaperType::Pdf, hash: [4; 32] }
}
