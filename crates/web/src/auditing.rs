//! Which requests get an audit line.

use crate::app::App;
use crate::audit::{AuditEvent, AuditLine};
use crate::context::RequestContext;
use crate::error::{Code, Problem};

/// Writes the audit line of a request that was answered, if it is to have one: because its handler noted an event, or
/// because it was refused for its credentials.
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
