//! Encoding of quotes, proposals and policies, in the encrypted body of their rows.

use std::borrow::Cow;

use domain::cancellation::Cancellation;
use domain::credit_life::{CreditApplication, CreditCover, ProposalRequest, QuotedCover};
use domain::date::{Date, LeastAge, Timestamp};
use domain::endorsement::{ChargePayment, CoverTerms, Endorsement, EndorsementChange, NewContact};
use domain::id::{ClaimId, PolicyId};
use domain::identifier::Reference;
use domain::money::{CoverAmount, Premium, Rupees};
use domain::person::Name;
use domain::policy::{CheckCode, CoverPeriod, PolicyNumber};
use domain::premium::PaymentReference;
use domain::quote::{CatalogueHash, NotPriced, PolicyTerm, QuoteItem, QuoteRequest};
use domain::refund::{OwedRefund, RefundPayment};
use domain::renewal::Renewal;
use domain::text::FromText;

use super::record::{record, union};
use super::stored::{RecordFields, Stored, boxed};
use super::wire::{Ahead, Reader, Unreadable, Writer};

/// Encrypted part of an embedded quote: the fields that have no column of their own.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct QuoteBody<'q> {
    pub(crate) created_at: Timestamp,
    pub(crate) request: Cow<'q, QuoteRequest>,
    pub(crate) catalogue: CatalogueHash,
    pub(crate) items: Cow<'q, [QuoteItem]>,
}

/// Encrypted part of a proposal. Ids, session, status, times, reason and the insurer's reference are columns
/// instead.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ProposalBody<'p, A: Clone> {
    pub(crate) premium: Premium,
    pub(crate) application: Cow<'p, A>,
    pub(crate) reference: Option<Reference>,
}

/// Encrypted part of a policy. Ids, session, policy numbers, state and times are columns instead.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PolicyBody<'p, C: Clone> {
    pub(crate) sum_insured: Rupees,
    pub(crate) premium: Premium,
    pub(crate) cover: Cow<'p, C>,
    pub(crate) check: Option<CheckCode>,
    pub(crate) cancellation: Option<Cow<'p, Cancellation>>,
    /// Ids of the policy's claims. `None` if there are none.
    pub(crate) claims: Option<Cow<'p, [ClaimId]>>,
    pub(crate) reference: Option<Reference>,
    /// Endorsements of the policy. `None` if there are none.
    pub(crate) endorsements: Option<Cow<'p, [Endorsement]>>,
    pub(crate) renewable_until: Option<Date>,
    pub(crate) renewed_by: Option<PolicyId>,
}

pub(crate) type CreditProposalBody<'p> = ProposalBody<'p, CreditApplication>;

pub(crate) type CreditPolicyBody<'p> = PolicyBody<'p, CreditCover>;

record! {
    QuoteBody<'_> { 0: created_at, 1: request, 2: catalogue, 3: items }
    QuoteRequest { 0: born, 1: gender, 2: cover, 3: term, 4: context }
    QuoteItem { 0: variant, 1: outcome }
    CreditProposalBody<'_> { 0: premium, 1: application, 2: reference }
    CreditApplication { 0: variant, 1: quoted, 2: request }
    QuotedCover { 0: at, 1: request, 2: catalogue }
    ProposalRequest {
        0: quote, 1: recommendation, 2: submission, 3: proposer, 4: insured_members, 5: nominees, 6: context,
    }
    CreditPolicyBody<'_> {
        0: sum_insured, 1: premium, 2: cover, 3: check, 4: cancellation, 5: reference, 6: claims, 7: endorsements,
        8: renewable_until, 9: renewed_by,
    }
    Cancellation { 0: reason, 1: asked_by, 2: asked_at, 3: refund, 4: confirmed_at, 5: claimed_since }
    OwedRefund { 0: amount, 1: due_on, 2: late_interest, 3: paid, 4: to_deposit = Rupees::ZERO, 5: bounced }
    RefundPayment { 0: reference, 1: paid_on, 2: interest }
    Endorsement {
        0: number, 1: change, 2: asked_by, 3: asked_at, 4: note, 5: state, 6: decided_at, 7: decided_by, 8: reason, 9: before,
        10: after, 11: charge, 12: payment, 13: refund,
    }
    CoverTerms { 0: sum_insured, 1: premium }
    ChargePayment { 0: reference, 1: received_on }
    NewContact { 0: address, 1: phone, 2: email }
    CreditCover { 0: period, 1: term_months, 2: variant, 3: catalogue, 4: settlement, 5: holder }
    CoverPeriod { 0: starts, 1: ends }
    Renewal {
        0: policy, 1: number, 2: insurer_number, 3: certificate_version, 4: ended, 5: covered_since,
    }
}

