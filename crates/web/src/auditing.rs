//! Which requests get an audit line.

use axum::http::StatusCode;

use crate::app::App;
use crate::audit::{AuditEvent, AuditLine};
use crate::context::RequestContext;
use crate::error::{Code, Problem};

/// Writes the audit line of a request that was answered, if it is to have one.
pub(crate) fn note(
    app: &App,
    context: &RequestContext,
    (method, route): (&'static str, &str),
    request_id: &str,
    status: StatusCode,
    problem: Option<&Problem>,
) {
    let Some(audit) = app.audit.get() else { return };
    let Some(event) = event(route, status, problem) else { return };
    let audited = context.audited();
    audit.write(&AuditLine {
        event,
        partner: context.partner().or_else(|| audited.and_then(|audited| audited.partner)),
        peer: context.peer().to_string(),
        record: audited.and_then(|audited| audited.record.as_deref()),
        request: format!("{method} {route}"),
        request_id,
    });
}

/// What a response tells of.
fn event(route: &str, status: StatusCode, problem: Option<&Problem>) -> Option<AuditEvent> {
    match (route, problem.map(|problem| problem.code)) {
        ("/v1/auth/token", Some(Code::A4001)) => Some(AuditEvent::SignInFailed),
        (_, Some(Code::A4001)) => Some(AuditEvent::TokenRefused),
        (_, Some(Code::A4030)) => Some(AuditEvent::ScopeRefused),
        ("/v1/auth/token", None) if status == StatusCode::OK => Some(AuditEvent::TokenIssued),
        ("/v1/embedded/policy/{address}", None) if status == StatusCode::OK => {
            Some(AuditEvent::CertificateRead)
        }
        ("/health", None) if matches!(status, StatusCode::FORBIDDEN | StatusCode::GONE) => {
            Some(AuditEvent::JourneyRefused)
        }
        _ => None,
    }
}
