//! Who comes: the customer of a cookie, and what it sends.

use std::sync::{Arc, OnceLock};

use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, header};
use axum::response::{IntoResponse, Response};
use domain::journey::Journey;
use domain::language::Language;
use domain::partner::Partner;
use domain::text::FromText;
use service::journey::Visit;

use super::dead_end::{self, DeadEnd};
use super::form::Form;
use super::lead_to;
use super::words::Words;
use crate::app::App;
use crate::body;
use crate::caller::LoggedPartner;
use crate::error::Problem;

/// A customer on the way.
#[derive(Clone)]
pub(crate) struct Visitor {
    pub(crate) journey: Journey,
    pub(crate) partner: Partner,
    pub(crate) words: Words,
    /// What each form carries, so that no other site can send it.
    pub(crate) proof: String,
}

/// Whose page it is, left for the layer that makes a page of whatever goes wrong.
#[derive(Clone, Default)]
pub(crate) struct Seat {
    taken: Arc<OnceLock<(Words, Partner)>>,
    cookie: Arc<OnceLock<HeaderValue>>,
}

impl Seat {
    /// Whose page it is, once that is known.
    pub(crate) fn taken(&self) -> Option<&(Words, Partner)> {
        self.taken.get()
    }

    /// Has the browser keep its cookie as long as the journey, where that is kept anew.
    pub(crate) fn keep_cookie(&self, headers: &mut HeaderMap) {
        if let Some(cookie) = self.cookie.get() {
            headers.entry(header::SET_COOKIE).or_insert_with(|| cookie.clone());
        }
    }
}

/// A value in the query of an address.
pub(crate) fn in_query(parts: &Parts, name: &str) -> Option<String> {
    let query = parts.uri.query()?;
    form_urlencoded::parse(query.as_bytes()).find(|(key, _)| key == name).map(|(_, value)| value.into_owned())
}

/// What the journey's cookie holds.
pub(crate) fn cookie<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    let texts = headers.get_all(header::COOKIE).into_iter().filter_map(|cookies| cookies.to_str().ok());
    let mut pairs = texts.flat_map(|cookies| cookies.split(';')).filter_map(|cookie| cookie.split_once('='));
    pairs.find(|(key, _)| key.trim() == name).map(|(_, value)| value.trim())
}

/// The journey of the browser's cookie, where it has one that goes on.
pub(crate) async fn visit(app: &App, parts: &Parts) -> Result<Option<Visit>, Problem> {
    let Some(site) = app.journey() else { return Ok(None) };
    let Some(held) = cookie(&parts.headers, site.cookie_name()) else { return Ok(None) };
    let visit = app.service.visit(held).await?;
    let kept_anew = visit.as_ref().is_some_and(|visit| visit.kept_anew);
    if let (true, Some(seat), Ok(cookie)) =
        (kept_anew, parts.extensions.get::<Seat>(), HeaderValue::from_str(&site.set_cookie(held)))
    {
        let _ = seat.cookie.set(cookie);
    }
    Ok(visit)
}

/// The language that an address or else the browser asks for.
pub(crate) fn language_of(parts: &Parts) -> Language {
    let asked = in_query(parts, "lang").and_then(|asked| Language::from_text(&asked).ok());
    asked.unwrap_or_else(|| browsers_language(&parts.headers))
}

/// Hindi where the browser prefers it to English.
pub(crate) fn browsers_language(headers: &HeaderMap) -> Language {
    let accepted = headers.get(header::ACCEPT_LANGUAGE).and_then(|languages| languages.to_str().ok());
    let primary = |tag: &str| tag.split(['-', ';']).next().unwrap_or_default().trim().to_ascii_lowercase();
    let mut known =
        accepted.unwrap_or_default().split(',').filter_map(|tag| Language::from_text(&primary(tag)).ok());
    known.next().unwrap_or(Language::English)
}

/// The address of a page in the query's terms without the language: relative to the page itself.
fn without_language(parts: &Parts) -> String {
    let page = parts.uri.path().rsplit('/').next().unwrap_or_default();
    let query = parts.uri.query().unwrap_or_default();
    let mut rest = form_urlencoded::Serializer::new(String::new());
    for (name, value) in form_urlencoded::parse(query.as_bytes()).filter(|(name, _)| name != "lang") {
        rest.append_pair(&name, &value);
    }
    match rest.finish() {
        rest if rest.is_empty() => page.to_owned(),
        rest => format!("{page}?{rest}"),
    }
}

impl Visitor {
    /// The customer of the request's cookie.
    async fn find(parts: &Parts, app: &App) -> Result<Visitor, Response> {
        let language = language_of(parts);
        let over = || dead_end::page_of(&DeadEnd::Over, Words(language), None, parts.uri.path());
        let visit = visit(app, parts).await.map_err(IntoResponse::into_response)?.ok_or_else(over)?;
        if let Some(logged) = parts.extensions.get::<LoggedPartner>() {
            let _ = logged.0.set(visit.partner.id);
        }
        if !visit.partner.enabled {
            let words = Words(visit.journey.language);
            let path = parts.uri.path();
            return Err(dead_end::page_of(&DeadEnd::Disabled, words, Some(&visit.partner), path));
        }
        let visitor = Visitor {
            words: Words(visit.journey.language),
            proof: app.service.form_proof(&visit.journey),
            journey: visit.journey,
            partner: visit.partner,
        };
        visitor.sit_down(parts);
        Ok(visitor)
    }

