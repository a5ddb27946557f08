//! Proxy between an integration and the service, which makes some calls fail.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use local_http::{Client, Received, Reply, Request, Response};
use serde_json::json;

use super::operation::Operations;
use super::record::{Call, Record};
use super::trouble::{RETRY_AFTER, SLOW, Trouble, Troubles};

/// Longest wait for an answer of the service.
const ANSWER: Duration = Duration::from_secs(60);

pub(super) struct Proxy {
    client: Client,
    service: String,
    operations: Operations,
    troubles: Mutex<Troubles>,
    record: Mutex<Record>,
    begun: Instant,
}

impl Proxy {
    /// A proxy to the service at an address. `seed` decides which calls get which simulated failure.
    pub(super) fn to(service: &str, seed: u64) -> Self {
        Proxy {
            client: Client::new(),
            service: service.to_owned(),
            operations: Operations::of(&web::api::document()),
            troubles: Mutex::new(Troubles::new(seed)),
            record: Mutex::default(),
            begun: Instant::now(),
        }
    }

    /// Calls and messages recorded so far.
    pub(super) fn record(&self) -> MutexGuard<'_, Record> {
        self.record.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Copy of the record, with the present time as the end of the check.
    pub(super) fn ended(&self) -> Record {
        Record { ended_at: self.begun.elapsed(), ..self.record().clone() }
    }

    /// Answers a call of the integration.
    pub(super) async fn answer(self: Arc<Self>, received: Received) -> Reply {
        let Some(operation) = self.operations.find(&received.method, &received.target) else {
            return Reply::Response(self.pass_on(&received).await.unwrap_or_else(away));
        };
        let call = Call::of(operation, &received, self.begun.elapsed());
        let (at, trouble) = {
            let mut record = self.record();
            let mut troubles = self.troubles.lock().unwrap_or_else(PoisonError::into_inner);
            let at = record.add(call, || troubles.next(operation));
            (at, record.calls[at].trouble)
        };
        let open = OpenCall { proxy: self.clone(), at, is_answered: false };
        let reply = match trouble {
            Some(trouble @ (Trouble::Refused | Trouble::TooManyTokens)) => Reply::Response(busy(trouble)),
            trouble => match self.pass_on(&received).await {
                Ok(response) if response.is_success() => troubled(trouble, response).await,
                // The service's own errors are passed on unchanged.
                other => {
                    self.record().calls[at].trouble = None;
                    Reply::Response(other.unwrap_or_else(away))
                }
            },
        };
        open.answered(&reply);
        reply
    }

    async fn pass_on(&self, received: &Received) -> Result<Response, String> {
        let request = Request {
            method: received.method.clone(),
            url: format!("{}{}", self.service, received.target),
            headers: received.headers.clone(),
            body: received.body.clone(),
        };
        self.client.send(&request, ANSWER).await
    }
}

/// A call that has no answer yet.
struct OpenCall {
    proxy: Arc<Proxy>,
    at: usize,
    is_answered: bool,
}

impl OpenCall {
    fn answered(mut self, reply: &Reply) {
        self.is_answered = true;
        let status = match reply {
            Reply::Response(response) => Some(response.status),
            Reply::Closed => None,
        };
        self.proxy.record().calls[self.at].ended = Some((self.proxy.begun.elapsed(), status));
    }
}

impl Drop for OpenCall {
    /// The server drops this value if the integration disconnects before it has its answer.
    fn drop(&mut self) {
        if !self.is_answered {
            let mut record = self.proxy.record();
            record.calls[self.at].was_left = true;
            record.calls[self.at].ended = Some((self.proxy.begun.elapsed(), None));
        }
    }
}

/// The reply to the integration: the service's response, changed by the simulated failure, if any.
async fn troubled(trouble: Option<Trouble>, response: Response) -> Reply {
    match trouble {
        Some(Trouble::DoneButDropped) => Reply::Closed,
        Some(trouble @ (Trouble::DoneButRefused | Trouble::Refused | Trouble::TooManyTokens)) => {
            Reply::Response(busy(trouble))
        }
        Some(Trouble::Slow) => {
            tokio::time::sleep(SLOW).await;
            Reply::Response(response)
        }
        None => Reply::Response(response),
    }
}

fn busy(trouble: Trouble) -> Response {
    let (status, code, title) = match trouble {
        Trouble::TooManyTokens => (429, "A4290", "Rate Limit Exceeded"),
        _ => (503, "E5030", "Service Unavailable"),
    };
    problem(status, code, title, "covernote certify returns this error on purpose.", true)
}

fn away(why: String) -> Response {
    problem(502, "E5020", "Bad Gateway", &format!("covernote certify called the service: {why}."), false)
}

fn problem(status: u16, code: &str, title: &str, detail: &str, says_when: bool) -> Response {
    let mut headers = vec![("content-type".to_owned(), "application/json".to_owned())];
    headers.extend(says_when.then(|| ("retry-after".to_owned(), RETRY_AFTER.as_secs().to_string())));
    let body = json!({ "type": code, "title": title, "detail": detail, "additional_info": [] });
    Response { status, headers, body: body.to_string().into_bytes() }
}
