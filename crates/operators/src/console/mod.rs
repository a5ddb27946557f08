//! The console over HTTPS: pages where operators sign in and work, with the operators' API.
//!
//! Uses `act`, `serve`, `team`.

mod acts;
mod desk;
mod device;
mod form;
mod frame;
mod held;
mod pages;
mod provider;
mod record;
mod said;
mod visit;
mod visitor;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::{DefaultBodyLimit, MatchedPath, State};
use axum::http::{HeaderName, HeaderValue, Method, Request, StatusCode, header};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Extension, Router};
use service::Service;
use service::acting::{Acting, Via, act_as};
use url::Url;
use web::{Forms, Limits, Peer};

use self::device::Logins;
use self::said::SignInFailed;
use crate::act::BASE;
use crate::act::trail::Trail;
use crate::serve::{Api, RequestOrigin, Serving, nothing_here, routes, wrong_method};
use crate::team::passkey::Passkeys;
use crate::team::provider::Provider;

/// Most bytes of a form that a browser sends.
const LARGEST_FORM: usize = 64 * 1024;

/// State that the handlers of the console share.
struct Console {
    api: Arc<Api>,
    passkeys: Passkeys,
    provider: Option<Provider>,
    /// Sign-ins of command lines that began in the present minute.
    logins: Mutex<Logins>,
    /// Scheme, host and port of the console's address.
    origin: String,
    is_https: bool,
}

impl Console {
    fn service(&self) -> &Service {
        &self.api.service
    }

    /// Issuer in the identity provider's tokens. Empty if there is no provider.
    fn issuer(&self) -> &str {
        self.api.serving.provider.as_ref().map_or("", |provider| &provider.issuer)
    }
}

/// Router of the console: the operators' API for callers with a token, and the pages.
///
/// # Errors
/// If the address of the console or of the identity provider is invalid: a sentence that says why.
pub fn console(service: Arc<Service>, serving: Serving, limits: Limits) -> Result<Router, String> {
    let url =
        Url::parse(&serving.console_url).map_err(|fault| format!("{}: {fault}", serving.console_url))?;
    let origin = url.origin().ascii_serialization();
    let provider = serving.provider.clone().map(|settings| Provider::of(settings, &origin)).transpose()?;
    let api = Api::of(service, serving);
    let console = Arc::new(Console {
        api: api.clone(),
        passkeys: Passkeys::of(&url),
        provider,
        logins: Mutex::default(),
        origin,
        is_https: url.scheme() == "https",
    });
    let forms = Forms::of(Limits { body_bytes: LARGEST_FORM, ..limits });
    let pages = Router::new()
        .merge(desk::routes())
        .route("/logo", get(frame::logo))
        .route("/acts", get(acts::menu))
        .route("/acts/{name}", get(acts::show).post(acts::run))
        .route("/acts/{name}/sight", post(acts::see))
        .route("/kept", post(acts::kept))
        .route("/keys", get(acts::keys))
        .route("/sign-in", get(pages::sign_in).post(pages::signed_in))
        .route("/sign-out", post(pages::sign_out))
        .route("/demo/{link}", get(pages::entered_demo))
        .route("/invitation/{link}", get(pages::invitation).post(pages::enrolled))
        .route("/recovery", get(pages::recovery).post(pages::recovered))
        .route("/provider", get(provider::begin))
        .route("/provider/return", get(provider::back))
        .route("/account", get(pages::account))
        .route("/account/passkey", get(pages::new_passkey).post(pages::added_passkey))
        .route("/device", get(device::code).post(device::let_in))
        .route(&format!("{BASE}/sign-out"), post(device::sign_out))
        .route(&format!("{BASE}/devices"), post(device::begin))
        .route(&format!("{BASE}/devices/outcome"), post(device::outcome))
        .route("/assets/console.css", get(stylesheet))
        .route("/assets/console.js", get(script))
        .layer(from_fn_with_state(forms, Forms::receive))
        // Files are larger than a form, and arrive only from operators.
        .route("/acts/{name}/files", post(acts::run_with_files).layer(DefaultBodyLimit::disable()))
        .layer(from_fn(guarded))
        .layer(from_fn(in_trail))
        .layer(from_fn_with_state(console.clone(), in_frame))
        .with_state(console);
    let front = Arc::new(Front {
        trail: api.serving.trail.clone(),
        started: Instant::now(),
        paces: Mutex::default(),
    });
    let api = routes().with_state(api).layer(Extension(RequestOrigin::Remote));
    let console = api.merge(pages).fallback(nothing_here).method_not_allowed_fallback(wrong_method);
    Ok(console.layer(from_fn_with_state(front, received)))
}

