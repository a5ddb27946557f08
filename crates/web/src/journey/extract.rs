//! Extractors for the pages: the customer whose journey the cookie names, and submitted forms.

use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderValue, Method};
use axum::response::{IntoResponse, Response};
use domain::language::Language;
use domain::text::FromText;
use service::acting::{self, Actor};
use service::journey::Visit;
use service::quote::health::HealthQuoteShown;

use super::address::{self, redirect};
use super::error_page::ErrorPage;
use super::form::Form;
use super::page_context::PageContext;
use super::quote::quote_of;
use super::request::{cookie, language_of, requested_language, without_language};
use super::step::Step;
use super::visitor::Visitor;
use super::words::Words;
use crate::app::App;
use crate::body;
use crate::context::{RequestContext, has_no_body};
use crate::error::Result;

/// Name of the form field with [`Visitor::csrf_token`].
const CSRF_TOKEN: &str = "proof";

/// Name of the form field with the language to which the page must switch.
const LANGUAGE: &str = "language";

/// Open journey that the browser's cookie names, if any.
pub(crate) async fn visit(app: &App, parts: &Parts) -> Result<Option<Visit>> {
    let Some(site) = app.journey() else { return Ok(None) };
    let Some(value) = cookie(&parts.headers, site.cookie_name()) else { return Ok(None) };
    let visit = app.service.journeys.visit(value).await?;
    let kept_anew = visit.as_ref().is_some_and(|visit| visit.kept_anew);
    if let (true, Some(context), Ok(cookie)) =
        (kept_anew, parts.extensions.get::<PageContext>(), HeaderValue::from_str(&site.set_cookie(value)))
    {
        context.renew_cookie(cookie);
    }
    Ok(visit)
}

/// Customer whose journey the request's cookie names. If there is none, an error page says why.
async fn visitor_of(parts: &Parts, app: &App) -> Result<Visitor, Response> {
    let path = parts.uri.path();
    let over = || ErrorPage::Over.response(app, Words::of(language_of(parts)), None, path);
    let visit = visit(app, parts).await.map_err(IntoResponse::into_response)?.ok_or_else(over)?;
    let context = RequestContext::of(&parts.extensions);
    context.set_partner(visit.partner.id);
    acting::identify(Actor::Customer(visit.partner.id));
    if has_no_body(&parts.method) {
        context.admit(app).await.map_err(IntoResponse::into_response)?;
    }
    let words = Words::of(visit.journey.language);
    if !visit.partner.enabled {
        return Err(ErrorPage::Disabled.response(app, words, Some(&visit.partner), path));
    }
    if let Some(context) = parts.extensions.get::<PageContext>() {
        context.set_visitor(words, &visit.partner);
    }
    let csrf_token = app.service.journeys.form_proof(&visit.journey);
    let operator = app.operator();
    Ok(Visitor { words, csrf_token, journey: visit.journey, partner: visit.partner, operator })
}

impl FromRequestParts<App> for Visitor {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Response> {
        let visitor = visitor_of(parts, app).await?;
        let is_read = matches!(parts.method, Method::GET | Method::HEAD);
        match requested_language(parts).filter(|_| is_read) {
            // Removes the language from the address, so that a shared or reloaded page uses the reader's own
            // language.
            Some(language) => {
                let switched = visitor.switch_language(app, language).await;
                switched.map_err(IntoResponse::into_response)?;
                Err(redirect(without_language(parts)))
            }
            None => Ok(visitor),
        }
    }
}

/// A customer who has not applied yet. If the customer has applied, the extractor redirects to the
/// application's status.
pub(crate) struct Unapplied(pub(crate) Visitor);

impl Unapplied {
    fn of(visitor: Visitor, app: &App) -> Result<Self, Box<Response>> {
        match visitor.journey.answers.proposal {
            None => Ok(Unapplied(visitor)),
            Some(proposal) => {
                let code = app.service.status_pages.code(visitor.partner.id, proposal);
                Err(Box::new(redirect(address::status(&code))))
            }
        }
    }
}

impl FromRequestParts<App> for Unapplied {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Response> {
        Unapplied::of(Visitor::from_request_parts(parts, app).await?, app).map_err(|status| *status)
    }
}

/// A customer whose answers are enough for prices, with the quote. If answers are missing, the extractor
/// redirects to the first unanswered step.
pub(crate) struct Quoted {
    pub(crate) visitor: Visitor,
    pub(crate) quote: HealthQuoteShown,
}

impl FromRequestParts<App> for Quoted {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Response> {
        let Unapplied(visitor) = Unapplied::from_request_parts(parts, app).await?;
        if let Some(step) = Step::Plans.unanswered_before(&visitor.journey.answers) {
            return Err(redirect(step));
        }
        let (visitor, quote) = quote_of(app, visitor).await.map_err(IntoResponse::into_response)?;
        Ok(Quoted { visitor, quote })
    }
}

/// A form submitted from one of our pages.
pub(crate) struct Submission {
    pub(crate) visitor: Visitor,
    pub(crate) form: Form,
    /// Whether the form only switches the language. Its values are then shown again and not stored.
    pub(crate) only_language: bool,
}

impl FromRequest<App> for Submission {
    type Rejection = Response;

    async fn from_request(request: Request, app: &App) -> Result<Self, Response> {
        let (parts, body) = request.into_parts();
        let visitor = visitor_of(&parts, app).await?;
        let path = parts.uri.path().to_owned();
        let request = Request::from_parts(parts, body);
        let bytes = body::form(request, app).await.map_err(IntoResponse::into_response)?;
        app.form_limit.count(visitor.journey.id).map_err(IntoResponse::into_response)?;
        let form = Form::parse(&bytes);
        if !app.service.journeys.is_form_proof(&visitor.journey, form.value(CSRF_TOKEN)) {
            return Err(ErrorPage::ForeignForm.response(app, visitor.words, Some(&visitor.partner), &path));
        }
        match Language::from_text(form.value(LANGUAGE)) {
            Ok(language) => {
                let visitor = visitor.switch_language(app, language).await;
                let visitor = visitor.map_err(IntoResponse::into_response)?;
                Ok(Submission { visitor, form, only_language: true })
            }
            Err(_) => Ok(Submission { visitor, form, only_language: false }),
        }
    }
}

/// A form of a customer who has not applied yet. If the customer has applied, for example because the form
/// was sent twice, the extractor redirects to the application's status.
pub(crate) struct UnappliedSubmission(pub(crate) Submission);

impl FromRequest<App> for UnappliedSubmission {
    type Rejection = Response;

    async fn from_request(request: Request, app: &App) -> Result<Self, Response> {
        let Submission { visitor, form, only_language } = Submission::from_request(request, app).await?;
        let Unapplied(visitor) = Unapplied::of(visitor, app).map_err(|status| *status)?;
        Ok(UnappliedSubmission(Submission { visitor, form, only_language }))
    }
}
