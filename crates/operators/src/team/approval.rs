//! Actions that wait for a second operator's approval (D121).

use std::sync::Arc;

use domain::approval::{Approval, ApprovalState};
use domain::id::{ApprovalId, OperatorId};
use domain::money::Rupees;
use domain::team::Role;
use domain::text::one_line;
use service::Service;
use service::acting::{self, Acting, act_as};
use web::error::{Code, Problem};
use web::sight::Sight;

use crate::act::answer::Done;
use crate::act::approval_shown::{ApprovalShown, FACTS};
use crate::act::arguments::read_id;
use crate::act::decide::{decide, decide_reveal};
use crate::act::input::input;
use crate::act::listing::{Listed, PageAsked};
use crate::act::shown::answer;
use crate::act::{About, Act, Action, Allowed, Asked, Needed, On, Result, get, post};

/// Most characters of the reason of a refusal.
const LONGEST_REASON: usize = 300;

/// Roles that may see approvals. To decide an approval, an operator needs a role that may use the action
/// that waits for it.
const EVERYBODY: &[Role] = Role::ALL;

input! {
    /// List actions that wait for a second operator's approval
    struct ListApprovals {
        /// Only approvals about the record with this id
        #[flag(value = "ID")]
        of: Option<String>,
    } with {
        page: PageAsked,
    }
}

impl Act for ListApprovals {
    const ABOUT: About = get("approval.list", "/approvals", EVERYBODY);

    type Answer = Done<Approvals>;

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let waiting = on.service.approvals.waiting(self.of.as_deref(), self.page.reach()).await?;
        let Listed { records: waiting, page } = self.page.of(waiting, |one| one.id.to_string())?;
        let names = on.names().await?;
        Ok(Done::of(Approvals {
            approvals: waiting.iter().map(|one| ApprovalShown::of(one, &names)).collect(),
        })
        .listing(page, waiting.len()))
    }
}

input! {
    /// Show an action that waits, or waited, for a second operator's approval
    struct ShowApproval {
        /// Approval id, apr_…
        id: ApprovalId,
    }
}

impl Act for ShowApproval {
    const ABOUT: About = get("approval.show", "/approvals/{id}", EVERYBODY);

    type Answer = Done<ApprovalShown>;

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let approval = on.service.approvals.find(self.id).await?;
        let names = on.names().await?;
        let is_personal = approval.facts.iter().any(|fact| fact.is_personal);
        let sight = match is_personal && on.may_see_facts(&approval).await? {
            true => {
                on.service.audit.note("personal.reveal", &approval.id.to_string()).await?;
                Sight::Revealed(&[FACTS])
            }
            false => Sight::Masked,
        };
        Ok(Done::of(ApprovalShown::seen(&approval, &names, &sight)))
    }
}

input! {
    /// Approve an action that another operator requested; it is then done
    struct Approve {
        /// Approval id, apr_…
        id: ApprovalId,
    }
}

impl Act for Approve {
    const ABOUT: About = post("approval.approve", "/approvals/{id}/approval", EVERYBODY).irreversible();

    type Answer = Done<ApprovalShown>;

