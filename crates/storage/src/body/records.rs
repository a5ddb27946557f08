//! The records that rows hold: quotes, proposals, policies.

use std::borrow::Cow;

use domain::date::Timestamp;
use domain::id::{PolicyId, VariantId};
use domain::money::{CoverAmount, Premium, Rupees};
use domain::person::Name;
use domain::policy::CoverPeriod;
use domain::proposal::ProposalRequest;
use domain::quote::{CatalogueHash, NotPriced, PolicyTerm, QuoteItem, QuoteRequest};

use super::record::{Fields, record, union};
use super::stored::Stored;
use super::wire::{Reader, Unreadable, Writer};

/// An embedded quote without its ids, which are the row's.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct QuoteBody<'q> {
    pub(crate) created_at: Timestamp,
    pub(crate) request: Cow<'q, QuoteRequest>,
    pub(crate) catalogue: CatalogueHash,
    pub(crate) items: Cow<'q, [QuoteItem]>,
}

/// A proposal without its ids, status and times, which are the row's.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ProposalBody {
    pub(crate) variant: VariantId,
    pub(crate) premium: Premium,
    pub(crate) request: ProposalRequest,
}

/// A policy without the ids, number and check code, which are the row's.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PolicyBody {
    pub(crate) policy_id: PolicyId,
    pub(crate) issued_at: Timestamp,
    pub(crate) cover: CoverPeriod,
    pub(crate) sum_insured: Rupees,
    pub(crate) term_months: u32,
    pub(crate) variant: VariantId,
    pub(crate) catalogue: CatalogueHash,
    pub(crate) premium: Premium,
    pub(crate) settlement: String,
    pub(crate) holder: Name,
}

record! {
    QuoteBody<'_> { 0: created_at, 1: request, 2: catalogue, 3: items }
    QuoteRequest { 0: born, 1: gender, 2: cover, 3: term, 4: context }
    QuoteItem { 0: variant, 1: outcome }
    ProposalBody { 0: variant, 1: premium, 2: request }
    ProposalRequest {
        0: quote, 1: recommendation, 2: submission, 3: proposer, 4: insured_members, 5: nominees, 6: context,
    }
    PolicyBody {
        0: policy_id, 1: issued_at, 2: cover, 3: sum_insured, 4: term_months, 5: variant, 6: catalogue, 7: premium,
        8: settlement, 9: holder,
    }
    CoverPeriod { 0: starts, 1: ends }
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

/// A record of base and tax.
impl Stored for Premium {
    fn write(&self, to: &mut Writer) {
        to.list(2);
        self.base().write(to);
        self.gst().write(to);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Unreadable> {
        let mut fields = Fields::read(from)?;
        let read = Premium::of_parts(fields.required(from, 0)?, fields.required(from, 1)?);
        fields.end(from)?;
        read.ok_or(Unreadable::Damaged)
    }
}