/// Requests from one address in a second that are answered without a pause.
const MOST_A_SECOND: u32 = 500;

/// What every request to the console passes first.
struct Front {
    trail: Arc<dyn Trail>,
    started: Instant,
    paces: Mutex<Paces>,
}

/// Numbers of requests in the current second, by address.
#[derive(Default)]
struct Paces {
    second: u64,
    by_peer: HashMap<Peer, u32>,
}

impl Front {
    /// How long a request waits, because its address sent too many in this second. A flood then costs little.
    fn pause(&self, peer: Peer) -> Option<Duration> {
        let now = self.started.elapsed();
        let mut paces = self.paces.lock().unwrap_or_else(PoisonError::into_inner);
        if paces.second != now.as_secs() {
            *paces = Paces { second: now.as_secs(), ..Paces::default() };
        }
        let of_peer = paces.by_peer.entry(peer).or_default();
        *of_peer += 1;
        (*of_peer > MOST_A_SECOND)
            .then(|| Duration::from_secs(1) - Duration::from_nanos(now.subsec_nanos().into()))
    }
}

/// Slows down the requests of a flood, and records failed sign-ins in the log of access: refused pages, and refused tokens
/// of the API.
async fn received(
    State(front): State<Arc<Front>>,
    request: Request<axum::body::Body>,
    next: Next,
) -> Response {
    if let Err(refused) = web::one_host(&request) {
        return refused.answer(request.uri().path());
    }
    let peer = request.extensions().get::<Peer>().copied();
    if let Some(pause) = peer.and_then(|peer| front.pause(peer)) {
        tokio::time::sleep(pause).await;
    }
    let path = request.extensions().get::<MatchedPath>().map(|path| path.as_str().to_owned());
    let response = next.run(request).await;
    let has_failed = response.extensions().get::<SignInFailed>().is_some();
    if has_failed || response.status() == StatusCode::UNAUTHORIZED {
        let way = if has_failed { path.unwrap_or_default() } else { "token".to_owned() };
        let peer = peer.map(|peer| peer.to_string()).unwrap_or_default();
        front.trail.sign_in_failed(way.trim_start_matches('/'), &peer);
    }
    response
}

async fn stylesheet() -> Response {
    asset("text/css; charset=utf-8", include_str!("../../assets/console.css"))
}

async fn script() -> Response {
    asset("text/javascript; charset=utf-8", include_str!("../../assets/console.js"))
}

fn asset(media: &'static str, content: &'static str) -> Response {
    ([(header::CONTENT_TYPE, HeaderValue::from_static(media))], content).into_response()
}

/// Runs the handler of a page. Audit entries of the handler name the page's path, and the operator once the
/// handler has identified them.
async fn in_trail(request: Request<axum::body::Body>, next: Next) -> Response {
    let path = request.extensions().get::<MatchedPath>().map(|path| path.as_str().to_owned());
    let mut acting = Acting::of(Via::Console, path.unwrap_or_default());
    acting.method = if request.method() == Method::POST { "POST" } else { "GET" };
    act_as(Arc::new(acting), next.run(request)).await
}

/// Runs the handler of a page with the frame of the page.
async fn in_frame(State(console): On, request: Request<axum::body::Body>, next: Next) -> Response {
    let path = request.uri().path().to_owned();
    frame::framed(&console, &path, next.run(request)).await
}

/// Adds security headers to every page: the page loads nothing from other sites, cannot be shown in a frame,
/// and is not cached.
async fn guarded(request: Request<axum::body::Body>, next: Next) -> Response {
    const HEADERS: [(HeaderName, &str); 5] = [
        (
            header::CONTENT_SECURITY_POLICY,
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; frame-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
        ),
        // With "no-referrer", a browser would not send the origin of a form.
        (header::REFERRER_POLICY, "same-origin"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::CACHE_CONTROL, "no-store"),
    ];
    let mut response = next.run(request).await;
    for (name, value) in HEADERS {
        // A paper of a claim has rules of its own.
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

/// The console's state, as a parameter of the handlers of pages.
type On = State<Arc<Console>>;
