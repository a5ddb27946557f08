//! Outermost layer of every request: request id, permit, deadline, one log line. It turns every refusal into
//! the error object (D10).

use std::borrow::Cow;
use std::convert::Infallible;
use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use axum::extract::{MatchedPath, Request};
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, Version, header};
use axum::response::{IntoResponse, Response};
use axum::routing::Route;
use domain::id::{PartnerId, Uuid};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use service::acting::{self, Acting, Via};
use service::storage::request_log::LoggedRequest;
use service::traces::{self, CallerSampling, SpanKind};
use tower_layer::Layer;
use tower_service::Service;

use crate::app::App;
use crate::auditing;
use crate::context::RequestContext;
use crate::contract::{Answering, Contract, ContractPath, MatchedEndpoint};
use crate::deadline::within;
use crate::deprecation;
use crate::developer_site;
use crate::error::{Code, Problem, Result};
use crate::host;
use crate::journey::{self, PageContext};
use crate::page::Page;
use crate::path::PathParameters;
use crate::peer::OnlyProbes;
use crate::rate_limit;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
const NOSNIFF: HeaderName = HeaderName::from_static("x-content-type-options");

/// Outermost layer of the router. It is a type, because `middleware::from_fn` would box one more future and
/// clone the layer's state for each request.
#[derive(Clone)]
pub(crate) struct EveryRequest {
    pub(crate) app: App,
    pub(crate) contract: &'static Contract,
}

/// A route inside the outermost layer.
#[derive(Clone)]
pub(crate) struct Layered {
    layer: EveryRequest,
    route: Route,
}

impl Layer<Route> for EveryRequest {
    type Service = Layered;

    fn layer(&self, route: Route) -> Layered {
        Layered { layer: self.clone(), route }
    }
}

impl Service<Request> for Layered {
    type Response = Response;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Response, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        // A route is always ready.
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request) -> Self::Future {
        let Layered { layer: EveryRequest { app, contract }, route } = self.clone();
        let matched = request.extensions().get::<MatchedPath>();
        let path = matched.and_then(|matched| contract.path(matched.as_str()));
        Box::pin(async move { Ok(answer(app, request, path, Handling::Router(route)).await) })
    }
}

/// Answers a request whose endpoint was found in the lookup table of the API.
pub(crate) fn answer_found(
    app: App,
    mut request: Request,
    found: MatchedEndpoint,
) -> impl Future<Output = Response> + Send {
    let MatchedEndpoint { path, answering, parameters } = found;
    if !parameters.0.is_empty() {
        request.extensions_mut().insert(parameters);
    }
    answer(app, request, Some(path), Handling::Contract(answering))
}

/// Handler of a request: from the lookup table of the API, or from the axum router.
enum Handling {
    Contract(&'static Answering),
    Router(Route),
}

impl Handling {
    fn of(self, request: Request, app: &App) -> BoxFuture<'static, Response> {
        match self {
            Handling::Contract(answering) => answering(request, app.clone()),
            Handling::Router(mut route) => Box::pin(async move {
                let (mut parts, body) = request.into_parts();
                let parameters = PathParameters::routed(&mut parts).await;
                parts.extensions.insert(parameters);
                let Ok(response) = route.call(Request::from_parts(parts, body)).await;
                response
            }),
        }
    }
}

/// Answers a request. `in_contract` is the path of the matching endpoint, if the API has one.
async fn answer(
    app: App,
    request: Request,
    in_contract: Option<ContractPath>,
    handling: Handling,
) -> Response {
    let traceparent = request.headers().get(traces::HEADER).and_then(|header| header.to_str().ok());
    let is_probe = matches!(request.uri().path(), "/livez" | "/readyz");
    let caller =
        if is_probe { CallerSampling::NotSampled } else { CallerSampling::of(traceparent).believed() };
    let matched = request.extensions().get::<MatchedPath>().cloned();
    let method = known_method(request.method());
    let name = move || {
        let path = in_contract.map(|known| known.path).or(matched.as_ref().map(MatchedPath::as_str));
        format!("{method} {}", path.unwrap_or("unmatched"))
    };
    traces::begin(caller, SpanKind::Server, name, answer_traced(app, request, in_contract, handling)).await
}

