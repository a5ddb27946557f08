//! The credit-protection quote: what was asked, and what each variant costs (interface §4; D21 to D23, D40).

use jiff::ToSpan;

use crate::context::Context;
use crate::date::{BirthDate, Date, LeastAge, Timestamp, day_of};
use crate::id::{PartnerId, QuoteId, RecommendationId, VariantId, counted_on};
use crate::money::{CoverAmount, Premium, Rupees};
use crate::person::Gender;

/// Length of the cover in whole months, above zero (D21).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct PolicyTerm(u32);

impl PolicyTerm {
    /// So many months; `None` for none at all.
    pub fn months(months: u32) -> Option<Self> {
        (months > 0).then_some(PolicyTerm(months))
    }

    /// The number of months.
    pub const fn as_months(self) -> u32 {
        self.0
    }
}

/// What a partner asks to be priced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuoteRequest {
    /// Day of birth of the borrower.
    pub born: BirthDate,
    /// Gender of the borrower.
    pub gender: Gender,
    /// Cover at the start.
    pub cover: CoverAmount,
    /// Length of the cover.
    pub term: PolicyTerm,
    /// What else the partner sent.
    pub context: Context,
}

impl QuoteRequest {
    /// The day on which the cover starts when it is sold on a day: that of disbursement, where it was told and is not
    /// past, else the day itself (D53). Ages and tax are judged on it (D61).
    pub fn starts(&self, on: Date) -> Date {
        self.context.disbursement_date().filter(|day| *day >= on).unwrap_or(on)
    }
}

/// The hash of a catalogue version: SHA-256 over its files in canonical form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CatalogueHash(pub [u8; 32]);

impl CatalogueHash {
    /// Reads what [`Display`](std::fmt::Display) writes: 64 hexadecimal digits.
    pub fn parse(text: &str) -> Option<Self> {
        let mut bytes = [0; 32];
        for (at, byte) in bytes.iter_mut().enumerate() {
            *byte = u8::from_str_radix(text.get(2 * at..2 * at + 2)?, 16).ok()?;
        }
        (text.len() == 64).then_some(CatalogueHash(bytes))
    }
}

impl std::fmt::Display for CatalogueHash {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|byte| write!(to, "{byte:02x}"))
    }
}

/// Why a variant has no price, in facts. Its `Display` is the sentence a person reads as `error_message` (D22).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotPriced {
    /// The age at entry is outside the product's limits, in completed years.
    Age {
        /// Youngest.
        least: u16,
        /// Oldest.
        most: u16,
    },
    /// The age at entry is outside limits that do not begin at whole years.
    AgeFrom {
        /// Youngest.
        least: LeastAge,
        /// Oldest, in completed years.
        most: u16,
    },
    /// The age when cover ends is above the product's limit, in completed years.
    AgeAtEnd {
        /// Oldest at the end.
        most: u16,
    },
    /// The cover is outside the product's limits.
    Cover {
        /// Lowest.
        least: Rupees,
        /// Highest.
        most: Rupees,
    },
    /// The term is outside the product's limits, in months.
    Term {
        /// Shortest.
        least: u32,
        /// Longest.
        most: u32,
    },
    /// The cover has no rider of this id.
    Rider(String),
    /// The amounts go beyond what can be counted.
    TooLarge,
    /// The insurer refused, in its own words.
    InsurerRefused(String),
    /// The insurer could not be asked, or answered wrongly.
    InsurerFailed,
    /// The insurer did not answer within the quote's deadline.
    InsurerSlow,
}

impl std::fmt::Display for NotPriced {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NotPriced::Age { least, most } => {
                write!(to, "This cover is for people from {least} to {most} years of age when it starts.")
            }
            NotPriced::AgeFrom { least, most } => {
                write!(to, "This cover is for people from {least} to {most} years of age when it starts.")
            }
            NotPriced::AgeAtEnd { most } => {
                write!(to, "This cover must end by the age of {most}; a shorter term may be possible.")
            }
            NotPriced::Cover { least, most } => {
                write!(to, "This cover is offered from {} to {}.", least.grouped(), most.grouped())
            }
            NotPriced::Term { least, most } => {
                write!(to, "This cover is offered for {least} to {most} months.")
            }
            NotPriced::Rider(id) => write!(to, "This cover has no rider {id}."),
            NotPriced::TooLarge => to.write_str("This cover is too large to be priced."),
            NotPriced::InsurerRefused(reason) => to.write_str(reason),
            NotPriced::InsurerFailed => {
                to.write_str("The insurer could not give a price just now. Please try again later.")
            }
            NotPriced::InsurerSlow => {
                to.write_str("The insurer did not answer in time. Please try again later.")
            }
        }
    }
}