union! {
    Result<Premium, NotPriced> {
        0 = (Ok(premium)) { 1: premium },
        1 = (Err(NotPriced::Age { least, most })) { 1: least, 2: most },
        2 = (Err(NotPriced::AgeAtEnd { most })) { 1: most },
        3 = (Err(NotPriced::Cover { least, most })) { 1: least, 2: most },
        4 = (Err(NotPriced::Term { least, most })) { 1: least, 2: most },
        5 = (Err(NotPriced::TooLarge)) {},
        6 = (Err(NotPriced::InsurerFailed)) {},
        7 = (Err(NotPriced::InsurerSlow)) {},
        8 = (Err(NotPriced::InsurerRefused(reason))) { 1: reason },
        9 = (Err(NotPriced::AgeFrom { least, most })) { 1: least, 2: most },
        10 = (Err(NotPriced::Rider(id))) { 1: id },
    }
}

union! {
    EndorsementChange {
        1 = (EndorsementChange::Nominees(nominees)) { 1: nominees },
        2 = (EndorsementChange::Contact { member, contact }) { 1: member, 2: contact },
        3 = (EndorsementChange::Name { member, name }) { 1: member, 2: name },
        4 = (EndorsementChange::DateOfBirth { member, born }) { 1: member, 2: born },
        5 = (EndorsementChange::LoanAccount(number)) { 1: number },
        6 = (EndorsementChange::Assignment(lender)) { 1: lender },
        7 = (EndorsementChange::CoverReduction(cover)) { 1: cover },
    }
}

boxed!(NewContact, Name);

union! {
    LeastAge {
        0 = (LeastAge::Days(number)) { 1: number },
        1 = (LeastAge::Months(number)) { 1: number },
    }
}

impl Stored for CatalogueHash {
    fn write(&self, to: &mut Writer) {
        to.bytes(&self.0);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Unreadable> {
        Stored::read(from).map(CatalogueHash)
    }
}

impl Stored for CheckCode {
    fn write(&self, to: &mut Writer) {
        to.bytes(&self.0);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Unreadable> {
        Stored::read(from).map(CheckCode)
    }
}

impl Stored for PaymentReference {
    fn write(&self, to: &mut Writer) {
        to.text(self.as_str());
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Unreadable> {
        PaymentReference::from_text(from.text()?).map_err(|_| Unreadable::Damaged)
    }
}

impl Stored for PolicyNumber {
    fn write(&self, to: &mut Writer) {
        to.text(self.as_str());
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Unreadable> {
        from.text().map(|text| PolicyNumber::kept(text.to_owned()))
    }
}

impl Stored for Reference {
    fn write(&self, to: &mut Writer) {
        to.text(self.reveal());
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Unreadable> {
        from.text().map(Reference::kept)
    }
}

impl Stored for CoverAmount {
    fn write(&self, to: &mut Writer) {
        self.amount().write(to);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Unreadable> {
        CoverAmount::of(Rupees::read(from)?).ok_or(Unreadable::Damaged)
    }
}

impl Stored for PolicyTerm {
    fn write(&self, to: &mut Writer) {
        self.as_months().write(to);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Unreadable> {
        PolicyTerm::months(u32::read(from)?).ok_or(Unreadable::Damaged)
    }
}

/// Written as a record of base premium and tax.
impl Stored for Premium {
    fn write(&self, to: &mut Writer) {
        to.list(2);
        self.base().write(to);
        self.gst().write(to);
    }

    #[inline(always)]
    fn read(from: &mut Reader<'_>) -> Result<Self, Unreadable> {
        let mut fields = RecordFields::read(from)?;
        let read = Premium::of_parts(fields.required(from, 0)?, fields.required(from, 1)?);
        fields.end(from)?;
        read.ok_or(Unreadable::Damaged)
    }

    #[inline(always)]
    fn read_ahead(from: Ahead<'_>) -> Option<(Self, Ahead<'_>)> {
        let (2, from) = from.list()? else { return None };
        let (base, from) = Stored::read_ahead(from)?;
        let (gst, behind) = Stored::read_ahead(from)?;
        Some((Premium::of_parts(base, gst)?, behind))
    }
}
