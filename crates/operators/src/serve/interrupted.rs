//! Approved actions whose process was killed before they ended (D138).

use std::sync::Arc;

use domain::id::OperatorId;
use service::Service;
use service::acting::{Acting, Via};
use service::team::SignedIn;
use web::error::{Code, Problem};

use crate::act::Result;
use crate::act::decide::Who;
use crate::serve::acts::ACTIONS;
use crate::serve::{Api, Serving};
use crate::team::approval::{lost_access, run_approved};

/// Runs approved actions again that were interrupted, because their process was killed, in the names of the operators
/// who requested and approved them. If the requester has lost access, the approval fails with this reason.
///
/// # Errors
/// [`Problem`] if the store cannot be reached. The next call tries again.
pub async fn end_interrupted(service: &Arc<Service>, serving: &Serving) -> Result<()> {
    for approval in service.approvals.interrupted().await? {
        let Some(action) = ACTIONS.iter().find(|action| action.about.name == approval.act) else { continue };
        if action.about.is_fetched() {
            continue;
        }
        let approver = approval.decided.as_ref().map(|(by, _)| by.clone()).unwrap_or_default();
        let id = approval.id;
        let done = if let Some(why) = lost_access(service, action, &approval).await? {
            service.approvals.finish(approval, Some(why.clone())).await?;
            Err(Problem::new(Code::A4030, why))
        } else {
            let who = by_name(service, &approver).await?;
            let by = Acting::of(Via::Process, action.about.name).by(who.actor());
            let on = Api::of(service.clone(), serving.clone()).on(who);
            run_approved(&on, action, approval, by).await
        };
        match done {
            Ok(_) => tracing::info!("{id}: the approved action was interrupted, and is done now"),
            Err(problem) => {
                tracing::warn!("{id}: the approved action was interrupted, and failed: {}", problem.detail())
            }
        }
    }
    Ok(())
}

/// Operator of an id, or a user of the server's machine, as approvals name them.
async fn by_name(service: &Service, name: &str) -> Result<Who> {
    Ok(match name.parse::<OperatorId>() {
        Ok(id) => {
            let operator = service.team.find(&id.to_string()).await?;
            Who::Operator(Box::new(SignedIn::again(operator, service.team.now())))
        }
        Err(_) => Who::User(rustix::process::geteuid().as_raw(), None),
    })
}
