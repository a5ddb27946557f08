//! Actions that wait for a second operator's approval (D121).

use std::sync::Arc;

use clap::Args;
use domain::approval::{Approval, ApprovalState};
use domain::id::OperatorId;
use domain::money::Rupees;
use domain::team::Role;
use domain::text::one_line;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use service::Service;
use service::acting::{self, Acting, act_as};
use utoipa::ToSchema;
use web::error::{Code, Problem};

use crate::act::{About, Act, Action, Asked, Needed, On, Result, get, post, verbs};
use crate::answer::Answer;
use crate::arguments::read_id;
use crate::decide::decide;
use crate::record::minute;

/// Most characters of the reason of a refusal.
const LONGEST_REASON: usize = 300;

/// Roles that may see approvals. To decide an approval, an operator needs a role that may use the action
/// that waits for it.
const EVERYBODY: &[Role] = Role::ALL;

verbs! {
    /// Verbs of `covernote approval`
    ApprovalVerb {
        List(ListApprovals),
        Show(ShowApproval),
        Approve(Approve),
        Refuse(Refuse),
        Withdraw(Withdraw),
        Limit(ChangeLimit),
    }
}

/// List actions that wait for a second operator's approval
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ListApprovals {
    /// Only approvals about the record with this id
    #[arg(long, value_name = "ID")]
    of: Option<String>,
    /// Most approvals to list
    #[arg(long, value_name = "N", default_value_t = 50)]
    #[serde(default = "crate::arguments::fifty")]
    most: usize,
}

impl Act for ListApprovals {
    const ABOUT: About = get("approval.list", "/approvals", EVERYBODY);

    async fn run(self, on: &On) -> Result<Answer> {
        let waiting = on.service.approvals.waiting(self.of.as_deref(), self.most).await?;
        let row = |one: &Approval| {
            vec![
                one.id.to_string(),
                one.act.clone(),
                one.what.clone(),
                one.asked_by.clone(),
                minute(one.expires_at),
            ]
        };
        let json: Vec<Value> = waiting.iter().map(to_json).collect();
        let head = ["approval_id", "act", "what", "requested by", "expires"];
        Ok(Answer::of(json!({ "approvals": json })).table(&head, waiting.iter().map(row)))
    }
}

/// Show an action that waits, or waited, for a second operator's approval
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ShowApproval {
    /// Approval id, apr_…
    id: String,
}

impl Act for ShowApproval {
    const ABOUT: About = get("approval.show", "/approvals/{id}", EVERYBODY);

    async fn run(self, on: &On) -> Result<Answer> {
        let approval = on.service.approvals.find(read_id("an approval", &self.id)?).await?;
        Ok(told(&approval))
    }
}

/// Approve an action that another operator requested; it is then done
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Approve {
    /// Approval id, apr_…
    id: String,
}

impl Act for Approve {
    const ABOUT: About = post("approval.approve", "/approvals/{id}/approval", EVERYBODY).irreversible();

    async fn run(self, on: &On) -> Result<Answer> {
        let approvals = &on.service.approvals;
        let id = read_id("an approval", &self.id)?;
        let approval = approvals.find(id).await?;
        let action = on.actions.iter().find(|action| action.about.name == approval.act);
        let action = action.ok_or_else(|| {
            Problem::new(Code::S4090, format!("This server does not know the action {}.", approval.act))
        })?;
        on.may_decide(action, &approval).await?;
        if let Some(why) = lost_access(&on.service, action, &approval).await? {
            return Err(Problem::new(Code::S4090, why));
        }
        let approval = approvals.decide(id, ApprovalState::Approved, None).await?;
        if action.about.is_fetched() {
            let line = format!("{id} is approved: {} can now repeat the action once", approval.asked_by);
            return Ok(told(&approval).saying(line));
        }
        let now = acting::current();
        let mut by = Acting::of(now.via, action.about.name).by(now.actor());
        by.session = now.session.clone();
        run_approved(on, action, approval, by).await
    }
}

/// Why the requester of an approval may no longer do the action. `None` if the requester still may.
pub(crate) async fn lost_access(
    service: &Service,
    action: &Action,
    approval: &Approval,
) -> Result<Option<String>> {
    let Ok(id) = approval.asked_by.parse::<OperatorId>() else { return Ok(None) };
    let requester = service.team.find(&id.to_string()).await?;
    let may = requester.is_active() && requester.has_any(action.about.roles);
    Ok((!may).then(|| format!("{} may no longer do {}.", approval.asked_by, approval.act)))
}