    fn sit_down(&self, parts: &Parts) {
        if let Some(seat) = parts.extensions.get::<Seat>() {
            let _ = seat.taken.set((self.words, self.partner.clone()));
        }
    }

    /// Goes on in another language.
    pub(crate) async fn speak(mut self, app: &App, language: Language) -> Result<Visitor, Problem> {
        self.journey =
            app.service.change_journey(self.journey, |journey| journey.language = language).await?;
        self.words = Words(language);
        Ok(self)
    }
}

impl FromRequestParts<App> for Visitor {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Response> {
        let visitor = Visitor::find(parts, app).await?;
        let asked = in_query(parts, "lang").and_then(|asked| Language::from_text(&asked).ok());
        let reads = matches!(parts.method, Method::GET | Method::HEAD);
        match asked.filter(|_| reads) {
            // The language leaves the address, so that a page that is shared or loaded again speaks the reader's own.
            Some(language) => {
                let switched = visitor.speak(app, language).await;
                switched.map_err(IntoResponse::into_response)?;
                Err(lead_to(&without_language(parts)))
            }
            None => Ok(visitor),
        }
    }
}

/// A customer who has not applied yet. One who has is led to what became of it.
pub(crate) struct Traveller(pub(crate) Visitor);

impl Traveller {
    fn of(visitor: Visitor, app: &App) -> Result<Self, Box<Response>> {
        match visitor.journey.answers.proposal {
            None => Ok(Traveller(visitor)),
            Some(proposal) => {
                let code = app.service.status_code(visitor.partner.id, proposal);
                Err(Box::new(lead_to(&format!("status/{code}"))))
            }
        }
    }
}

impl FromRequestParts<App> for Traveller {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Response> {
        Traveller::of(Visitor::from_request_parts(parts, app).await?, app).map_err(|elsewhere| *elsewhere)
    }
}

/// A form that a customer sent from a page of ours.
pub(crate) struct Sent {
    pub(crate) visitor: Visitor,
    pub(crate) form: Form,
    /// The form was sent to read on in another language, and not to be taken.
    pub(crate) only_language: bool,
}

impl FromRequest<App> for Sent {
    type Rejection = Response;

    async fn from_request(request: Request, app: &App) -> Result<Self, Response> {
        let (parts, body) = request.into_parts();
        let visitor = Visitor::find(&parts, app).await?;
        let path = parts.uri.path().to_owned();
        let request = Request::from_parts(parts, body);
        let bytes = body::form(request, app).await.map_err(IntoResponse::into_response)?;
        let form = Form::of(&bytes);
        if form.value("proof") != visitor.proof {
            let foreign = DeadEnd::ForeignForm;
            return Err(dead_end::page_of(&foreign, visitor.words, Some(&visitor.partner), &path));
        }
        match Language::from_text(form.value("language")) {
            Ok(language) => {
                let visitor = visitor.speak(app, language).await.map_err(IntoResponse::into_response)?;
                Ok(Sent { visitor, form, only_language: true })
            }
            Err(_) => Ok(Sent { visitor, form, only_language: false }),
        }
    }
}

/// The same of one who has not applied yet: a form that comes twice leads to what the first one made.
pub(crate) struct SentOnTheWay(pub(crate) Sent);

impl FromRequest<App> for SentOnTheWay {
    type Rejection = Response;

    async fn from_request(request: Request, app: &App) -> Result<Self, Response> {
        let Sent { visitor, form, only_language } = Sent::from_request(request, app).await?;
        let Traveller(visitor) = Traveller::of(visitor, app).map_err(|elsewhere| *elsewhere)?;
        Ok(SentOnTheWay(Sent { visitor, form, only_language }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_browser_speaks_the_first_language_that_we_do() {
        let of = |accepted: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_LANGUAGE, HeaderValue::from_static(accepted));
            browsers_language(&headers)
        };
        assert_eq!(of("hi-IN,hi;q=0.9,en;q=0.8"), Language::Hindi);
        assert_eq!(of("ta-IN,en;q=0.8,hi;q=0.5"), Language::English);
        assert_eq!(of("*"), Language::English);
        assert_eq!(browsers_language(&HeaderMap::new()), Language::English);
    }

    #[test]
    fn a_cookie_is_found_among_others() {
        let mut headers = HeaderMap::new();
        headers.append(header::COOKIE, HeaderValue::from_static("a=1; covernote=x=y ;b=2"));
        assert_eq!(cookie(&headers, "covernote"), Some("x=y"));
        assert_eq!(cookie(&headers, "cover"), None);
    }
}
