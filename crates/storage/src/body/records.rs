//! The records that rows hold: quotes, proposals, policies.

use std::borrow::Cow;

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
    QuoteBody<'_> { created_at, request, catalogue, items }
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
            // Since version 2 of a quote.
            Err(NotPriced::InsurerRefused(reason)) => {
                to.push(8);
                reason.put(to);
            }
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
            8 => Err(NotPriced::InsurerRefused(Body::take(from)?)),
            _ => return Err(Damaged),
        })
    }
}

#[cfg(test)]
mod tests {
    use domain::context::{Context, ContextEntry};
    use domain::date::{BirthDate, Date};
    use domain::id::Uuid;
    use domain::person::Gender;

    use super::super::codec::{decode, encode};
    use super::*;

    /// A quote with one of every outcome.
    fn quote() -> QuoteBody<'static> {
        let outcomes = [
            Premium::of_parts(Rupees::from_paise(185_500), Rupees::from_paise(33_390))
                .ok_or(NotPriced::TooLarge),
            Err(NotPriced::Age { least: 18, most: 35 }),
            Err(NotPriced::AgeAtEnd { most: 70 }),
            Err(NotPriced::Cover { least: Rupees::whole(1), most: Rupees::whole(2) }),
            Err(NotPriced::Term { least: 60, most: 360 }),
            Err(NotPriced::TooLarge),
            Err(NotPriced::InsurerFailed),
            Err(NotPriced::InsurerSlow),
        ];
        let item = |(n, outcome)| QuoteItem { variant: VariantId::from_uuid(Uuid::from_u128(n)), outcome };
        QuoteBody {
            created_at: Timestamp::from_microsecond(1_795_000_000_000_000).expect("in range"),
            request: Cow::Owned(QuoteRequest {
                born: BirthDate::kept(Date::constant(1990, 6, 15)),
                gender: Gender::Female,
                cover: CoverAmount::of(Rupees::whole(500_000)).expect("above zero"),
                term: PolicyTerm::months(24).expect("above zero"),
                context: Context::of(vec![ContextEntry::new("loan_amount", vec!["500000".into()])]),
            }),
            catalogue: CatalogueHash([9; 32]),
            items: (1..).zip(outcomes).map(item).collect(),
        }
    }

    #[test]
    fn version_1_of_a_quote_is_written_as_it_was_released() {
        let written = encode(1, &quote());
        let shown: String = written.iter().map(|byte| format!("{byte:02x}")).collect();
        // Rows hold these very bytes. If this differs, old rows can no longer be read: add a version instead.
        assert_eq!(shown, RELEASED);
        assert_eq!(decode::<QuoteBody>(1, &written).expect("readable"), quote());
    }

    const RELEASED: &str = concat!(
        "0180c0f995e0a2b0068c1f060f0180c2d72f18010b6c6f616e5f616d6f756e740106353030303030090909090909",
        "0909090909090909090909090909090909090909090909090909080000000000000000000000000000000100b8d2",
        "16dc8904000000000000000000000000000000020112230000000000000000000000000000000302460000000000",
        "000000000000000000000403c801900300000000000000000000000000000005043ce80200000000000000000000",
        "0000000000060500000000000000000000000000000007060000000000000000000000000000000807",
    );

    #[test]
    fn a_body_of_another_version_or_with_bytes_left_over_is_damage() {
        let mut written = encode(1, &quote());
        assert!(decode::<QuoteBody>(0, &written).is_err());
        written.push(0);
        assert!(decode::<QuoteBody>(1, &written).is_err());
        for length in 0..written.len() - 1 {
            assert!(decode::<QuoteBody>(1, &written[..length]).is_err(), "cut at {length}");
        }
    }
}