async fn answer_traced(
    app: App,
    mut request: Request,
    in_contract: Option<ContractPath>,
    handling: Handling,
) -> Response {
    let started = Instant::now();
    let request_id = app.service.installation.request_id();
    let mut digits = Uuid::encode_buffer();
    let id: &str = request_id.simple().encode_lower(&mut digits);
    let method = request.method().clone();
    let uri = request.uri().clone();
    let path = uri.path();
    // The pattern of a route outside the contract is not static, so keep a copy.
    let other = match in_contract {
        Some(_) => None,
        None => request.extensions().get::<MatchedPath>().cloned(),
    };
    let other = other.as_ref().map_or("unmatched", MatchedPath::as_str);
    let route = in_contract.map_or(other, |known| known.path);
    let context = RequestContext::new(&app, request.extensions(), request.headers());
    request.extensions_mut().insert(context.clone());
    let as_page = app.journey().is_some() && journey::is_below_root(path);
    let as_page = as_page.then(|| (request.headers().clone(), PageContext::default()));
    if let Some((_, page)) = &as_page {
        request.extensions_mut().insert(page.clone());
    }

    let version = request.version();
    let only_probes = request.extensions().get::<OnlyProbes>().is_some();
    let mut allowance = None;
    let mut response = match judge(&app, &request, only_probes && !matches!(route, "/livez" | "/readyz")) {
        Ok(()) => {
            let mut acting = Acting::of(Via::Api, route_name(in_contract, other));
            (acting.method, acting.request) = (known_method(&method), Some(request_id));
            let acting = Arc::new(acting);
            let response = acting::act_as(acting.clone(), handle(&app, request, handling)).await;
            allowance = acting.allowance();
            response
        }
        Err(problem) => problem.into_response(),
    };
    let problem = response.extensions_mut().remove::<Problem>().or_else(|| framework_refusal(&response));
    if problem.as_ref().is_some_and(|problem| problem.code == Code::A4290) {
        // A client at its rate limit retries at once. The delay keeps capacity for the others.
        context.give_back();
        app.admission.hold_back().await;
    }
    if let Some(problem) = &problem {
        let allow = response.headers_mut().remove(header::ALLOW);
        response = match &as_page {
            Some((headers, page)) => journey::problem_page(&app, problem, page, headers, path, id),
            None => {
                let mut response = problem.answer(path);
                response.headers_mut().extend(developer_site::help(&app, problem.code));
                response
            }
        };
        if let Some(allow) = allow {
            response.headers_mut().insert(header::ALLOW, allow);
        }
    }
    let headers = response.headers_mut();
    if let Some((_, page)) = &as_page {
        page.set_cookie(headers);
    }
    if in_contract.is_some_and(|known| known.is_deprecated) {
        deprecation::add_headers(app.service.installation.base_url(), path, headers);
    }
    if let Some(allowance) = allowance {
        rate_limit::add_headers(&allowance, headers);
    }
    headers.insert(REQUEST_ID, HeaderValue::from_str(id).expect("hexadecimal digits"));
    headers.insert(NOSNIFF, HeaderValue::from_static("nosniff"));
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    if version < Version::HTTP_2 && (app.is_draining() || only_probes) {
        // The client must send its next request to another process.
        headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
    }

    let (method, status, took) = (known_method(&method), response.status().as_u16(), started.elapsed());
    app.metrics.record(method, route, status, took);
    note_in_trace(id, method, route, status, context.partner());
    auditing::note(&app, &context, (method, route), id, problem.as_ref());
    if !context.is_refused() {
        let partner = context.partner();
        if let Some((of, known)) = partner.zip(in_contract) {
            app.service.request_log.note(
                of,
                logged((method, known.documented), status, problem.as_ref(), request_id, took, &app),
            );
        }
        log(&LogLine { id, method, route, partner, status, problem: problem.as_ref(), took });
    }
    response
}

/// Adds attributes of the request to its trace span, with OpenTelemetry's names.
fn note_in_trace(id: &str, method: &str, route: &str, status: u16, partner: Option<PartnerId>) {
    if traces::current().is_none() {
        return;
    }
    traces::note("http.request.method", method);
    traces::note("http.route", route);
    traces::note("http.response.status_code", status);
    traces::note("request.id", id);
    if let Some(partner) = partner {
        traces::note("partner.id", partner);
    }
    if status >= 500 {
        traces::fail(status);
    }
}