/// Runs an approved action. Its first transaction also ends the approval.
pub(crate) async fn run_approved(
    on: &On,
    action: &Action,
    approval: Approval,
    mut by: Acting,
) -> Result<Answer> {
    let (approvals, id) = (&on.service.approvals, approval.id);
    let asked = Asked::again(&action.about, approval.path.clone(), approval.body.clone());
    let ended = Approval { state: ApprovalState::Done, ..approval.clone() };
    // The idempotency key of the current request belongs to the decision, which is stored already.
    let on = On { approved: Some(Arc::new(approval)), response: None, ..on.clone() };
    by.reason = asked.text("reason");
    let _ = by.approval.set(id.to_string());
    match act_as(Arc::new(by), (action.run)(&on, &asked)).await {
        Ok(mut answer) => {
            answer.json["approval"] = to_json(&ended);
            Ok(answer.saying(format!("{id} is done")))
        }
        Err(problem) => {
            // The action may have failed after its transaction.
            let approval = approvals.find(id).await?;
            if approval.state == ApprovalState::Approved {
                approvals.finish(approval, Some(problem.detail().to_owned())).await?;
            }
            Err(problem)
        }
    }
}

/// Refuse an action that another operator requested
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Refuse {
    /// Approval id, apr_…
    id: String,
    /// Reason of the refusal
    #[arg(long)]
    reason: String,
}

impl Act for Refuse {
    const ABOUT: About = post("approval.refuse", "/approvals/{id}/refusal", EVERYBODY);

    async fn run(self, on: &On) -> Result<Answer> {
        let id = read_id("an approval", &self.id)?;
        let approval = on.service.approvals.find(id).await?;
        let action = on.actions.iter().find(|action| action.about.name == approval.act);
        if let Some(action) = action {
            on.may_decide(action, &approval).await?;
        }
        let reason = one_line(&self.reason, LONGEST_REASON);
        let refused = on.service.approvals.decide(id, ApprovalState::Refused, reason).await?;
        Ok(told(&refused))
    }
}

/// Withdraw an action that you requested and that waits for approval
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Withdraw {
    /// Approval id, apr_…
    id: String,
}

impl Act for Withdraw {
    const ABOUT: About = post("approval.withdraw", "/approvals/{id}/withdrawal", EVERYBODY);

    async fn run(self, on: &On) -> Result<Answer> {
        let id = read_id("an approval", &self.id)?;
        Ok(told(&on.service.approvals.decide(id, ApprovalState::Withdrawn, None).await?))
    }
}

/// Change the amount above which a payment needs a second operator
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ChangeLimit {
    /// Amount in whole rupees
    #[arg(long, value_name = "RUPEES")]
    above: u32,
}

impl Act for ChangeLimit {
    const ABOUT: About = post("approval.limit", "/approval-limit", &[]).irreversible();

    async fn needs_approval(&self, on: &On) -> Result<Option<Needed>> {
        let (before, after) = (on.approval_limit().await?, Rupees::whole(self.above.into()));
        let what =
            format!("payments above {} need a second operator (now {})", after.grouped(), before.grouped());
        Ok(Some(Needed { version: before.to_string(), ..Needed::new(what) }))
    }

    async fn run(self, on: &On) -> Result<Answer> {
        on.service.installation.set_approval_above(self.above).await.map_err(service::Error::from)?;
        let amount = Rupees::whole(self.above.into());
        Ok(Answer::of(json!({ "approval_above": self.above }))
            .saying(format!("payments above {} need a second operator", amount.grouped())))
    }
}

impl On {
    /// Checks that the caller may decide an approval of an action.
    async fn may_decide(&self, action: &Action, approval: &Approval) -> Result<()> {
        let roles = self.approvers(&action.about, &approval.asked_by).await?;
        let about = About { roles: roles.unwrap_or(action.about.roles), ..action.about };
        decide(&self.who, &about, self.service.team.now())
    }
}

fn told(approval: &Approval) -> Answer {
    let mut answer = Answer::of(to_json(approval));
    answer.data(format!("{}: {}, {}", approval.id, approval.what, approval.state));
    answer.data(format!("requested by {}, expires {}", approval.asked_by, minute(approval.expires_at)));
    if let Some((by, at)) = &approval.decided {
        answer.data(format!("decided by {by} at {}", minute(*at)));
    }
    approval.reason.iter().for_each(|reason| answer.data(reason));
    answer
}

/// An approval as JSON for the API, without the body of the request to approve, which may be personal.
pub(crate) fn to_json(approval: &Approval) -> Value {
    let Approval { id, act, subject, what, asked_by, state, reason, .. } = approval;
    json!({
        "approval_id": id.to_string(), "act": act, "subject": subject, "what": what, "state": state.word(),
        "asked_by": asked_by, "asked_at": approval.asked_at.to_string(), "expires_at": approval.expires_at.to_string(),
        "decided_by": approval.decided.as_ref().map(|(by, _)| by),
        "decided_at": approval.decided.as_ref().map(|(_, at)| at.to_string()), "reason": reason,
    })
}
