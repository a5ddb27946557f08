//! Prices that are answered: one for each variant asked, in any order.

use std::collections::HashMap;
use std::fmt::Display;

use domain::id::VariantId;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::answer::{self, WrongAnswer};

/// The answer to both ways of asking for prices.
#[derive(Serialize, Deserialize)]
pub(crate) struct Prices<P> {
    /// One for each variant asked.
    pub(crate) prices: Vec<P>,
}

/// One variant's price, or why it has none.
pub(crate) trait Price: DeserializeOwned {
    /// What it offers.
    type Offer: PartialEq;

    /// Why it offers nothing.
    type Refusal: PartialEq + Display;

    /// The variant that it is of.
    fn variant_id(&self) -> &str;

    /// What it says.
    ///
    /// # Errors
    /// What is wrong with it, as the end of a sentence that begins with its variant.
    fn outcome(self) -> Result<Outcome<Self>, &'static str>;
}

/// What the price of a variant says.
pub(crate) type Outcome<P> = Result<<P as Price>::Offer, <P as Price>::Refusal>;

/// Reads prices in the order asked.
///
/// # Errors
/// The first fault: a single wrong price spoils the whole answer, for then nothing else in it is to be trusted.
pub(crate) fn read<P: Price>(body: &[u8], asked: &[VariantId]) -> Result<Vec<Outcome<P>>, WrongAnswer> {
    let Prices { prices } = answer::read::<Prices<P>>(body)?;
    let (came, wanted) = (prices.len(), asked.len());
    let mut priced: HashMap<String, Option<P>> =
        asked.iter().map(|variant| (variant.to_string(), None)).collect();
    for price in prices {
        let place = priced.get_mut(price.variant_id()).ok_or_else(|| {
            WrongAnswer::Variants("the answer has a price for a variant that was not asked".into())
        })?;
        if place.is_some() {
            let twice = format!("the answer has more than one price for {}", price.variant_id());
            return Err(WrongAnswer::Variants(twice));
        }
        *place = Some(price);
    }
    let outcome = |variant: &VariantId| {
        let price = priced.get_mut(&variant.to_string()).and_then(Option::take).ok_or_else(|| {
            WrongAnswer::Variants(format!("{came} prices for {wanted} variants: none for {variant}"))
        })?;
        price.outcome().map_err(|what| WrongAnswer::Content(format!("the amounts of {variant} {what}")))
    };
    asked.iter().map(outcome).collect()
}
