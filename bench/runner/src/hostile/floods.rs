//! Floods, each with the similar traffic of a polite client to compare it with.

use std::net::SocketAddr;

use super::traffic::Traffic;
use crate::Fault;
use crate::client::Partner;
use crate::load::Request;

/// New connections per second of a flood whose connections cost its client little.
const PER_SECOND: u32 = 300;

/// New connections per second of a flood whose responses have many megabytes.
const READERS_PER_SECOND: u32 = 10;

/// Number of pipelined requests of each such connection.
const PIPELINED: usize = 8;

/// Number of connections of a client that sends as much as it can: twice the default concurrency limit.
const GREEDY: usize = 512;

/// Number of connections of one customer's browser.
const BROWSER: usize = 64;

/// Size of a form that the console still takes, in bytes, less its names.
const LARGEST_FORM: usize = 60 * 1024;

/// Size of a body that is never sent completely, in bytes.
const BODY: usize = 1000;

/// Flood, with the polite traffic that it is compared with.
pub(super) struct Flood {
    pub(super) name: &'static str,
    /// Address of the flood, if it is not the partners' one.
    pub(super) at: Option<SocketAddr>,
    pub(super) hostile: Traffic,
    pub(super) polite: Polite,
}

/// Traffic of a polite client.
pub(super) enum Polite {
    /// Fixed traffic.
    Same(Traffic),
    /// This request, evenly spread, as often per second as the flood got answers.
    Evenly(Vec<u8>),
    /// None: the flood is compared with an idle server.
    Nothing,
}

/// Server and partner from whose requests floods are made.
pub(super) struct Scene<'a> {
    pub(super) address: SocketAddr,
    pub(super) other: &'a Partner,
}

