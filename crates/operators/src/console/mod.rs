//! The pages on which operators show who they are, and the API beside them, over HTTPS.
//!
//! Uses `act`, `passkey`, `provider`, `server`.

mod device;
mod pages;
mod provider;
mod said;
mod visitor;

use std::sync::Arc;

use axum::extract::{DefaultBodyLimit, MatchedPath, State};
use axum::http::{HeaderName, HeaderValue, Method, Request, header};
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use axum::{Extension, Router};
use service::Service;
use service::acting::{Acting, Via, act_as};
use url::Url;

use crate::act::BASE;
use crate::passkey::Passkeys;
use crate::provider::Provider;
use crate::server::{Api, Caller, Serving, nothing_here, routes, wrong_method};

/// Most bytes of a form.
const LARGEST_FORM: usize = 64 * 1024;

/// What the pages need beside the API.
struct Console {
    api: Arc<Api>,
    passkeys: Passkeys,
    provider: Option<Provider>,
    /// Its address, without a path.
    origin: String,
    is_https: bool,
}

impl Console {
    fn service(&self) -> &Service {
        &self.api.service
    }

    /// The name of the identity provider in its tokens.
    fn issuer(&self) -> &str {
        self.api.serving.provider.as_ref().map_or("", |provider| &provider.issuer)
    }
}

/// The console on a service: the operators' API for who shows a token, and the pages.
///
/// # Errors
/// A sentence, if the console's address is not a URL.
pub fn console(service: Arc<Service>, serving: Serving) -> Result<Router, String> {
    let url =
        Url::parse(&serving.console_url).map_err(|fault| format!("{}: {fault}", serving.console_url))?;
    let origin = url.origin().ascii_serialization();
    let provider = serving.provider.clone().map(|settings| Provider::of(settings, &origin)).transpose()?;
    let api = Api::of(service, serving);
    let console = Arc::new(Console {
        api: api.clone(),
        passkeys: Passkeys::of(&url),
        provider,
        origin,
        is_https: url.scheme() == "https",
    });
    let pages = Router::new()
        .route("/", get(|| async { Redirect::to("/account") }))
        .route("/sign-in", get(pages::sign_in).post(pages::signed_in))
        .route("/sign-out", post(pages::sign_out))
        .route("/invitation/{link}", get(pages::invitation).post(pages::enrolled))
        .route("/recovery", get(pages::recovery).post(pages::recovered))
        .route("/provider", get(provider::begin))
        .route("/provider/return", get(provider::back))
        .route("/account", get(pages::account))
        .route("/account/passkey", get(pages::new_passkey).post(pages::added_passkey))
        .route("/device", get(device::page).post(device::let_in))
        .route(&format!("{BASE}/sign-out"), post(device::sign_out))
        .route(&format!("{BASE}/devices"), post(device::begin))
        .route(&format!("{BASE}/devices/outcome"), post(device::outcome))
        .route("/assets/console.css", get(stylesheet))
        .route("/assets/console.js", get(script))
        .layer(DefaultBodyLimit::max(LARGEST_FORM))
        .layer(from_fn(guarded))
        .layer(from_fn(in_trail))
        .with_state(console);
    let api = routes().with_state(api).layer(Extension(Caller::Remote));
    Ok(api.merge(pages).fallback(nothing_here).method_not_allowed_fallback(wrong_method))
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

/// What a page does is in the audit trail, under its path. Who does it is noted once it is known.
async fn in_trail(request: Request<axum::body::Body>, next: Next) -> Response {
    let path = request.extensions().get::<MatchedPath>().map(|path| path.as_str().to_owned());
    let mut acting = Acting::of(Via::Console, path.unwrap_or_default());
    acting.method = if request.method() == Method::POST { "POST" } else { "GET" };
    act_as(Arc::new(acting), next.run(request)).await
}

/// The headers of every page: it loads nothing from other sites, no site can frame it, and no cache stores it.
async fn guarded(request: Request<axum::body::Body>, next: Next) -> Response {
    const HEADERS: [(HeaderName, &str); 5] = [
        (
            header::CONTENT_SECURITY_POLICY,
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
        ),
        // With "no-referrer" a form would not say from where it comes.
        (header::REFERRER_POLICY, "same-origin"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::CACHE_CONTROL, "no-store"),
    ];
    let mut response = next.run(request).await;
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

/// The state of every handler of a page.
type On = State<Arc<Console>>;
