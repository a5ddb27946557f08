//! The answer to a price request: one price for each requested variant, in any order.

use std::collections::HashMap;
use std::fmt::Display;

use domain::id::VariantId;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::answer::{self, WrongAnswer};
use super::object::Object;

/// The answer to a price request of either line of business.
#[derive(Serialize, Deserialize)]
pub(crate) struct Prices<P> {
    /// One for each requested variant.
    pub(crate) prices: Vec<P>,
}

/// The price or the refusal of one variant.
pub(crate) trait Price: DeserializeOwned {
    /// An offer.
    type Offer: PartialEq;

    /// A refusal.
    type Refusal: PartialEq + Display;

    /// The variant's id.
    fn variant_id(&self) -> &str;

    /// Parses the price.
    ///
    /// # Errors
    /// The fault, as the end of a sentence that begins with the variant.
    fn outcome(self) -> Result<Outcome<Self>, &'static str>;
}

/// The parsed price of a variant.
pub(crate) type Outcome<P> = Result<<P as Price>::Offer, <P as Price>::Refusal>;

/// Parses prices, and puts them into the order of the request.
///
/// # Errors
/// The first fault. One wrong price makes the whole answer wrong: the other prices cannot be trusted either.
pub(crate) fn read<P: Price>(body: &[u8], asked: &[VariantId]) -> Result<Vec<Outcome<P>>, WrongAnswer> {
    let Prices { prices } = answer::read::<Prices<Object<P>>>(body)?;
    let (received, requested) = (prices.len(), asked.len());
    let mut priced: HashMap<String, Option<P>> =
        asked.iter().map(|variant| (variant.to_string(), None)).collect();
    for Object(price) in prices {
        let slot = priced.get_mut(price.variant_id()).ok_or_else(|| {
            WrongAnswer::Variants("the answer has a price for a variant that was not requested".into())
        })?;
        if slot.is_some() {
            let twice = format!("the answer has more than one price for {}", price.variant_id());
            return Err(WrongAnswer::Variants(twice));
        }
        *slot = Some(price);
    }
    let outcome = |variant: &VariantId| {
        let price = priced.get_mut(&variant.to_string()).and_then(Option::take).ok_or_else(|| {
            WrongAnswer::Variants(format!("{received} prices for {requested} variants: none for {variant}"))
        })?;
        price.outcome().map_err(|what| WrongAnswer::Content(format!("the amounts of {variant} {what}")))
    };
    asked.iter().map(outcome).collect()
}
