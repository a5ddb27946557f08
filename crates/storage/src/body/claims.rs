//! Encoding of claims and of documents for them, in the encrypted body of their rows.

use std::borrow::Cow;

use domain::claim::{
    AccountNumber, Claim, ClaimClocks, ClaimNotice, ClaimPayment, ClaimTransfer, Claimant, PaperType,
    PapersAsked, PayeeAccount, WaivedPaper, WantedPaper,
};
use domain::identifier::Reference;
use domain::money::Rupees;
use domain::person::PersonalLine;

use super::record::record;
use super::stored::Stored;
use super::wire::{Reader, Unreadable, Writer};

/// Encrypted part of a claim: the fields that have no column of their own.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ClaimBody<'c> {
    pub(crate) notice: Cow<'c, ClaimNotice>,
    pub(crate) member_name: Cow<'c, PersonalLine>,
    pub(crate) wanted: Cow<'c, [WantedPaper]>,
    pub(crate) clocks: ClaimClocks,
    pub(crate) investigated: bool,
    pub(crate) approved: Option<Rupees>,
    pub(crate) paid: Option<Cow<'c, ClaimPayment>>,
    pub(crate) reference: Option<Cow<'c, Reference>>,
    /// Required documents that were waived. `None` if there are none.
    pub(crate) waived: Option<Cow<'c, [WaivedPaper]>>,
    pub(crate) asked: Option<Cow<'c, PapersAsked>>,
    /// Refunds that the payment deducts.
    pub(crate) deducted: Option<Rupees>,
    /// Transfers of a claim that is paid in several. `None` if there are none.
    pub(crate) transfers: Option<Cow<'c, [ClaimTransfer]>>,
}

impl<'c> ClaimBody<'c> {
    pub(crate) fn of(claim: &'c Claim) -> Self {
        ClaimBody {
            notice: Cow::Borrowed(&claim.notice),
            member_name: Cow::Borrowed(&claim.member_name),
            wanted: Cow::Borrowed(&claim.wanted),
            clocks: claim.clocks,
            investigated: claim.investigated,
            approved: claim.approved,
            paid: claim.paid.as_ref().map(Cow::Borrowed),
            reference: claim.reference.as_ref().map(Cow::Borrowed),
            waived: (!claim.waived.is_empty()).then_some(Cow::Borrowed(&claim.waived)),
            asked: claim.asked.as_ref().map(Cow::Borrowed),
            deducted: claim.deducted,
            transfers: (!claim.transfers.is_empty()).then_some(Cow::Borrowed(&claim.transfers)),
        }
    }
}

/// Encrypted part of a claim document: the fields that have no column of their own.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PaperBody {
    pub(crate) paper: Option<String>,
    pub(crate) media: PaperType,
    pub(crate) hash: [u8; 32],
}

record! {
    ClaimBody<'_> {
        0: notice, 1: member_name, 2: wanted, 3: clocks, 4: investigated, 5: approved, 6: paid, 7: reference,
        8: waived, 9: asked, 10: deducted,
        11: transfers,
    }
    PapersAsked { 0: text, 1: by, 2: asked_at }
    ClaimNotice {
        0: kind, 1: event_on, 2: cause, 3: place, 4: member, 5: claimant, 6: account, 7: claimed,
    }
    Claimant { 0: name, 1: relation, 2: phone, 3: email }
    PayeeAccount { 0: holder, 1: number, 2: ifsc }
    WantedPaper { 0: id, 1: name, 2: required }
    ClaimClocks { 0: settle_within_days, 1: investigated_within_days, 2: late_interest }
    WaivedPaper { 0: paper, 1: reason }
    ClaimPayment { 0: reference, 1: paid_on, 2: interest }
    ClaimTransfer { 0: payee, 1: amount, 2: reference, 3: paid_on }
    PaperBody { 0: paper, 1: media, 2: hash }
}

impl Stored for AccountNumber {
    fn write(&self, to: &mut Writer) {
        to.text(self.reveal());
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Unreadable> {
        from.text().map(|text| AccountNumber::kept(text.to_owned()))
    }
}
