//! The records that rows hold: quotes, proposals, policies.

use domain::date::Timestamp;
use domain::id::{PolicyId, VariantId};
use domain::money::{CoverAmount, Premium, Rupees};
use domain::person::Name;
use domain::policy::{CoverPeriod, PolicyNumber};
use domain::proposal::{ProposalRequest, Submission};
use domain::quote::{CatalogueHash, NotPriced, PolicyTerm, QuoteItem, QuoteRequest};

use super::codec::{Body, Damaged, bytes, record, words};

words!(Submission);

/// An embedded quote without its ids, which are the row's.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct QuoteBody {
    pub(crate) created_at: Timestamp,
    pub(crate) request: QuoteRequest,
    pub(crate) catalogue: CatalogueHash,
    pub(crate) items: Vec<QuoteItem>,
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
    QuoteBody { created_at, request, catalogue, items }
    QuoteRequest { born, gender, cover, term, context }
    QuoteItem { variant, outcome }
    ProposalBody { variant, premium, request }
    ProposalRequest { quote, recommendation, submission, proposer, insured_members, nominees, context }
    PolicyBody {
        policy_id, issued_at, cover, sum_insured, term_months, variant, catalogue, premium, settlement, holder,
    }
    CoverPeriod { starts, ends }
}

impl Body for CatalogueHash {
    fn put(&self, to: &mut Vec<u8>) {
        self.0.put(to);
    }

    fn take(from: &mut &[u8]) -> Result<Self, Damaged> {
        <[u8; 32]>::take(from).map(CatalogueHash)
    }
}

impl Body for CoverAmount {
    fn put(&self, to: &mut Vec<u8>) {
        self.amount().put(to);
    }

    fn take(from: &mut &[u8]) -> Result<Self, Damaged> {
        CoverAmount::of(Rupees::take(from)?).ok_or(Damaged)
    }
}

impl Body for PolicyTerm {
    fn put(&self, to: &mut Vec<u8>) {
        self.as_months().put(to);
    }

    fn take(from: &mut &[u8]) -> Result<Self, Damaged> {
        PolicyTerm::months(u32::take(from)?).ok_or(Damaged)
    }
}

impl Body for Premium {
    fn put(&self, to: &mut Vec<u8>) {
        self.base().put(to);
        self.gst().put(to);
    }

    fn take(from: &mut &[u8]) -> Result<Self, Damaged> {
        Premium::of_parts(Rupees::take(from)?, Rupees::take(from)?).ok_or(Damaged)
    }
}

impl Body for PolicyNumber {
    fn put(&self, to: &mut Vec<u8>) {
        self.as_str().to_owned().put(to);
    }

    fn take(from: &mut &[u8]) -> Result<Self, Damaged> {
        String::take(from).map(PolicyNumber::kept)
    }
}

impl Body for Result<Premium, NotPriced> {
    /// One byte says which; the facts of it follow.
    fn put(&self, to: &mut Vec<u8>) {
        match self {
            Ok(premium) => {
                to.push(0);
                premium.put(to);
            }
            Err(NotPriced::Age { least, most }) => {
                to.push(1);
                least.put(to);
                most.put(to);
            }
            Err(NotPriced::AgeAtEnd { most }) => {
                to.push(2);
                most.put(to);
            }
            Err(NotPriced::Cover { least, most }) => {
                to.push(3);
                least.put(to);
                most.put(to);
            }
            Err(NotPriced::Term { least, most }) => {
                to.push(4);
                least.put(to);
                most.put(to);
            }
            Err(NotPriced::TooLarge) => to.push(5),
            Err(NotPriced::InsurerFailed) => to.push(6),
            Err(NotPriced::InsurerSlow) => to.push(7),
        }
    }

    fn take(from: &mut &[u8]) -> Result<Self, Damaged> {
        Ok(match bytes(from, 1)?[0] {
            0 => Ok(Premium::take(from)?),
            1 => Err(NotPriced::Age { least: Body::take(from)?, most: Body::take(from)? }),
            2 => Err(NotPriced::AgeAtEnd { most: Body::take(from)? }),
            3 => Err(NotPriced::Cover { least: Body::take(from)?, most: Body::take(from)? }),
            4 => Err(NotPriced::Term { least: Body::take(from)?, most: Body::take(from)? }),
            5 => Err(NotPriced::TooLarge),
            6 => Err(NotPriced::InsurerFailed),
            7 => Err(NotPriced::InsurerSlow),
            _ => return Err(Damaged),
        })
    }
}
