//! Metrics of requests. The counter and the histogram for each kind of request are looked up only once.

use std::collections::HashMap;
use std::time::Duration;

use arc_swap::ArcSwap;
use foldhash::fast::RandomState;
use metrics::{Counter, Histogram};

/// Metrics of the requests so far, by route. Reading takes no lock, because all processors would write to the
/// lock.
#[derive(Default)]
pub(crate) struct RequestMetrics(ArcSwap<HashMap<String, Vec<RouteMetrics>, RandomState>>);

/// Metrics of requests with one method, route and status.
#[derive(Clone)]
struct RouteMetrics {
    method: &'static str,
    status: u16,
    requests: Counter,
    seconds: Histogram,
}

impl RequestMetrics {
    /// Records an answered request.
    pub(crate) fn record(&self, method: &'static str, route: &str, status: u16, took: Duration) {
        let known = self.0.load();
        let kinds = known.get(route).map(Vec::as_slice).unwrap_or_default();
        if let Some(kind) = kinds.iter().find(|kind| kind.method == method && kind.status == status) {
            return kind.record(took);
        }
        let kind = RouteMetrics::of(method, route, status);
        kind.record(took);
        self.0.rcu(|known| {
            let mut known = HashMap::clone(known);
            // If two requests add the same kind at once, the recorder counts both together.
            known.entry(route.to_owned()).or_default().push(kind.clone());
            known
        });
    }
}

impl RouteMetrics {
    fn of(method: &'static str, route: &str, status: u16) -> Self {
        let (route, shown) = (route.to_owned(), status.to_string());
        RouteMetrics {
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
