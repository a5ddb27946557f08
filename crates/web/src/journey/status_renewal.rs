//! Status page after its address has expired. If the customer enters the proposer's date of birth, the page
//! gets a new address.

use askama::Template;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use domain::partner::Partner;
use service::access::status_page::{AddressRenewal, StatusAddress};

use super::address::redirect;
use super::details_fields;
use super::details_form::{DetailsField, birth_date};
use super::error_page::ErrorPage;
use super::field::Field;
use super::form::Form;
use super::frame::{Frame, Framing, render_as};
use super::request::language_of;
use super::words::Words;
use crate::app::App;
use crate::body;
use crate::error::Result;
use crate::path::PathText;

#[derive(Template)]
#[template(path = "journey/status_renewal.html")]
struct RenewalPage<'a> {
    frame: Frame,
    form: &'a Form,
    born: Field,
}

/// Page that asks for the date of birth, with the error of the customer's last attempt.
pub(crate) fn page(
    app: &App,
    words: &'static Words,
    partner: &Partner,
    form: &Form,
    status: StatusCode,
) -> Response {
    let page = RenewalPage {
        form,
        born: details_fields::date(words, form, DetailsField::Born, true),
        frame: Frame::without_journey(app, words, partner),
    };
    render_as(status, &Framing::By(partner), &page)
}

/// Checks the date of birth. If it is right, redirects to the new address of the status page.
pub(crate) async fn post(
    State(app): State<App>,
    PathText(code): PathText,
    request: Request,
) -> Result<Response> {
    let (parts, body) = request.into_parts();
    let path = parts.uri.path().to_owned();
    let words = Words::of(language_of(&parts));
    let bytes = body::form(Request::from_parts(parts, body), &app).await?;
    let found = app.service.status_pages.find(&code).await?;
    let (of, proposal) = match found {
        // The form was repeated, or the address is still valid.
        Some(StatusAddress::Open(..)) => return Ok(redirect(&code)),
        Some(StatusAddress::Ended(of, proposal)) => (of, proposal),
        None => return Ok(ErrorPage::Missing.response(&app, words, None, &path)),
    };
    let Some(partner) = app.service.shared.directory.partner(of) else {
        return Ok(ErrorPage::Missing.response(&app, words, None, &path));
    };
    let mut form = Form::parse(&bytes);
    let today = app.service.policies.today_of(of);
    let Some(born) = birth_date(words, &mut form, DetailsField::Born, words.people.you, today) else {
        return Ok(page(&app, words, &partner, &form, StatusCode::UNPROCESSABLE_ENTITY));
    };
    match app.service.status_pages.renew(of, proposal, born).await? {
        AddressRenewal::Renewed(code) => Ok(redirect(code)),
        AddressRenewal::Wrong => {
            form.add_error(DetailsField::Born, words.status.other_birth_date);
            Ok(page(&app, words, &partner, &form, StatusCode::UNPROCESSABLE_ENTITY))
        }
        AddressRenewal::TooOften => {
            form.add_error(DetailsField::Born, words.status.too_many_dates);
            Ok(page(&app, words, &partner, &form, StatusCode::TOO_MANY_REQUESTS))
        }
    }
}
