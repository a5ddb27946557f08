//! Requests of a partner that were refused (D150).

use std::collections::BTreeMap;
use std::time::Duration;

use domain::date::{Timestamp, kolkata_time};
use domain::text::one_line;
use service::partner::request_log::RequestQuery;

use crate::act::answer::Done;
use crate::act::fields::PartnerName;
use crate::act::input::input;
use crate::act::shown::answer;
use crate::act::{About, Act, On, Result, Role, get};

/// Most refused requests that are counted.
const COUNTED: usize = 10_000;

/// Most refused requests that are listed.
const EXAMPLES: usize = 20;

input! {
    /// Count the refused requests of a partner by code and hour, and list the newest 20
    struct ListRefusals {
        /// partner_id or client_id
        partner: PartnerName,
        /// Hours to look back
        #[flag(range = (1, 168))]
        hours: u16 = 24,
    }
}

impl Act for ListRefusals {
    const ABOUT: About =
        get("partner.refusals", "/partners/{partner}/refusals", &[Role::Read, Role::Support]);

    type Answer = Done<Refusals>;

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let of = self.partner.find(on).await?;
        let log = &on.service.request_log;
        let since = Some(log.now() - Duration::from_hours(self.hours.into()));
        let query = RequestQuery { since, until: None, status: Some((400, 599)), from: None, most: COUNTED };
        let refused = log.list(of, &query).await?.requests;
        let mut counts: BTreeMap<(String, String), usize> = BTreeMap::new();
        for (_, request) in &refused {
            let hour = kolkata_time(request.at).strftime("%Y-%m-%d %H:00").to_string();
            let code = request.code.as_deref().unwrap_or_default().to_owned();
            *counts.entry((hour, code)).or_default() += 1;
        }
        let count =
            |((hour, code), requests): ((String, String), usize)| RefusalCount { hour, code, requests };
        let examples = refused.iter().take(EXAMPLES).map(|(_, request)| RefusedRequest {
            at: request.at,
            request: one_line(&format!("{} {}", request.method, request.route), 200).unwrap_or_default(),
            status: request.status,
            code: request.code.as_deref().map(str::to_owned),
            request_id: request.id.simple().to_string(),
        });
        Ok(Done::of(Refusals {
            counts: counts.into_iter().map(count).collect(),
            examples: examples.collect(),
        }))
    }
}

answer! {
    /// Refused requests of a partner
    struct Refusals {
        /// Number of refused requests by hour and code, oldest hour first
        #[shown(columns = ["hour", "code", "requests"])]
        counts: Vec<RefusalCount>,
        /// The newest refused requests
        #[shown(columns = ["at", "request", "status", "code", "request_id"])]
        examples: Vec<RefusedRequest>,
    }
}

answer! {
    /// Number of refused requests of an hour with a code
    struct RefusalCount {
        /// Begin of the hour, in Asia/Kolkata
        hour: String,
        /// Error code
        code: String,
        /// Number of requests
        requests: usize,
    }
}

answer! {
    /// A refused request, without its body
    struct RefusedRequest {
        /// When it was answered
        at: Timestamp,
        /// Method and route
        request: String,
        /// HTTP status
        status: u16,
        /// Error code
        code: Option<String>,
        /// Id of the request, as its answer names it
        request_id: String,
    }
}
