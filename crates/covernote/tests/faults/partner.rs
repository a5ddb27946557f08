//! A partner that sends requests to one server, one after another.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use crate::bodies;
use crate::http::{Answer, Connection, Request};
use crate::load::{PROPOSAL, QUOTE};

/// Longest time without a store: the timeout of a statement, plus the search for the new primary.
const AWAY_AT_MOST: Duration = Duration::from_secs(30);

/// A partner of a server.
pub struct Partner {
    pub server: SocketAddr,
    pub token: String,
}

impl Partner {
    pub fn ask(&self, request: &Request) -> Answer {
        let answer = Connection::default().ask(self.server, Some(&self.token), request);
        answer.expect("an answer")
    }

    /// Repeats the request while the store is unavailable.
    #[track_caller]
    pub fn ask_until_there(&self, request: &Request) -> Answer {
        let asked = Instant::now();
        loop {
            let answer = self.ask(request);
            if !answer.is_away() {
                return answer;
            }
            assert!(asked.elapsed() < AWAY_AT_MOST, "the store stays away: {}", answer.text());
        }
    }

    /// Creates a proposal once the store is available, and returns its id.
    #[track_caller]
    pub fn proposes(&self) -> String {
        let quote = self.ask_until_there(&Request::post(QUOTE, &bodies::quote())).json();
        let quote = &quote["payload"];
        let items = quote["recommendations"].as_array().expect("a list");
        let item = items.iter().find(|item| item["is_error"] == false).expect("one that is priced");
        let body = bodies::proposal(&quote["quote_id"], &item["recommendation_id"], "DRAFT");
        let answer = self.ask_until_there(&Request::post(PROPOSAL, &body));
        assert_eq!(answer.status, 201, "{}", answer.text());
        answer.json()["payload"]["proposal_id"].as_str().expect("an id").to_owned()
    }
}
