//! Metrics of requests. The counter and histogram of each kind are looked up once, not once a request.

use std::collections::HashMap;
use std::time::Duration;

use arc_swap::ArcSwap;
use foldhash::fast::RandomState;
use metrics::{Counter, Histogram};

/// The metrics of every kind of request so far, by its route, which is one of ours. They are read without a lock, which all
/// processors would write.
#[derive(Default)]
pub(crate) struct RequestMetrics(ArcSwap<HashMap<String, Vec<Kind>, RandomState>>);

/// Requests of one method on one route with one status.
#[derive(Clone)]
struct Kind {
    method: &'static str,
    status: u16,
    requests: Counter,
    seconds: Histogram,
}

impl RequestMetrics {
    /// Records a request that got its response.
    pub(crate) fn record(&self, method: &'static str, route: &str, status: u16, took: Duration) {
        let known = self.0.load();
        let kinds = known.get(route).map(Vec::as_slice).unwrap_or_default();
        if let Some(kind) = kinds.iter().find(|kind| kind.method == method && kind.status == status) {
            return kind.record(took);
        }
        let kind = Kind::of(method, route, status);
        kind.record(took);
        self.0.rcu(|known| {
            let mut known = HashMap::clone(known);
            // Two requests may find it missing at once; the recorder counts both as one kind.
            known.entry(route.to_owned()).or_default().push(kind.clone());
            known
        });
    }
}

impl Kind {
    fn of(method: &'static str, route: &str, status: u16) -> Self {
        let (route, shown) = (route.to_owned(), status.to_string());
        Kind {
            method,
            status,
            requests: metrics::counter!("covernote_http_requests_total", "method" => method, "route" => route.clone(), "status" => shown),
            seconds: metrics::histogram!("covernote_http_request_seconds", "method" => method, "route" => route),
        }
    }

    fn record(&self, took: Duration) {
        self.requests.increment(1);
        self.seconds.record(took.as_secs_f64());
    }
}
