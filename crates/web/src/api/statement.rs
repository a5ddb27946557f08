//! `/v1/statements`: a partner's own statements, with their files (D85).

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use domain::access::Scope;
use domain::id::{PartnerId, kind};
use domain::statement::{FileFormat, Statement};
use serde::Serialize;
use service::statement::StatementService;
use utoipa::ToSchema;

use crate::api::common::endpoint::{Access, Endpoint, Gives, Verb, answered_by};
use crate::app::App;
use crate::audit::AuditEvent;
use crate::caller::{Caller, PolicyRead};
use crate::context::{Admitted, RequestContext};
use crate::error::{Code, Result};
use crate::parts::in_parts;
use crate::path::{PathId, PathText};
use crate::response::{Payload, json};

/// Endpoints, in the order of the OpenAPI document.
pub(super) static ENDPOINTS: &[&Endpoint] = &[&LIST, &GET, &DOWNLOAD];

const ROBOTS: HeaderName = HeaderName::from_static("x-robots-tag");

/// Media types of statement files.
const MEDIA_TYPES: &[&str] = &[FileFormat::Csv.media_type(), FileFormat::Xlsx.media_type()];

static LIST: Endpoint = Endpoint {
    method: Verb::Get,
    path: "/v1/statements",
    id: "listStatements",
    tag: "Statements",
    summary: "List statements",
    description: "Lists your statements of closed months, newest month first, of at most the last ten years.",
    access: Access::Scope(Scope::PolicyRead),
    gives: Gives::json::<StatementList>(200, "The statements."),
    handler: || answered_by(list),
    ..Endpoint::PLAIN
};

/// Lists the partner's statements.
async fn list(State(app): State<App>, caller: Caller<PolicyRead>) -> Result<Response> {
    let statements = app.service.statements.of_partner(caller.partner).await?;
    let statements = statements.iter().map(StatementSummary::of).collect();
    Ok(json(StatusCode::OK, &StatementList { statements }))
}

static GET: Endpoint = Endpoint {
    method: Verb::Get,
    path: "/v1/statements/{statement_id}",
    id: "getStatement",
    tag: "Statements",
    summary: "Get a statement",
    description: "Returns a statement with its totals, and a download address of each file. The addresses work for 10 minutes.",
    access: Access::Scope(Scope::PolicyRead),
    gives: Gives::payload::<StatementDetail>(200, "The statement."),
    refuses: &[Code::R4040],
    handler: || answered_by(get),
    ..Endpoint::PLAIN
};

/// Shows one of the partner's statements.
async fn get(
    State(app): State<App>,
    caller: Caller<PolicyRead>,
    id: PathId<kind::Statement>,
) -> Result<Response> {
    let statements = &app.service.statements;
    let statement = statements.find(caller.partner, id.known("statement")?).await?;
    let payload = StatementDetail::of(caller.partner, &statement, statements);
    Ok(json(StatusCode::OK, &Payload { payload }))
}

static DOWNLOAD: Endpoint = Endpoint {
    method: Verb::Get,
    path: "/v1/statements/files/{address}",
    id: "downloadStatement",
    tag: "Statements",
    summary: "Download a file of a statement",
    description: "Downloads the file at a `url` of a statement, as an attachment. The address includes the permission: no bearer token is needed.",
    access: Access::Open,
    gives: Gives::bytes(200, "The file.", MEDIA_TYPES),
    refuses: &[Code::R4040, Code::R4100],
    handler: || answered_by(download),
    ..Endpoint::PLAIN
};

/// Streams a statement file in parts.
async fn download(
    State(app): State<App>,
    _: Admitted,
    context: RequestContext,
    PathText(address): PathText,
) -> Result<Response> {
    let (of, found) = app.service.statements.signed(&address).await?;
    let (statement, file) = (found.statement, found.file);
    context.set_audited(AuditEvent::StatementRead, Some(of), Some(statement.id.to_string()));
    let name = format!("attachment; filename=\"{}\"", statement.file_name(file.format));
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(file.format.media_type())),
        (header::CONTENT_LENGTH, HeaderValue::from(file.bytes)),
        (header::CONTENT_DISPOSITION, HeaderValue::from_str(&name).expect("a number is plain ASCII")),
        (header::CACHE_CONTROL, HeaderValue::from_static("private, no-store")),
        (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
        (ROBOTS, HeaderValue::from_static("noindex, nofollow")),
    ];
    let (service, name) = (app.service.clone(), statement.id.to_string());
    let statement = Arc::new(statement);
    let part = move |number| {
        let (service, statement) = (service.clone(), statement.clone());
        async move { service.statements.part(&statement, file.format, number).await }
    };
    Ok((headers, in_parts(name, part)).into_response())
}