/// One variant's item: its premium, or why there is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuoteItem {
    pub variant: VariantId,
    /// What it costs.
    pub outcome: Result<Premium, NotPriced>,
}

/// A credit-protection quote as it was given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmbeddedQuote {
    pub id: QuoteId,
    /// Whose it is.
    pub partner: PartnerId,
    /// When it was given.
    pub created_at: Timestamp,
    /// What was asked.
    pub request: QuoteRequest,
    /// The catalogue version that priced it.
    pub catalogue: CatalogueHash,
    /// One item per matched variant, in the order answered.
    pub items: Vec<QuoteItem>,
}

/// Puts items in the order of the answer: priced ones by total premium, then the failed ones (D22). Items of
/// equal rank stay as they came, which is the catalogue's order.
pub fn order(items: &mut [QuoteItem]) {
    items.sort_by_key(|item| match &item.outcome {
        Ok(premium) => (false, premium.total()),
        Err(_) => (true, Rupees::ZERO),
    });
}

impl EmbeddedQuote {
    /// The id of the item at an index of the answer: the quote's own id with the index counted on, so that it
    /// need not be kept.
    pub fn recommendation_id(&self, index: usize) -> RecommendationId {
        counted_on(self.id, index as u32 + 1)
    }

    /// The item that a recommendation id names, where it is one of this quote's.
    pub fn item(&self, id: RecommendationId) -> Option<&QuoteItem> {
        (0..self.items.len())
            .find(|index| self.recommendation_id(*index) == id)
            .map(|index| &self.items[index])
    }

    /// The last day on which it can become a proposal, when it holds for `days` days (D40).
    pub fn last_day(&self, days: u16) -> Date {
        day_of(self.created_at).saturating_add(i64::from(days).days())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::Uuid;

    fn quote() -> EmbeddedQuote {
        let premium = |paise| Premium::of_parts(Rupees::from_paise(paise), Rupees::ZERO).expect("small");
        let variant = |n| VariantId::from_uuid(Uuid::from_u128(n));
        let mut items = vec![
            QuoteItem { variant: variant(1), outcome: Err(NotPriced::InsurerSlow) },
            QuoteItem { variant: variant(2), outcome: Ok(premium(900)) },
            QuoteItem { variant: variant(3), outcome: Ok(premium(100)) },
        ];
        order(&mut items);
        EmbeddedQuote {
            id: QuoteId::from_uuid(Uuid::from_u128(0x0192_f3a1_b2c3_7def_8123_4567_ffff_fffe)),
            partner: PartnerId::from_uuid(Uuid::from_u128(1)),
            created_at: Timestamp::UNIX_EPOCH,
            request: QuoteRequest {
                born: BirthDate::kept(Date::constant(1990, 1, 1)),
                gender: Gender::Female,
                cover: CoverAmount::of(Rupees::whole(1)).expect("above zero"),
                term: PolicyTerm::months(12).expect("a year"),
                context: Context::default(),
            },
            catalogue: CatalogueHash([0; 32]),
            items,
        }
    }

    #[test]
    fn the_cheapest_comes_first_and_the_failed_ones_last() {
        let indexes: Vec<u128> = quote().items.iter().map(|item| item.variant.uuid().as_u128()).collect();
        assert_eq!(indexes, [3, 2, 1]); // D22
    }

    #[test]
    fn each_item_is_found_by_its_own_id_alone() {
        let quote = quote();
        for (index, item) in quote.items.iter().enumerate() {
            assert_eq!(quote.item(quote.recommendation_id(index)), Some(item));
        }
        assert_eq!(quote.item(quote.recommendation_id(quote.items.len())), None); // D24
    }
}