impl Scene<'_> {
    fn bytes(&self, request: &Request) -> Vec<u8> {
        let Request { method, path, body, token, cookie, .. } = request;
        let mut head = format!("{method} {path} HTTP/1.1\r\nHost: {}\r\n", self.address);
        if let Some(token) = token {
            head += &format!("Authorization: Bearer {token}\r\n");
        }
        if let Some(cookie) = cookie {
            head += &format!("Cookie: {cookie}\r\n");
        }
        let Some(body) = body else { return (head + "\r\n").into_bytes() };
        let kind =
            if body.starts_with('{') { "application/json" } else { "application/x-www-form-urlencoded" };
        format!("{head}Content-Type: {kind}\r\nContent-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
    }

    pub(super) fn get(&self, path: &str) -> Vec<u8> {
        self.bytes(&Request { method: "GET", path: path.to_owned(), ..Request::default() })
    }

    fn post(&self, path: &str, body: &str, token: Option<&str>) -> Vec<u8> {
        let (path, body, token) = (path.to_owned(), Some(body.to_owned()), token.map(str::to_owned));
        self.bytes(&Request { method: "POST", path, body, token, ..Request::default() })
    }

    pub(super) fn quote(&self, partner: &Partner) -> Vec<u8> {
        self.bytes(&partner.quote_request())
    }

    /// Flood of requests with only one byte of the body. The polite client sends them completely.
    fn unfinished(&self, name: &'static str, path: &str, body: &str, token: Option<&str>) -> Flood {
        let whole = self.post(path, &format!("{body:<BODY$}"), token);
        let first = whole[..whole.len() - BODY + 1].to_vec();
        Flood {
            name,
            at: None,
            hostile: Traffic::Held { per_second: PER_SECOND, first, slowly: Vec::new() },
            polite: Polite::Same(Traffic::Completed { per_second: PER_SECOND, requests: whole, answers: 1 }),
        }
    }

    /// All floods for a server with workers.
    pub(super) async fn floods(&self) -> Result<Vec<Flood>, Fault> {
        let nobody = r#"{"client_id":"nobody","client_secret":"nothing","scopes":["business"]}"#;
        let session = self.other.token_for(&["business.session"]).await?;
        let (cookie, proof) = self.other.customer_at_plans().await?;
        let form = |step: &str, answers: &str| {
            let form = format!("proof={proof}&{answers}");
            let cookie = Some(cookie.clone());
            self.bytes(&Request {
                cookie,
                token: None,
                ..Request::post(&format!("/health/{step}"), &form, "")
            })
        };
        let page = Request { cookie: Some(cookie.clone()), token: None, ..Request::get("/health/cover", "") };
        let bundle = self.get("/docs/assets/redoc.js").repeat(PIPELINED);
        let keys = self.get("/.well-known/jwks.json");
        let new = |requests: Vec<u8>| {
            Polite::Same(Traffic::Completed { per_second: PER_SECOND, requests, answers: 1 })
        };
        Ok(vec![
            self.unfinished("token requests without their bodies", "/v1/auth/token", nobody, None),
            self.unfinished(
                "session requests without their bodies, by a partner's token",
                "/v1/business/session",
                "{}",
                Some(&session),
            ),
            Flood {
                name: "quotes, as many as another partner can send",
                at: None,
                hostile: Traffic::Greedy { connections: GREEDY, requests: vec![self.quote(self.other)] },
                polite: Polite::Evenly(self.quote(self.other)),
            },
            Flood {
                name: "one customer who changes answers without a pause",
                at: None,
                hostile: Traffic::Greedy {
                    connections: BROWSER,
                    requests: vec![
                        form("who", "self=34&spouse=36"),
                        form("cover", "plan=base&sum=1000000"),
                        form("who", "self=35&spouse=36"),
                        form("cover", "plan=base&sum=500000"),
                    ],
                },
                polite: Polite::Evenly(self.bytes(&page)),
            },
            Flood {
                name: "readers who never read a large response",
                at: None,
                hostile: Traffic::Held {
                    per_second: READERS_PER_SECOND,
                    first: bundle.clone(),
                    slowly: Vec::new(),
                },
                polite: Polite::Same(Traffic::Completed {
                    per_second: READERS_PER_SECOND,
                    requests: bundle,
                    answers: PIPELINED,
                }),
            },
            Flood {
                name: "headers that come slowly",
                at: None,
                hostile: Traffic::Held { per_second: PER_SECOND, first: Vec::new(), slowly: keys.clone() },
                polite: new(keys),
            },
            Flood {
                name: "connections that only open",
                at: None,
                hostile: Traffic::Held { per_second: PER_SECOND, first: Vec::new(), slowly: Vec::new() },
                polite: new(self.get("/livez")),
            },
        ])
    }

    /// Floods of the operators' console, which listens at another address.
    pub(super) fn floods_of_console(&self, console: SocketAddr) -> Vec<Flood> {
        let there = Scene { address: console, other: self.other };
        let login = r#"{"machine":"flood"}"#;
        let devices = "/operator/v1/devices";
        let largest = format!("ceremony=x&credential={}", "x".repeat(LARGEST_FORM));
        let greedy = |name, request: Vec<u8>| Flood {
            name,
            at: Some(console),
            hostile: Traffic::Greedy { connections: BROWSER, requests: vec![request] },
            polite: Polite::Nothing,
        };
        let unfinished = there.unfinished("console: requests without their bodies", devices, login, None);
        vec![
            Flood { at: Some(console), polite: Polite::Nothing, ..unfinished },
            greedy("console: command lines that sign in", there.post(devices, login, None)),
            greedy("console: the largest bodies", there.post("/sign-in", &largest, None)),
            greedy("console: pages", there.get("/sign-in")),
            greedy("console: refused tokens", there.get("/operator/v1/policies")),
        ]
    }

    /// Flood for a server without workers, where pages wait for a recommendation in vain.
    pub(super) async fn waiting_pages(&self) -> Result<Flood, Fault> {
        let (cookie, _) = self.other.customer_at_plans().await?;
        let page = |path: &str| {
            self.bytes(&Request { cookie: Some(cookie.clone()), token: None, ..Request::get(path, "") })
        };
        Ok(Flood {
            name: "one customer whose pages wait for prices",
            at: None,
            hostile: Traffic::Greedy { connections: BROWSER, requests: vec![page("/health/plans?seen=0")] },
            polite: Polite::Evenly(page("/health/plans")),
        })
    }
}