/// List of your statements.
#[derive(Serialize, ToSchema)]
pub(crate) struct StatementList {
    /// Statements, newest month first.
    statements: Vec<StatementSummary>,
}

/// Summary of a monthly statement.
#[derive(Serialize, ToSchema)]
pub struct StatementSummary {
    /// Id of the statement: `stm_…`.
    #[schema(example = "stm_01m5vvw3xreqg9aaa1afd2xg99")]
    statement_id: String,
    /// Unique number of the statement.
    #[schema(example = "CS-202611-0001")]
    number: String,
    /// Month that the statement covers, in Asia/Kolkata.
    #[schema(example = "2026-11")]
    month: String,
    /// Kind of statement, such as `commission`.
    #[schema(example = "commission")]
    kind: &'static str,
    /// Time when the statement was made.
    #[schema(example = "2026-12-01T04:30:00Z")]
    made_at: String,
    /// Number of rows in the statement's files.
    #[schema(example = 120)]
    rows: u64,
    /// Totals in rupees, by name. Amounts that you must pay back are negative.
    totals: BTreeMap<String, String>,
    /// The operator's payment of the total `payable`. `null` until the operator records the payment.
    paid: Option<StatementPaid>,
}

/// The operator's payment of a statement.
#[derive(Serialize, ToSchema)]
pub(crate) struct StatementPaid {
    /// Reference of the payment, such as the bank's UTR.
    #[schema(example = "HDFCR52026120100001")]
    reference: String,
    /// Day of the payment, in Asia/Kolkata.
    #[schema(example = "2026-12-07")]
    paid_on: String,
    /// Amount paid, in rupees.
    #[schema(example = "1062.00")]
    amount: String,
}

impl StatementSummary {
    /// The statement as the partners' API lists it.
    pub fn of(statement: &Statement) -> Self {
        let total = |(name, amount): &(String, domain::money::Rupees)| (name.clone(), amount.to_string());
        StatementSummary {
            statement_id: statement.id.to_string(),
            number: statement.number.clone(),
            month: statement.month.to_string(),
            kind: statement.kind.word(),
            made_at: statement.made_at.to_string(),
            rows: statement.rows,
            totals: statement.totals.iter().map(total).collect(),
            paid: statement.paid.as_ref().map(|paid| StatementPaid {
                reference: paid.reference.as_str().to_owned(),
                paid_on: paid.paid_on.to_string(),
                amount: statement.payable().to_string(),
            }),
        }
    }
}

/// A statement with its files.
#[derive(Serialize, ToSchema)]
pub(crate) struct StatementDetail {
    #[serde(flatten)]
    summary: StatementSummary,
    /// Files of the statement.
    files: Vec<StatementFileShown>,
}

/// A file of a statement.
#[derive(Serialize, ToSchema)]
pub(crate) struct StatementFileShown {
    /// Format of the file: `csv` or `xlsx`.
    #[schema(example = "csv")]
    format: &'static str,
    /// Size of the file, in bytes.
    #[schema(example = 20480)]
    bytes: u64,
    /// SHA-256 of the file, in hexadecimal digits.
    #[schema(example = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")]
    sha256: String,
    /// Download address of the file, valid for 10 minutes. You need no token.
    url: String,
}

impl StatementDetail {
    fn of(of: PartnerId, statement: &Statement, statements: &StatementService) -> Self {
        let shown = |file: &domain::statement::StatementFile| StatementFileShown {
            format: file.format.word(),
            bytes: file.bytes,
            sha256: file.hash.iter().map(|byte| format!("{byte:02x}")).collect(),
            url: statements.signed_address(of, statement.id, file.format),
        };
        StatementDetail {
            summary: StatementSummary::of(statement),
            files: statement.files.iter().map(shown).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use service::statement::DOWNLOAD_PATH;

    use super::*;

    #[test]
    fn signed_statement_addresses_use_the_path_of_the_download_endpoint() {
        assert_eq!(DOWNLOAD.path, format!("{DOWNLOAD_PATH}{{address}}"));
    }
}
