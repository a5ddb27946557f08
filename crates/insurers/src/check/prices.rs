//! Checks the answers to price requests.

use domain::health_quote::HealthOffer;
use domain::id::VariantId;
use domain::money::Premium;

use super::{Checker, describe, refuses, sample, sentence};
use crate::client::{Answer, ClientError, Request};
use crate::protocol::answer::WrongAnswer;
use crate::protocol::credit::CreditPrice;
use crate::protocol::health::HealthPrice;
use crate::protocol::prices::{self, Outcome, Price};
use crate::protocol::sentence::NO_WORDS;

/// Line of business, with its requests for prices.
struct Line<'a> {
    /// Prefix for the names of the results.
    name: &'static str,
    variants: &'a [VariantId],
    /// Builds an ordinary request for the prices of some variants.
    ordinary: &'a dyn Fn(&[VariantId]) -> Request,
    /// Request that every insurer must refuse.
    impossible: Request,
    impossible_is_refused: &'static str,
}

impl Checker {
    /// Checks credit-life prices. Returns the first variant that has a price, with the price.
    pub(super) async fn credit_prices(&mut self, variants: &[VariantId]) -> Option<(VariantId, Premium)> {
        let today = self.today;
        let line = Line {
            name: "credit",
            variants,
            ordinary: &|variants| sample::credit(&sample::borrower(today), variants, today),
            impossible: sample::credit(&sample::impossible_borrower(), variants, today),
            impossible_is_refused: "A borrower older than 120 years is refused, with a reason for the customer.",
        };
        let outcomes = self.prices::<CreditPrice>(line).await?;
        let mut priced = variants.iter().zip(outcomes);
        priced.find_map(|(variant, outcome)| Some((*variant, outcome.ok()?)))
    }

    /// Checks health prices. Returns the first variant that has an offer, with the offer.
    pub(super) async fn health_prices(&mut self, variants: &[VariantId]) -> Option<(VariantId, HealthOffer)> {
        let today = self.today;
        let line = Line {
            name: "health",
            variants,
            ordinary: &|variants| sample::health(&sample::family(), variants, today),
            impossible: sample::health(&sample::impossible_family(), variants, today),
            impossible_is_refused: "A sum insured of one paisa is refused, with a reason for the customer.",
        };
        let outcomes = self.prices::<HealthPrice>(line).await?;
        let mut offered = variants.iter().zip(outcomes);
        offered.find_map(|(variant, outcome)| Some((*variant, outcome.ok()?)))
    }

    async fn prices<P: Price>(&mut self, line: Line<'_>) -> Option<Vec<Outcome<P>>> {
        if line.variants.is_empty() {
            return None;
        }
        let name = |what: &str| format!("{}-{what}", line.name);
        let answer = self.send(&(line.ordinary)(line.variants)).await;
        let first = self.ordinary::<P>(&line, answer)?;

        const SAME: &str = "The same request gets the same prices.";
        let again = self.ask::<P>(&(line.ordinary)(line.variants), line.variants).await;
        self.compare::<P>(name("same-again"), SAME, &first, again);

        const ANY_ORDER: &str = "The order of the requested variants changes no price.";
        let backwards: Vec<VariantId> = line.variants.iter().rev().copied().collect();
        let mut again = self.ask::<P>(&(line.ordinary)(&backwards), &backwards).await;
        if let Ok(outcomes) = &mut again {
            outcomes.reverse();
        }
        self.compare::<P>(name("any-order"), ANY_ORDER, &first, again);

        self.unknown_variant::<P>(&line).await;
        self.impossible::<P>(&line).await;

        const NOT_JSON: &str = "A body that is not JSON is refused with a status from 400 to 499.";
        let broken = Request { body: b"{".to_vec(), ..(line.ordinary)(line.variants) };
        let answer = self.send(&broken).await;
        self.note(name("not-json"), NOT_JSON, refuses(&answer), describe(&answer));
        Some(first)
    }

