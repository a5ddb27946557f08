//! Whether the server is there, lets us in, and nobody else.

use std::sync::Arc;

use axum::http::StatusCode;
use domain::id::VariantId;
use rating::Authentication;

use super::{Behind, Examiner, exchange, sample, send_to, told};
use crate::exchange::{Exchange, Fault, Request};
use crate::secret::{Secret, Secrets};
use crate::signature::{Credentials, Source};

/// Seconds after which a signature is too old for certain.
const TOO_OLD: i64 = 301;

/// How far we came.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reached {
    Nobody,
    Door,
    Inside,
}

impl Examiner {
    /// The request that is tried first: any that the server must answer.
    pub(super) fn knock(&self, credit: &[VariantId], health: &[VariantId]) -> Request {
        if credit.is_empty() {
            sample::health(&sample::family(), health, self.today)
        } else {
            sample::credit(&sample::borrower(self.today), credit, self.today)
        }
    }

    /// Whether anything answers, and lets us in.
    pub(super) async fn reaches(&mut self, knock: &Request) -> Reached {
        let answer = self.send(knock).await;
        let reachable = !matches!(answer, Err(Fault::Unreachable(_)));
        let found = if reachable { String::new() } else { told(&answer) };
        self.note("reachable", "The server answers HTTP requests at this address.", reachable, found);
        if !reachable {
            return Reached::Nobody;
        }
        let refused = [StatusCode::UNAUTHORIZED, StatusCode::FORBIDDEN];
        let let_in = !answer.as_ref().is_ok_and(|answer| refused.contains(&answer.status));
        let wanted = if self.credentials.is_some() {
            "A request with the right secret is let in."
        } else {
            "A request without a secret is let in, for none was given to this check."
        };
        self.note("let-in", wanted, let_in, if let_in { String::new() } else { told(&answer) });
        if let_in { Reached::Inside } else { Reached::Door }
    }

    /// Whether strangers are refused.
    pub(super) async fn strangers(&mut self, knock: &Request) {
        const NO_SECRET: &str = "A request without a secret is refused with 401.";
        const WRONG_SECRET: &str = "A request with a wrong secret is refused with 401.";
        const OLD: &str = "A signature of more than 300 seconds ago is refused with 401.";
        let Some(own) = self.credentials.clone() else {
            let why = "No secret was given to this check: say --authentication and --secret-file.";
            self.skip("stranger", NO_SECRET, why);
            return;
        };
        let forged = Source::Given(Secrets::one(Secret::random(self.random.as_ref())));
        let forged = Credentials { authentication: own.authentication, source: forged };
        let clock = self.clock.clone();
        self.stranger("stranger", NO_SECRET, knock, exchange(&self.url, None, clock.clone())).await;
        let forger = exchange(&self.url, Some(Arc::new(forged)), clock.clone());
        self.stranger("wrong-secret", WRONG_SECRET, knock, forger).await;
        if own.authentication == Authentication::Hmac {
            let late = exchange(&self.url, Some(own), Arc::new(Behind(clock, TOO_OLD)));
            self.stranger("old-signature", OLD, knock, late).await;
        }
    }

    async fn stranger(
        &mut self,
        name: &str,
        wanted: &'static str,
        knock: &Request,
        stranger: Result<Exchange, String>,
    ) {
        let answer = match stranger {
            Ok(stranger) => send_to(&stranger, knock).await,
            Err(why) => return self.skip(name, wanted, &why),
        };
        let refused = answer.as_ref().is_ok_and(|answer| answer.status == StatusCode::UNAUTHORIZED);
        self.note(name, wanted, refused, if refused { String::new() } else { told(&answer) });
    }
}