/// Route of the request, as text for the log of access.
fn route_name(in_contract: Option<ContractPath>, other: &str) -> Cow<'static, str> {
    in_contract.map_or_else(|| other.to_owned().into(), |known| known.path.into())
}

/// Checks every request before its handler runs.
fn judge(app: &App, request: &Request, is_crowded: bool) -> Result<()> {
    if is_crowded {
        return Err(Problem::overloaded());
    }
    host::judge(app, request)
}

/// Runs the handler within the deadline. A panic ends only this request.
async fn handle(app: &App, request: Request, handling: Handling) -> Response {
    let work = AssertUnwindSafe(async { handling.of(request, app).await }).catch_unwind();
    match within(app.limits.request_deadline, work).await {
        Ok(Ok(response)) => response,
        Ok(Err(_)) => Problem::unexpected("a handler panicked").into_response(),
        Err(_) => Problem::unavailable("The request took too long. Please try again.", "request deadline")
            .into_response(),
    }
}

/// Error for a response with which axum or a library refused the request before our handler ran.
fn framework_refusal(response: &Response) -> Option<Problem> {
    let status = response.status();
    if status.as_u16() < 400 || response.extensions().get::<Page>().is_some() {
        return None;
    }
    Some(match status {
        StatusCode::NOT_FOUND => Problem::not_found_at_path(),
        StatusCode::METHOD_NOT_ALLOWED => {
            Problem::new(Code::R4050, "This path does not take this method; see the Allow header.")
        }
        StatusCode::PAYLOAD_TOO_LARGE => Problem::new(Code::V4130, "The body is too large."),
        StatusCode::UNSUPPORTED_MEDIA_TYPE => Problem::new(Code::V4150, "The body must be JSON."),
        status if status.is_client_error() => Problem::fault("request", "The request is malformed."),
        status => Problem::unexpected(format!("a response with status {status} and without an error object")),
    })
}

/// Entry about a request for the partner's request log.
fn logged(
    (method, route): (&'static str, &'static str),
    status: u16,
    problem: Option<&Problem>,
    id: Uuid,
    took: Duration,
    app: &App,
) -> LoggedRequest {
    LoggedRequest {
        at: app.service.request_log.now(),
        method: method.into(),
        route: route.into(),
        status,
        code: problem.map(|problem| problem.code.word().into()),
        micros: u32::try_from(took.as_micros()).unwrap_or(u32::MAX),
        id,
    }
}

/// Log line of a request. It never contains the query, the body, a token or names.
struct LogLine<'a> {
    id: &'a str,
    method: &'static str,
    route: &'a str,
    partner: Option<PartnerId>,
    status: u16,
    problem: Option<&'a Problem>,
    took: Duration,
}

fn log(&LogLine { id, method, route, partner, status, problem, took }: &LogLine<'_>) {
    let duration_ms = took.as_micros() as f64 / 1000.0;
    let partner = partner.map(tracing::field::display);
    let code = problem.map(|problem| problem.code.word());
    let cause = problem.and_then(|problem| problem.cause.as_deref());
    match cause {
        Some(cause) => tracing::error!(
            request.id = id,
            http.method = method,
            http.route = route,
            http.status = status,
            duration_ms,
            partner.id = partner,
            error.code = code,
            error.cause = cause,
            "{method} {route} failed with {status}: {cause}"
        ),
        None => tracing::info!(
            request.id = id,
            http.method = method,
            http.route = route,
            http.status = status,
            duration_ms,
            partner.id = partner,
            error.code = code,
            "{method} {route} answered {status}"
        ),
    }
}

/// Name of a known HTTP method. Any other method is "other", so that clients cannot create metric labels.
fn known_method(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::POST => "POST",
        Method::PATCH => "PATCH",
        Method::HEAD => "HEAD",
        Method::OPTIONS => "OPTIONS",
        Method::PUT => "PUT",
        Method::DELETE => "DELETE",
        _ => "other",
    }
}
