//! `/v1/claims/{claim_id}/documents`: uploads and downloads documents of a claim, as unchanged bytes (D83).

use axum::extract::{Request, State};
use axum::http::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use domain::access::Scope;
use domain::claim::{ClaimDocument, PaperType};
use domain::id::{PartnerId, kind};
use domain::text::FromText;
use futures_util::StreamExt;

use crate::api::claim::DocumentShown;
use crate::api::common::endpoint::{Access, Endpoint, Gives, Takes, Verb, answered_by};
use crate::app::App;
use crate::audit::AuditEvent;
use crate::caller::{Caller, PolicyRead, PolicyWrite};
use crate::context::RequestContext;
use crate::error::{Code, Problem, Result};
use crate::parts::in_parts;
use crate::path::{PathId, PathIds};
use crate::query::Query;
use crate::reader::Fields;
use crate::response::{Payload, json};
use crate::shape::{Described, PlainText, describe};

/// Content-Security-Policy of a document: a browser that displays the document runs no script and loads
/// nothing.
const SANDBOX: &str = "default-src 'none'; sandbox";

pub(super) static POST: Endpoint = Endpoint {
    method: Verb::Post,
    path: "/v1/claims/{claim_id}/documents",
    id: "addClaimDocument",
    tag: "Claims",
    summary: "Upload a document of a claim",
    description: "Uploads a PDF, JPEG or PNG of at most 10 MiB as raw bytes, with its media type. The first bytes must match the media type. The operator limits the number and total size of documents for a claim, a policy and a day.",
    access: Access::Scope(Scope::PolicyWrite),
    query: Some(query_schema),
    takes: Some(Takes::Bytes(PaperType::WORDS)),
    gives: Gives::payload::<DocumentShown>(201, "The document is stored."),
    refuses: &[Code::R4040, Code::S4090, Code::A4290],
    handler: || answered_by(post),
    ..Endpoint::PLAIN
};

/// Stores an uploaded document of a claim.
async fn post(
    State(app): State<App>,
    caller: Caller<PolicyWrite>,
    claim: PathId<kind::Claim>,
    query: Query,
    request: Request,
) -> Result<Response> {
    let announced = announced(request.headers());
    let media = media_type(request.headers())?;
    let (paper, faults) = query.read(paper_query);
    if !faults.0.is_empty() {
        return Err(Problem::invalid(faults));
    }
    let context = RequestContext::of(request.extensions());
    let _arriving = app.arrivals.begin(context.client(), context.share(&app))?;
    context.admit(&app).await?;
    let claim = claim.known("claim")?;
    let papers = &app.service.claim_papers;
    let mut upload = papers.begin(caller.partner, claim, paper, media, announced).await?;
    let mut frames = request.into_body().into_data_stream();
    loop {
        let late = || Problem::fault("body", "The body stopped arriving.");
        let next = tokio::time::timeout(app.limits.body_deadline, frames.next()).await.map_err(|_| late())?;
        let Some(frame) = next else { break };
        let broken = |_| Problem::fault("body", "The body is incomplete.");
        upload.add(&frame.map_err(broken)?).await?;
    }
    let document = upload.finish(&app.service.claims).await?;
    Ok(json(StatusCode::CREATED, &Payload { payload: DocumentShown::of(&document) }))
}

pub(super) static GET: Endpoint = Endpoint {
    method: Verb::Get,
    path: "/v1/claims/{claim_id}/documents/{document_id}",
    id: "getClaimDocument",
    tag: "Claims",
    summary: "Download a document of a claim",
    description: "Returns the uploaded bytes of the document as an attachment.",
    access: Access::Scope(Scope::PolicyRead),
    gives: Gives::bytes(200, "The document.", PaperType::WORDS),
    refuses: &[Code::R4040],
    handler: || answered_by(get),
    ..Endpoint::PLAIN
};

/// Returns an uploaded document of a claim.
async fn get(
    State(app): State<App>,
    caller: Caller<PolicyRead>,
    ids: PathIds<kind::Claim, kind::ClaimDocument>,
    context: RequestContext,
) -> Result<Response> {
    let (claim, id) = ids.known("claim", "document")?;
    let of = caller.partner;
    let paper = app.service.claim_papers.find(of, claim, id).await?;
    Ok(paper_response(&app, &context, of, &paper))
}

/// Response with a document of a claim as an attachment. Browsers must not run the document.
pub(super) fn paper_response(
    app: &App,
    context: &RequestContext,
    of: PartnerId,
    paper: &ClaimDocument,
) -> Response {
    let id = paper.id;
    context.set_audited(AuditEvent::ClaimPaperRead, Some(of), Some(id.to_string()));
    let name = format!("attachment; filename=\"{id}.{}\"", paper.media.extension());
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static(paper.media.word())),
        (CONTENT_LENGTH, HeaderValue::from(paper.bytes)),
        (header::CONTENT_DISPOSITION, HeaderValue::from_str(&name).expect("an id is plain ASCII")),
        (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(SANDBOX)),
        (header::CACHE_CONTROL, HeaderValue::from_static("private, no-store")),
    ];
    let service = app.service.clone();
    let part = move |number| {
        let service = service.clone();
        async move { service.claim_papers.part(of, id, number).await }
    };
    (headers, in_parts(id.to_string(), part)).into_response()
}

fn query_schema() -> serde_json::Value {
    describe(paper_query)
}

/// Reads the query parameter `paper`: id of a document that the claim needs.
fn paper_query(fields: &mut Fields<'_>) -> Option<String> {
    let description = "Id of a document in the claim's `papers`. Without this parameter, the upload is an additional document.";
    fields.optional("paper", Described { of: PlainText::line(40), description }).flatten()
}

/// Size of the body according to `Content-Length`, if any.
fn announced(headers: &HeaderMap) -> Option<u64> {
    headers.get(CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

/// Media type of the body: PDF, JPEG or PNG.
///
/// # Errors
/// V4150 for any other type, and for a compressed body.
fn media_type(headers: &HeaderMap) -> Result<PaperType> {
    let plain = headers
        .get_all(CONTENT_ENCODING)
        .iter()
        .all(|encoding| encoding.as_bytes().eq_ignore_ascii_case(b"identity"));
    if !plain {
        let detail = "The body must not be compressed: send it without Content-Encoding.";
        return Err(Problem::new(Code::V4150, detail));
    }
    let told = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let essence = told.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    PaperType::from_text(&essence).map_err(|_| {
        let detail = "The body must be a PDF, JPEG or PNG: send its Content-Type, such as application/pdf.";
        Problem::new(Code::V4150, detail)
    })
}