    async fn allowed(on: &On, record: &str) -> Result<Allowed> {
        let id = read_id("an approval", record)?;
        Ok(Allowed::if_so(on.service.approvals.judge(id, ApprovalState::Approved).await.is_ok()))
    }

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let approvals = &on.service.approvals;
        let id = self.id;
        let approval = approvals.find(id).await?;
        let action = on.action(&approval.act).ok_or_else(|| {
            Problem::new(Code::S4090, format!("This server does not know the action {}.", approval.act))
        })?;
        on.may_decide(action, &approval).await?;
        if let Some(why) = lost_access(&on.service, action, &approval).await? {
            return Err(Problem::new(Code::S4090, why));
        }
        let approval = approvals.decide(id, ApprovalState::Approved, None).await?;
        if action.about.is_fetched() {
            let line = format!("{id} is approved: {} can now repeat the action once", approval.asked_by);
            return Ok(told(on, &approval).await?.saying(line));
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
) -> Result<Done<ApprovalShown>> {
    let (approvals, id) = (&on.service.approvals, approval.id);
    let asked = Asked::again(&action.about, approval.path.clone(), approval.body.clone());
    let ended = Approval { state: ApprovalState::Done, ..approval.clone() };
    // The idempotency key of the current request belongs to the decision, which is stored already.
    let on = On { approved: Some(Arc::new(approval)), response: None, ..on.clone() };
    by.reason = asked.text("reason");
    let _ = by.approval.set(id.to_string());
    match act_as(Arc::new(by), action.run(&on, &asked)).await {
        Ok(answer) => {
            let told = told(&on, &ended).await?;
            let done = answer.texts("notes").into_iter().fold(told, Done::saying);
            Ok(done.saying(format!("{id} is done")).refusing(answer.texts("refused")))
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

input! {
    /// Refuse an action that another operator requested
    struct Refuse {
        /// Approval id, apr_…
        id: ApprovalId,
        /// Reason of the refusal
        reason: String,
    }
}

impl Act for Refuse {
    const ABOUT: About = post("approval.refuse", "/approvals/{id}/refusal", EVERYBODY);

    type Answer = Done<ApprovalShown>;

    async fn allowed(on: &On, record: &str) -> Result<Allowed> {
        let id = read_id("an approval", record)?;
        Ok(Allowed::if_so(on.service.approvals.judge(id, ApprovalState::Refused).await.is_ok()))
    }

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let id = self.id;
        let approval = on.service.approvals.find(id).await?;
        if let Some(action) = on.action(&approval.act) {
            on.may_decide(action, &approval).await?;
        }
        let reason = one_line(&self.reason, LONGEST_REASON);
        let refused = on.service.approvals.decide(id, ApprovalState::Refused, reason).await?;
        told(on, &refused).await
    }
}

input! {
    /// Withdraw an action that you requested and that waits for approval
    struct Withdraw {
        /// Approval id, apr_…
        id: ApprovalId,
    }
}

impl Act for Withdraw {
    const ABOUT: About = post("approval.withdraw", "/approvals/{id}/withdrawal", EVERYBODY);

    type Answer = Done<ApprovalShown>;

    async fn allowed(on: &On, record: &str) -> Result<Allowed> {
        let id = read_id("an approval", record)?;
        Ok(Allowed::if_so(on.service.approvals.judge(id, ApprovalState::Withdrawn).await.is_ok()))
    }

    async fn run(self, on: &On) -> Result<Self::Answer> {
        told(on, &on.service.approvals.decide(self.id, ApprovalState::Withdrawn, None).await?).await
    }
}

input! {
    /// Change the amount above which a payment needs a second operator
    struct ChangeLimit {
        /// Amount in whole rupees
        #[flag(value = "RUPEES")]
        above: u32,
    }
}

impl Act for ChangeLimit {
    const ABOUT: About = post("approval.limit", "/approval-limit", &[]).irreversible();

    type Answer = Done<ApprovalLimit>;

    async fn needs_approval(&self, on: &On) -> Result<Option<Needed>> {
        let (before, after) = (on.approval_limit().await?, Rupees::whole(self.above.into()));
        let what =
            format!("payments above {} need a second operator (now {})", after.grouped(), before.grouped());
        Ok(Some(Needed::new(what).of("approval limit", before).fact("limit_now", before.grouped())))
    }

    async fn run(self, on: &On) -> Result<Self::Answer> {
        on.service.installation.set_approval_above(self.above).await.map_err(service::Error::from)?;
        let amount = Rupees::whole(self.above.into());
        Ok(Done::of(ApprovalLimit { approval_above: self.above })
            .saying(format!("payments above {} need a second operator", amount.grouped())))
    }
}

impl On {
    fn action(&self, name: &str) -> Option<&'static Action> {
        self.actions.iter().find(|action| action.about.name == name)
    }

    /// Whether the caller has the roles to decide an approval and to see personal data.
    async fn may_see_facts(&self, approval: &Approval) -> Result<bool> {
        let Some(action) = self.action(&approval.act) else { return Ok(false) };
        let roles = self.approvers(&action.about, &approval.asked_by).await?;
        let about =
            About { roles: roles.unwrap_or(action.about.roles), is_irreversible: false, ..action.about };
        let now = self.service.team.now();
        Ok(decide(&self.who, &about, now).is_ok() && decide_reveal(&self.who).is_ok())
    }

    /// Checks that the caller may decide an approval of an action.
    async fn may_decide(&self, action: &Action, approval: &Approval) -> Result<()> {
        let roles = self.approvers(&action.about, &approval.asked_by).await?;
        let about = About { roles: roles.unwrap_or(action.about.roles), ..action.about };
        decide(&self.who, &about, self.service.team.now())
    }
}

async fn told(on: &On, approval: &Approval) -> Result<Done<ApprovalShown>> {
    Ok(Done::of(ApprovalShown::of(approval, &on.names().await?)))
}

answer! {
    /// Approvals of a list
    struct Approvals {
        /// Approvals that wait
        #[shown(columns = ["approval_id", "act", "what", "asked_by", "expires_at"])]
        approvals: Vec<ApprovalShown>,
    }
}

answer! {
    /// The limit for payments by one operator
    struct ApprovalLimit {
        /// Amount in whole rupees above which a payment needs a second operator
        approval_above: u32,
    }
}
