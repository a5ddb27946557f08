//! Credit-protection quotes (interface §4; D21 to D23, D40).

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
    /// `None` for zero months.
    pub fn months(months: u32) -> Option<Self> {
        (months > 0).then_some(PolicyTerm(months))
    }

    pub const fn as_months(self) -> u32 {
        self.0
    }
}

/// Request of a partner for a quote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuoteRequest {
    /// Date of birth of the borrower.
    pub born: BirthDate,
    /// Gender of the borrower.
    pub gender: Gender,
    /// Sum insured on the first day of cover.
    pub cover: CoverAmount,
    pub term: PolicyTerm,
    pub context: Context,
}

impl QuoteRequest {
    /// First day of cover if the cover is sold on `on`: the disbursement day if that is `on` or later, else
    /// `on` (D53). The ages and the tax of the first day apply (D61).
    pub fn starts(&self, on: Date) -> Date {
        self.context.disbursement_date().filter(|day| *day >= on).unwrap_or(on)
    }
}

/// Hash of a catalogue version: SHA-256 over the catalogue's files in canonical form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CatalogueHash(pub [u8; 32]);

impl CatalogueHash {
    /// Parses the output of [`Display`](std::fmt::Display): 64 hexadecimal digits.
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

/// Reason why a variant has no price. `Display` gives the sentence for `error_message` (D22).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotPriced {
    /// The age at entry is outside the product's limits, in completed years.
    Age {
        /// Minimum age.
        least: u16,
        /// Maximum age.
        most: u16,
    },
    /// The age at entry is outside the product's limits, and the minimum age is in days or months.
    AgeFrom {
        /// Minimum age.
        least: LeastAge,
        /// Maximum age in completed years.
        most: u16,
    },
    /// The age when cover ends is above the product's limit, in completed years.
    AgeAtEnd {
        /// Maximum age at the end of cover.
        most: u16,
    },
    /// The cover is outside the product's limits.
    Cover {
        /// Minimum cover.
        least: Rupees,
        /// Maximum cover.
        most: Rupees,
    },
    /// The term is outside the product's limits, in months.
    Term {
        /// Minimum term.
        least: u32,
        /// Maximum term.
        most: u32,
    },
    /// The product has no rider with this id.
    Rider(String),
    /// An amount is larger than the service can represent.
    TooLarge,
    /// The insurer refused. The text is the insurer's own reason.
    InsurerRefused(String),
    /// The insurer could not be reached, or its response was invalid.
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

/// One variant's item: the premium of the variant, or the reason why there is no premium.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuoteItem {
    pub variant: VariantId,
    pub outcome: Result<Premium, NotPriced>,
}

/// A stored credit-protection quote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmbeddedQuote {
    pub id: QuoteId,
    /// Partner that requested the quote.
    pub partner: PartnerId,
    pub created_at: Timestamp,
    pub request: QuoteRequest,
    /// Hash of the catalogue version by which the quote was priced.
    pub catalogue: CatalogueHash,
    /// One item per matched variant, in the order of the response.
    pub items: Vec<QuoteItem>,
}

/// Sorts items for the response: priced items by total premium, then items without a price (D22). Items that
/// are equal in this stay in the catalogue's order.
pub fn order(items: &mut [QuoteItem]) {
    items.sort_by_key(|item| match &item.outcome {
        Ok(premium) => (false, premium.total()),
        Err(_) => (true, Rupees::ZERO),
    });
}

impl EmbeddedQuote {
    /// Id of the item at an index. Derived from the quote's id, so it is not stored.
    pub fn recommendation_id(&self, index: usize) -> RecommendationId {
        counted_on(self.id, index as u32 + 1)
    }

    /// Item with this recommendation id, if it belongs to this quote.
    pub fn item(&self, id: RecommendationId) -> Option<&QuoteItem> {
        (0..self.items.len())
            .find(|index| self.recommendation_id(*index) == id)
            .map(|index| &self.items[index])
    }

    /// Last day to make a proposal from this quote, if quotes are valid for `days` days (D40).
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
    fn a_quote_lists_the_cheapest_variant_first_and_failed_variants_last() {
        let indexes: Vec<u128> = quote().items.iter().map(|item| item.variant.uuid().as_u128()).collect();
        assert_eq!(indexes, [3, 2, 1]); // D22
    }

    #[test]
    fn each_quote_item_is_found_only_by_its_own_recommendation_id() {
        let quote = quote();
        for (index, item) in quote.items.iter().enumerate() {
            assert_eq!(quote.item(quote.recommendation_id(index)), Some(item));
        }
        assert_eq!(quote.item(quote.recommendation_id(quote.items.len())), None); // D24
    }
}
