//! Decides which requests get a line in the log of access.

use crate::app::App;
use crate::audit::{AuditEvent, AuditLine};
use crate::context::RequestContext;
use crate::error::{Code, Problem};

/// Writes the audit line of an answered request, if the handler recorded an event or the request's
/// credentials were refused.
pub(crate) fn note(
    app: &App,
    context: &RequestContext,
    (method, route): (&'static str, &str),
    request_id: &str,
    problem: Option<&Problem>,
) {
    let Some(audit) = app.audit.get() else { return };
    let audited = context.audited();
    let refused = problem.and_then(|problem| match problem.code {
        Code::A4001 => Some(AuditEvent::TokenRefused),
        Code::A4030 => Some(AuditEvent::ScopeRefused),
        _ => None,
    });
    let Some(event) = audited.map(|audited| audited.event).or(refused) else { return };
    audit.write(&AuditLine {
        event,
        partner: context.partner().or_else(|| audited.and_then(|audited| audited.partner)),
        peer: context.peer().to_string(),
        record: audited.and_then(|audited| audited.record.as_deref()),
        request: format!("{method} {route}"),
        request_id,
    });
}
