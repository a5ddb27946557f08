//! `GET /v1/embedded/policy/{address}`: downloads a certificate by its signed address, without a bearer token
//! (D30).

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use domain::operator::Operator;
use service::Error;

use crate::api::common::endpoint::{Access, Endpoint, Gives, Verb, answered_by};
use crate::app::App;
use crate::audit::AuditEvent;
use crate::context::{Admitted, RequestContext};
use crate::error::{Code, Problem, Result};
use crate::page::{page, prefers_page};
use crate::path::PathText;

const ROBOTS: HeaderName = HeaderName::from_static("x-robots-tag");

pub(crate) static GET: Endpoint = Endpoint {
    method: Verb::Get,
    path: "/v1/embedded/policy/{address}",
    id: "downloadCertificate",
    tag: "Credit protection",
    summary: "Download a certificate",
    description: "Downloads the certificate at a `policy_url`. The address includes the permission: no bearer token is needed.",
    access: Access::Open,
    gives: Gives::pdf(200, "The certificate."),
    refuses: &[Code::R4040, Code::R4100],
    handler: || answered_by(get),
    ..Endpoint::PLAIN
};

/// Returns the stored certificate. An error is JSON, or a page if the caller prefers HTML.
async fn get(
    State(app): State<App>,
    _: Admitted,
    context: RequestContext,
    PathText(address): PathText,
    headers: HeaderMap,
) -> Result<Response> {
    match app.service.documents.download(&address).await {
        Ok((of, proposal, document)) => {
            context.set_audited(AuditEvent::CertificateRead, Some(of), Some(proposal.to_string()));
            let name = format!("inline; filename=\"certificate-{}.pdf\"", document.number);
            let name = HeaderValue::from_str(&name).map_err(|_| {
                Problem::unexpected("the policy number has characters that an HTTP header cannot have")
            })?;
            let headers = [
                (header::CONTENT_TYPE, HeaderValue::from_static("application/pdf")),
                (header::CONTENT_DISPOSITION, name),
                (header::CACHE_CONTROL, HeaderValue::from_static("private, no-store")),
                (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
                (ROBOTS, HeaderValue::from_static("noindex, nofollow")),
            ];
            Ok((headers, document.bytes).into_response())
        }
        Err(Error::LinkExpired) if prefers_page(&headers) => {
            let heading = "This download link has expired";
            let advice = "Download links work for 10 minutes. Go back to where you found it and ask for the certificate again: you will get a fresh link.";
            Ok(page(StatusCode::GONE, &Refused { heading, advice, operator: app.operator() }))
        }
        Err(Error::Unknown { .. }) if prefers_page(&headers) => {
            let heading = "There is no such document";
            let advice = "Check that the address was copied whole, or go back to where you found it and ask for the certificate again.";
            Ok(page(StatusCode::NOT_FOUND, &Refused { heading, advice, operator: app.operator() }))
        }
        Err(error) => Err(error.into()),
    }
}

#[derive(Template)]
#[template(path = "download_refused.html")]
struct Refused {
    heading: &'static str,
    advice: &'static str,
    operator: Option<Arc<Operator>>,
}
