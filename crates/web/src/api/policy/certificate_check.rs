//! `GET /certificate/{code}`: the page to which a certificate's QR code leads. It says whether the
//! certificate is genuine. All unknown codes get the same response.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use domain::date::in_words;
use domain::operator::Operator;
use service::line::certificate::check_of_text;
use service::policy::document::Standing;

use crate::app::App;
use crate::context::Admitted;
use crate::error::Result;
use crate::page::page;
use crate::path::PathText;

/// Returns the page. Of the policyholder's name, the page shows only the initials.
pub(crate) async fn get(State(app): State<App>, _: Admitted, PathText(code): PathText) -> Result<Response> {
    let genuine = match check_of_text(&code) {
        Some(check) => app.service.documents.check(check).await?,
        None => None,
    };
    Ok(match genuine {
        None => page(StatusCode::NOT_FOUND, &Unknown { operator: app.operator() }),
        Some(found) if found.is_specimen => {
            let shown = Specimen { number: found.number.to_string(), operator: app.operator() };
            page(StatusCode::OK, &shown)
        }
        Some(found) => {
            let standing = match found.standing {
                Standing::Ahead => "The cover has not started yet.".to_owned(),
                Standing::Running => "The cover is in force today.".to_owned(),
                Standing::Ended => "The cover has ended.".to_owned(),
                Standing::RunningRenewed => "The cover is in force. Another policy follows it.".to_owned(),
                Standing::EndedRenewed => "The cover has ended. Another policy followed it.".to_owned(),
                Standing::Terminated(on) => {
                    format!(
                        "The policy was terminated on {}, after a claim: there is no cover.",
                        in_words(on)
                    )
                }
                Standing::Lapsed => "The cover has ended, and the policy was not renewed.".to_owned(),
                Standing::Cancelled(on) => {
                    format!("The policy was cancelled on {}: there is no cover.", in_words(on))
                }
            };
            let shown = Genuine {
                number: found.number.to_string(),
                insurer: found.insurer,
                product: found.product,
                initials: found.initials,
                starts: in_words(found.cover.starts),
                ends: in_words(found.cover.ends),
                standing,
                how_to_claim: found.how_to_claim,
                claims_contact: found.claims_contact,
                operator: app.operator(),
            };
            page(StatusCode::OK, &shown)
        }
    })
}

#[derive(Template)]
#[template(path = "certificate_genuine.html")]
struct Genuine {
    number: String,
    insurer: String,
    product: String,
    initials: String,
    starts: String,
    ends: String,
    standing: String,
    how_to_claim: Option<String>,
    claims_contact: String,
    operator: Option<Arc<Operator>>,
}

#[derive(Template)]
#[template(path = "certificate_specimen.html")]
struct Specimen {
    number: String,
    operator: Option<Arc<Operator>>,
}

#[derive(Template)]
#[template(path = "certificate_unknown.html")]
struct Unknown {
    operator: Option<Arc<Operator>>,
}
