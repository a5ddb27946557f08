//! Answer to a request for prices. It has one price or refusal for each requested variant, in any order.

use std::collections::HashMap;
use std::fmt::Display;

use domain::id::VariantId;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::answer::{self, WrongAnswer};
use super::object::Object;

/// Answer to a request for prices of any line of business.
#[derive(Serialize, Deserialize)]
pub(crate) struct Prices<P> {
    /// One price or refusal for each requested variant.
    pub(crate) prices: Vec<P>,
}

/// Price or refusal of one variant, as the insurer sent it.
pub(crate) trait Price: DeserializeOwned {
    type Offer: PartialEq;

    type Refusal: PartialEq + Display;

    fn variant_id(&self) -> &str;

    /// Parses the price or refusal.
    ///
    /// # Errors
    /// What is wrong with the price or refusal, as the end of a sentence.
    fn outcome(self) -> Result<Outcome<Self>, &'static str>;
}

/// Parsed price or refusal of a variant.
pub(crate) type Outcome<P> = Result<<P as Price>::Offer, <P as Price>::Refusal>;

/// Parses the prices of an answer. Returns them in the order of the requested variants.
///
/// # Errors
/// The first fault of the answer. One wrong price invalidates all prices of the answer, because the others
/// cannot be trusted either.
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
        price
            .outcome()
            .map_err(|what| WrongAnswer::Content(format!("the price of {variant} is wrong: {what}")))
    };
    asked.iter().map(outcome).collect()
}
