//! Checks access to an insurer's server: it answers, accepts the right secret, refuses other secrets.

use std::sync::Arc;

use axum::http::StatusCode;
use domain::id::VariantId;
use rating::Authentication;

use super::{Checker, LateClock, client, describe, sample, send_to};
use crate::client::{Client, ClientError, Request};
use crate::secret::{Secret, Secrets};
use crate::signature::{Credentials, SecretSource};

/// Age of a signature, in seconds, that the server must refuse as too old.
const TOO_OLD: i64 = 301;

/// How far a request to the server gets.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    Unreachable,
    Refused,
    Admitted,
}

impl Checker {
    /// First request of the check, which every server must answer.
    pub(super) fn probe(&self, credit: &[VariantId], health: &[VariantId]) -> Request {
        if credit.is_empty() {
            sample::health(&sample::family(), health, self.today)
        } else {
            sample::credit(&sample::borrower(self.today), credit, self.today)
        }
    }

    /// Checks that the server answers, and that it accepts the secret of this check.
    pub(super) async fn check_access(&mut self, probe: &Request) -> Reach {
        let answer = self.send(probe).await;
        let reachable = !matches!(answer, Err(ClientError::Unreachable(_)));
        let found = if reachable { String::new() } else { describe(&answer) };
        self.note("reachable", "The server answers HTTP requests at this address.", reachable, found);
        if !reachable {
            return Reach::Unreachable;
        }
        let refused = [StatusCode::UNAUTHORIZED, StatusCode::FORBIDDEN];
        let admitted = !answer.as_ref().is_ok_and(|answer| refused.contains(&answer.status));
        let wanted = if self.credentials.is_some() {
            "A request with the right secret is accepted."
        } else {
            "A request without a secret is accepted, because this check has no secret."
        };
        self.note("let-in", wanted, admitted, if admitted { String::new() } else { describe(&answer) });
        if admitted { Reach::Admitted } else { Reach::Refused }
    }

    /// Checks that the server refuses unauthenticated requests.
    pub(super) async fn unauthenticated_requests(&mut self, probe: &Request) {
        const NO_SECRET: &str = "A request without a secret is refused with 401.";
        const WRONG_SECRET: &str = "A request with a wrong secret is refused with 401.";
        const OLD: &str = "A signature older than 300 seconds is refused with 401.";
        let Some(own) = self.credentials.clone() else {
            let why = "This check has no secret: add --authentication and --secret-file.";
            self.skip("stranger", NO_SECRET, why);
            return;
        };
        let wrong_credentials = SecretSource::Given(Secrets::one(Secret::random(self.random.as_ref())));
        let wrong_credentials = Credentials { authentication: own.authentication, source: wrong_credentials };
        let clock = self.clock.clone();
        self.refuses("stranger", NO_SECRET, probe, client(&self.url, None, clock.clone())).await;
        let with_wrong_secret = client(&self.url, Some(Arc::new(wrong_credentials)), clock.clone());
        self.refuses("wrong-secret", WRONG_SECRET, probe, with_wrong_secret).await;
        if own.authentication == Authentication::Hmac {
            let with_old_signature = client(&self.url, Some(own), Arc::new(LateClock(clock, TOO_OLD)));
            self.refuses("old-signature", OLD, probe, with_old_signature).await;
        }
    }

    /// Checks that the server refuses a request of `client` with 401.
    async fn refuses(
        &mut self,
        name: &str,
        wanted: &'static str,
        probe: &Request,
        client: Result<Client, String>,
    ) {
        let answer = match client {
            Ok(client) => send_to(&client, probe).await,
            Err(why) => return self.skip(name, wanted, &why),
        };
        let refused = answer.as_ref().is_ok_and(|answer| answer.status == StatusCode::UNAUTHORIZED);
        self.note(name, wanted, refused, if refused { String::new() } else { describe(&answer) });
    }
}