    /// Checks the answer to an ordinary request: first the status, then the format, then the values.
    fn ordinary<P: Price>(
        &mut self,
        line: &Line<'_>,
        answer: Result<Answer, ClientError>,
    ) -> Option<Vec<Outcome<P>>> {
        const JSON: &str = "The answer to a price request has status 200 and Content-Type application/json.";
        const SHAPE: &str = "The answer is JSON in the protocol's format.";
        const EACH_ONCE: &str =
            "Each requested variant has exactly one price or refusal, and no other variant has one.";
        const AMOUNTS: &str =
            "Amounts are text with two decimals and not negative, and each premium adds up.";
        const SOME: &str = "An ordinary request gets at least one price.";
        let name = |what: &str| format!("{}-{what}", line.name);
        let body = match answer.and_then(Answer::body) {
            Ok(body) => body,
            Err(fault) => {
                self.note(name("json"), JSON, false, sentence(fault));
                return None;
            }
        };
        self.note(name("json"), JSON, true, "");
        let read = prices::read::<P>(&body, line.variants);
        let depth = match &read {
            Err(WrongAnswer::Shape(_)) => 0,
            Err(WrongAnswer::Variants(_)) => 1,
            Err(WrongAnswer::Content(_)) => 2,
            Ok(_) => 3,
        };
        let looked = [("shape", SHAPE), ("each-once", EACH_ONCE), ("amounts", AMOUNTS)];
        for (at, (what, wanted)) in looked.into_iter().enumerate() {
            match &read {
                Err(wrong) if at == depth => self.note(name(what), wanted, false, sentence(wrong.in_full())),
                _ if at > depth => {
                    self.skip(name(what), wanted, "An earlier fault in the answer prevented this check.")
                }
                _ => self.note(name(what), wanted, true, ""),
            }
        }
        let outcomes = read.ok()?;
        let priced = outcomes.iter().filter(|outcome| outcome.is_ok()).count();
        let found = format!("{priced} of {} variants have a price.", outcomes.len());
        self.note(name("some"), SOME, priced > 0, found);
        Some(outcomes)
    }

    /// Requests prices, and parses the answer.
    async fn ask<P: Price>(
        &mut self,
        request: &Request,
        asked: &[VariantId],
    ) -> Result<Vec<Outcome<P>>, String> {
        let body = self.send(request).await.and_then(Answer::body).map_err(sentence)?;
        prices::read::<P>(&body, asked).map_err(|wrong| sentence(wrong.in_full()))
    }

    fn compare<P: Price>(
        &mut self,
        name: String,
        wanted: &'static str,
        first: &[Outcome<P>],
        again: Result<Vec<Outcome<P>>, String>,
    ) {
        let found = match again {
            Ok(again) if again == first => None,
            Ok(_) => Some("The prices were different.".to_owned()),
            Err(wrong) => Some(wrong),
        };
        self.note(name, wanted, found.is_none(), found.unwrap_or_default());
    }

    async fn unknown_variant<P: Price>(&mut self, line: &Line<'_>) {
        const UNKNOWN: &str =
            "A variant that the insurer does not have is refused, or the whole request is refused.";
        let name = format!("{}-unknown-variant", line.name);
        let unknown = [self.ids.make()];
        let answer = self.send(&(line.ordinary)(&unknown)).await;
        let good = refuses(&answer);
        let found = match answer {
            Ok(answer) if answer.status.is_success() => {
                let read = answer.body().map_err(sentence).and_then(|body| {
                    prices::read::<P>(&body, &unknown).map_err(|wrong| sentence(wrong.in_full()))
                });
                match read {
                    Ok(outcomes) if outcomes.iter().all(Result::is_err) => None,
                    Ok(_) => Some("The unknown variant has a price.".to_owned()),
                    Err(wrong) => Some(wrong),
                }
            }
            _ if good => None,
            other => Some(describe(&other)),
        };
        self.note(name, UNKNOWN, found.is_none(), found.unwrap_or_default());
    }

    async fn impossible<P: Price>(&mut self, line: &Line<'_>) {
        let found = match self.ask::<P>(&line.impossible, line.variants).await {
            Err(wrong) => Some(wrong),
            Ok(outcomes) => {
                let words = |refusal: &P::Refusal| refusal.to_string() != NO_WORDS;
                match outcomes.iter().position(|outcome| outcome.is_ok()) {
                    Some(at) => Some(format!("{} has a price.", line.variants[at])),
                    None if outcomes.iter().all(|outcome| outcome.as_ref().err().is_some_and(words)) => None,
                    None => Some("A refusal has no reason for the customer.".to_owned()),
                }
            }
        };
        let name = format!("{}-impossible", line.name);
        self.note(name, line.impossible_is_refused, found.is_none(), found.unwrap_or_default());
    }
}
