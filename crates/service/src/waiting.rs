//! Tasks that wait for a person: decisions, payments, deadlines, stuck jobs.

use domain::policy::Policy;
use std::sync::Arc;
use std::time::Duration;

use domain::approval::ApprovalState;
use domain::claim::{Claim, ClaimState};
use domain::complaint::Complaint;
use domain::credit_life::{CreditLife, ProposalStatus};
use domain::date::{Date, Timestamp, day_of, days_later, start_of_day};
use domain::endorsement::Endorsement;
use domain::health_proposal::{Health, HealthProposalStatus};
use domain::id::{ClaimId, PartnerId, PolicyId, ProposalId};
use domain::line::LineOfBusiness;
use domain::money::Rupees;
use domain::party::PartyRole;
use domain::person::PersonalLine;
use domain::policy_state::PolicyState;
use domain::premium::{PremiumState, ProposalPremium, REMIT_WITHIN};
use domain::proposal::Actor;
use domain::statement::Recipient;
use domain::text::vocabulary;
use domain::webhook::{DisabledBy, WebhookEndpoint};

use crate::decision::premium::PremiumService;
use crate::error::Result;
use crate::line::SoldLine;
use crate::partner::PartnerService;
use crate::policy::PolicyService;
use crate::proposal::ProposalService;
use crate::proposal::deposit::named;
use crate::proposal::read::{Awaited, ProposalReadService};
use crate::proposal::renewal::RenewalService;
use crate::shared::Shared;
use crate::statement::{StatementService, not_closed};
use crate::storage::jobs::JobKind;
use crate::team::COOL_DOWN;

/// Most open records of one kind that are read.
const MOST: usize = 100_000;

/// How long an endpoint must fail before its partner should be called.
const FAILS_LONG: Duration = Duration::from_hours(1);

/// How long a job must be due without a worker before it counts as stuck.
const STUCK_AFTER: Duration = Duration::from_mins(15);

/// Number of failures in a row after which a job counts as stuck, even if it is still tried again.
const STUCK_FAULTS: u32 = 5;

/// Days before the last 24 hours that show what is usual for an operator, and the working days in them.
const USUAL_DAYS: Duration = Duration::from_hours(30 * 24);
const WORKING_DAYS: u64 = 20;

/// Fewer sights of personal data in 24 hours are never unusual.
const FEW_REVEALS: u64 = 20;

/// Days before the end of a licence from which its renewal is a waiting task.
pub const LICENCE_ENDS_SOON: u16 = 60;

vocabulary! {
    /// Kind of a waiting task.
    WaitingKind, "a kind of waiting task" {
        /// A proposal that the operator decides.
        Proposal = "proposal",
        /// A policy whose insurer confirms its cancellation.
        Cancellation = "cancellation",
        /// A change of a policy that the operator decides.
        Endorsement = "endorsement",
        /// A change of a policy whose premium has not been paid.
        EndorsementPayment = "endorsement-payment",
        /// A claim that its insurer must decide.
        Claim = "claim",
        /// A claim that is approved but not paid.
        ClaimPayment = "claim-payment",
        Complaint = "complaint",
        /// A premium that has not been paid.
        Premium = "premium",
        /// A premium of an accepted proposal that has not been paid.
        Acceptance = "acceptance",
        /// A renewal that became impossible. The customer must not pay for it.
        VoidRenewal = "void-renewal",
        /// A sale that waits because its deposit has too little money.
        DepositSale = "deposit-sale",
        /// A policy that can be renewed.
        Renewal = "renewal",
        /// A policy of which an insurer rejected a row of a bordereau.
        RejectedRow = "rejected-row",
        /// A payment that does not match its premium.
        Mismatch = "mismatch",
        /// A premium that was collected here and must go to its insurer.
        Remittance = "remittance",
        /// A payment that must go back to its payer.
        PremiumRefund = "premium-refund",
        /// A refund of a policy that its insurer owes.
        Refund = "refund",
        /// A deposit that runs low.
        Deposit = "deposit",
        /// A past month that is not closed.
        Month = "month",
        /// A commission that is owed to a partner.
        Commission = "commission",
        /// An operator's action that waits for a second operator's approval.
        Approval = "approval",
        /// An endpoint that takes no events.
        Endpoint = "endpoint",
        /// A job that fails again and again, or that no worker runs.
        Job = "job",
        /// A licence that ends soon, has ended, or is missing.
        Licence = "licence",
        /// An operator whose access was recovered in the last 24 hours: somebody should ask them whether it was they.
        Recovery = "recovery",
        /// A catalogue folder that differs from the approved catalogue, so that it does not run.
        Catalogue = "catalogue",
        /// An operator who saw much more personal data in the last 24 hours than usual.
        Reveals = "reveals",
    }
}

/// Days after today that count as this week.
const DAYS_OF_WEEK: u16 = 7;

vocabulary! {
    /// When a waiting task is due.
    DueGroup, "one of late, today, week, later" {
        /// The day is over.
        Late = "late",
        Today = "today",
        /// Within seven days.
        Week = "week",
        /// Later, or on no day.
        Later = "later",
    }
}

/// Task that waits for a person.
#[derive(Debug, Clone)]
pub struct Waiting {
    pub kind: WaitingKind,
    /// Time since which the task waits. If there is no such time, the time of the query.
    pub since: Timestamp,
    /// Day by which the task should be done, in Asia/Kolkata.
    pub due: Option<Date>,
    /// Id, number, month or name of the record that needs the task.
    pub record: String,
    /// Partner that owns the record, if a partner owns it.
    pub partner: Option<PartnerId>,
    /// Amount that the task is about.
    pub amount: Option<Rupees>,
    /// Description of the task in one line, without personal data.
    pub about: String,
}

impl Waiting {
    /// Key of the task: its kind, a colon, and its record.
    pub fn task(&self) -> String {
        format!("{}:{}", self.kind, self.record)
    }

    /// When the task is due, for a list in groups.
    pub fn when(&self, now: Timestamp) -> DueGroup {
        let today = day_of(now);
        match self.due {
            _ if self.is_late(now) => DueGroup::Late,
            // Money that must be paid on must be paid within a day.
            _ if self.kind == WaitingKind::Remittance => DueGroup::Today,
            Some(due) if due <= today => DueGroup::Today,
            Some(due) if days_later(today, DAYS_OF_WEEK).is_some_and(|end| due <= end) => DueGroup::Week,
            _ => DueGroup::Later,
        }
    }

    /// Whether the deadline was before `now`. The deadline is the end of the due day, or for a remittance the
    /// end of its 24 hours.
    pub fn is_late(&self, now: Timestamp) -> bool {
        match self.kind {
            WaitingKind::Remittance => self.since + REMIT_WITHIN < now,
            _ => self.due.is_some_and(|due| due < day_of(now)),
        }
    }
}

/// What a waiting task is about, for the person who does it.
#[derive(Debug, Default)]
pub struct WaitingSale {
    pub product: Option<String>,
    pub insurer: Option<String>,
    /// First insured person.
    pub person: Option<PersonalLine>,
}

/// Finds the tasks that wait for a person.
pub struct WaitingService {
    pub(crate) shared: Arc<Shared>,
    pub(crate) partners: Arc<PartnerService>,
    pub(crate) proposals: Arc<ProposalReadService>,
    pub(crate) policies: Arc<PolicyService>,
    pub(crate) statements: Arc<StatementService>,
    pub(crate) renewals: Arc<RenewalService>,
    pub(crate) sales: Arc<ProposalService>,
    pub(crate) premiums: Arc<PremiumService>,
}

impl WaitingService {
    /// All waiting tasks, oldest first. Records of test partners cause no tasks.
    ///
    /// # Errors
    /// [`crate::Error::Storage`].
    pub async fn all(&self) -> Result<Vec<Waiting>> {
        let mut all = self.proposals().await?;
        for premium in self.shared.storage.open_premiums(MOST).await? {
            let is_void = premium.line == LineOfBusiness::Health
                && premium.books.state() == PremiumState::Due
                && self.is_void(&premium).await?;
            let due = self.premiums.pay_by(&premium).await?;
            all.extend(of_premium(&premium, is_void, due));
        }
        all.extend(self.renewals().await?);
        all.extend(self.rejected_rows().await?);
        all.extend(self.changes_of_policies().await?);
        let store = &self.shared.storage;
        all.extend(store.open_claims(MOST).await?.iter().map(of_claim));
        all.extend(store.open_complaints(MOST).await?.iter().map(of_complaint));
        all.extend(self.books().await?);
        all.extend(self.operations().await?);
        all.extend(self.licences().await?);
        all.extend(self.shared.catalogues.unapproved().map(|hash| {
            let about = "the catalogue folder was not approved, so it does not run".to_owned();
            ours(WaitingKind::Catalogue, self.shared.clock.now(), hash.to_string(), about)
        }));
        all.sort_by(|one, other| (one.since, &one.record).cmp(&(other.since, &other.record)));
        Ok(all)
    }

    /// Updates the metrics of waiting tasks.
    ///
    /// # Errors
    /// [`crate::Error::Storage`].
    pub async fn watch(&self) -> Result<()> {
        let (all, now) = (self.all().await?, self.shared.clock.now());
        for kind in WaitingKind::ALL {
            let count = all.iter().filter(|one| one.kind == *kind).count();
            metrics::gauge!("covernote_waiting", "kind" => kind.word()).set(count as f64);
        }
        let late = all.iter().filter(|one| one.is_late(now)).count();
        metrics::gauge!("covernote_waiting_late").set(late as f64);
        Ok(())
    }

    /// Proposals that the operator must decide, or an insurer that cannot be asked over HTTP.
    async fn proposals(&self) -> Result<Vec<Waiting>> {
        let mut all = Vec::new();
        for of in self.partners.live().await?.iter().map(|record| record.partner.id) {
            all.extend(self.undecided::<CreditLife>(of, ProposalStatus::Pending).await?);
            all.extend(self.undecided::<Health>(of, HealthProposalStatus::Offline).await?);
        }
        Ok(all)
    }

    async fn undecided<L: SoldLine>(&self, of: PartnerId, status: L::Status) -> Result<Vec<Waiting>> {
        let store = self.shared.storage.as_ref();
        let lines = L::storage(store).proposal_lines(of, Some(status), MOST).await?;
        let ids: Vec<ProposalId> = lines.iter().map(|line| line.id).collect();
        let mut all = Vec::new();
        for shown in self.proposals.shown_of(of, L::LINE, &ids).await? {
            let decider = shown.awaits.iter().find(|awaits| awaits.what == Awaited::Decision);
            let is_ours = match decider.map(|awaits| awaits.from) {
                Some(Actor::Operator) => true,
                Some(Actor::Insurer) => {
                    store.job_for(JobKind::Decision(L::LINE), shown.id.uuid()).await?.is_none()
                }
                _ => false,
            };
            if is_ours {
                all.push(Waiting {
                    kind: WaitingKind::Proposal,
                    since: shown.status_since,
                    due: None,
                    record: shown.id.to_string(),
                    partner: Some(of),
                    amount: None,
                    about: format!("{} proposal to decide", shown.line),
                });
            }
        }
        Ok(all)
    }

    /// Product, insurer and insured person of a task's record.
    ///
    /// # Errors
    /// [`crate::Error::Storage`].
    pub async fn sale_of(&self, waiting: &Waiting) -> Result<WaitingSale> {
        let Some(of) = waiting.partner else { return Ok(WaitingSale::default()) };
        let policy = match (waiting.record.parse::<PolicyId>(), waiting.record.parse::<ClaimId>()) {
            (Ok(id), _) => Some(id),
            (_, Ok(id)) => self.shared.storage.claim(of, id).await?.map(|claim| claim.policy),
            _ => None,
        };
        if let Some(id) = policy {
            let covered = self.policies.view(of, id).await?.shown.covered;
            return Ok(WaitingSale {
                product: Some(covered.product_name),
                insurer: Some(covered.insurer),
                person: covered.members.into_iter().next().map(|member| member.name),
            });
        }
        let Ok(id) = waiting.record.parse::<ProposalId>() else { return Ok(WaitingSale::default()) };
        let Some((_, line)) = self.shared.storage.owner_of_proposal(id).await? else {
            return Ok(WaitingSale::default());
        };
        let sold = self.proposals.shown_of(of, line, &[id]).await?.pop().and_then(|shown| shown.sold);
        let (product, insurer) = sold.map(|sold| (sold.product, sold.insurer)).unzip();
        let person = match line {
            LineOfBusiness::CreditLife => self.insured::<CreditLife>(of, id).await?,
            LineOfBusiness::Health => self.insured::<Health>(of, id).await?,
        };
        Ok(WaitingSale { product, insurer, person })
    }

    /// First insured person of a proposal.
    async fn insured<L: SoldLine>(&self, of: PartnerId, id: ProposalId) -> Result<Option<PersonalLine>> {
        let parties = self.sales.find_if_any::<L>(of, id).await?.map(|one| L::parties(&one.application));
        let insured = parties.into_iter().flatten().find(|party| party.role == PartyRole::Insured);
        Ok(insured.map(|party| party.name))
    }

    /// Whether a premium is for a renewal that became impossible.
    async fn is_void(&self, premium: &ProposalPremium) -> Result<bool> {
        match self.sales.find_if_any::<Health>(premium.partner, premium.proposal).await? {
            Some(proposal) => self.sales.is_void(&proposal).await,
            None => Ok(false),
        }
    }

    /// Policies that can be renewed today.
    async fn renewals(&self) -> Result<Vec<Waiting>> {
        let due = self.renewals.due_of_partners(None, None, MOST).await?.into_iter();
        let may_be_renewed = due.filter(|due| due.from.is_some_and(|from| from <= due.shown.today));
        Ok(may_be_renewed
            .map(|due| Waiting {
                kind: WaitingKind::Renewal,
                since: due.from.and_then(start_of_day).unwrap_or_default(),
                due: Some(due.until),
                record: due.shown.policy.id.to_string(),
                partner: Some(due.shown.policy.partner),
                amount: None,
                about: format!("cover ends on {}", due.shown.policy.last_day()),
            })
            .collect())
    }

    /// Policies in force whose row was rejected, until the insurer's number of the policy is known.
    async fn rejected_rows(&self) -> Result<Vec<Waiting>> {
        let mut all = Vec::new();
        for (id, since) in self.shared.storage.rejected_rows(MOST).await? {
            let Some(of) = self.shared.storage.owner_of_policy(id).await? else { continue };
            let Some(policy) = self.shared.storage.policy(of, id).await? else { continue };
            if policy.state == PolicyState::Issued && policy.insurer_number.is_none() {
                let about = "its insurer rejected a row of a bordereau".to_owned();
                let waits = ours(WaitingKind::RejectedRow, since, id.to_string(), about);
                all.push(Waiting { partner: Some(of), ..waits });
            }
        }
        Ok(all)
    }

    /// Tasks about cancellations, endorsements and refunds.
    async fn changes_of_policies(&self) -> Result<Vec<Waiting>> {
        let mut all = Vec::new();
        let asked = PolicyState::CancellationRequested;
        for shown in self.policies.of_partners(None, Some(asked), MOST).await? {
            all.push(Waiting {
                kind: WaitingKind::Cancellation,
                since: shown.state_since(),
                due: None,
                record: shown.policy.id.to_string(),
                partner: Some(shown.policy.partner),
                amount: None,
                about: format!("cancellation to confirm by {}", shown.covered.insurer),
            });
        }
        let store = &self.shared.storage;
        for policy in store.endorsements_open(MOST).await? {
            let open = policy.endorsements.iter().find(|one| one.is_open());
            all.extend(open.map(|open| of_endorsement(&policy, open)));
        }
        for policy in store.refunds_owed(MOST).await? {
            let owed = policy
                .refund_owed()
                .map(|refund| (refund.owed(), refund.due_on, policy.refund_asked_at(refund)));
            all.extend(owed.map(|(amount, due, since)| Waiting {
                kind: WaitingKind::Refund,
                since: since.or_else(|| start_of_day(due)).unwrap_or_default(),
                due: Some(due),
                record: policy.id.to_string(),
                partner: Some(policy.partner),
                amount: Some(amount),
                about: format!("{} that the insurer owes to the insured", amount.grouped_with_paise()),
            }));
        }
        Ok(all)
    }

    /// Tasks about deposits, months to close and commissions.
    async fn books(&self) -> Result<Vec<Waiting>> {
        let (store, catalogue) = (&self.shared.storage, self.shared.catalogues.running());
        let now = self.shared.clock.now();
        let mut all = Vec::new();
        for deposit in store.deposits().await? {
            let terms = named(&catalogue, deposit.insurer, &deposit.name);
            if terms.is_some_and(|terms| deposit.balance < terms.warn_below) {
                let about = format!("{} is left", deposit.balance.grouped_with_paise());
                all.push(ours(WaitingKind::Deposit, now, deposit.name, about));
            }
        }
        for month in not_closed(store.as_ref(), store.as_ref(), store.as_ref(), day_of(now)).await? {
            let over = days_later(month.days().last, 1).and_then(start_of_day).unwrap_or(now);
            all.push(ours(
                WaitingKind::Month,
                over,
                month.to_string(),
                "the month is over, but not closed".into(),
            ));
        }
        for statement in self.statements.of_months(None, MOST).await? {
            let owed = statement.payable();
            if let (Recipient::Partner(of), None) = (statement.recipient, &statement.paid)
                && owed > Rupees::ZERO
            {
                let about = format!("{} of commission to pay", owed.grouped_with_paise());
                let waits = ours(WaitingKind::Commission, statement.made_at, statement.number, about);
                all.push(Waiting { partner: Some(of), ..waits });
            }
        }
        Ok(all)
    }

    /// Tasks about approvals, webhook endpoints and stuck jobs.
    async fn operations(&self) -> Result<Vec<Waiting>> {
        let (store, now) = (&self.shared.storage, self.shared.clock.now());
        let mut all = Vec::new();
        for approval in store.approvals(ApprovalState::Waiting, None, now, MOST).await? {
            let about = format!("{}, requested by {}", approval.what, approval.asked_by);
            let waits = ours(WaitingKind::Approval, approval.asked_at, approval.id.to_string(), about);
            all.push(Waiting { due: Some(day_of(approval.expires_at)), ..waits });
        }
        for operator in store.operators().await? {
            if let Some(at) = operator.recovered_at.filter(|at| *at + COOL_DOWN > now) {
                let about = format!("access of {} was recovered: ask whether they did it", operator.name);
                all.push(ours(WaitingKind::Recovery, at, operator.id.to_string(), about));
            }
        }
        all.extend(self.reveals(now).await?);
        for record in self.partners.live().await? {
            let of = record.partner.id;
            all.extend(store.endpoints(of).await?.iter().filter_map(|endpoint| of_endpoint(endpoint, now)));
        }
        for stuck in store.stuck_jobs(now - STUCK_AFTER, STUCK_FAULTS, MOST).await? {
            let about = match stuck.faults {
                0 => "is due, but no worker runs it".to_owned(),
                faults => format!("failed {faults} times in a row"),
            };
            let about = format!("{} job {about}", stuck.job.kind.word());
            let waits = ours(WaitingKind::Job, stuck.due.min(now), stuck.job.record(), about);
            all.push(Waiting { partner: Some(stuck.job.of), ..waits });
        }
        Ok(all)
    }

    /// Operators who saw more than three times as much personal data in the last 24 hours as on a usual working day.
    async fn reveals(&self, now: Timestamp) -> Result<Vec<Waiting>> {
        let (store, day) = (&self.shared.storage, now - Duration::from_hours(24));
        let before = store.reveals(day - USUAL_DAYS, day).await?;
        let usual = |actor: &str| {
            before.iter().find(|(by, _)| by == actor).map_or(0, |(_, reveals)| reveals / WORKING_DAYS)
        };
        let unusual = |(actor, reveals): (String, u64)| {
            let usual = usual(&actor);
            let about = format!("saw personal data {reveals} times in 24 hours, usually {usual} times a day");
            (actor.starts_with("opr_") && reveals >= FEW_REVEALS && reveals > 3 * usual)
                .then(|| ours(WaitingKind::Reveals, now, actor, about))
        };
        Ok(store.reveals(day, now + Duration::from_hours(1)).await?.into_iter().filter_map(unusual).collect())
    }

    /// Tasks about the licences of the operator and its partners.
    async fn licences(&self) -> Result<Vec<Waiting>> {
        let now = self.shared.clock.now();
        let ends = |until: Date, name: String, partner: Option<PartnerId>| {
            let soon = days_later(day_of(now), LICENCE_ENDS_SOON)?;
            let waits = ours(WaitingKind::Licence, now, name, format!("licence ends on {until}"));
            (until < soon).then_some(Waiting { due: Some(until), partner, ..waits })
        };
        let operator = self.shared.settings.operator.as_ref();
        let own = operator.and_then(|it| ends(it.licence_until, it.name.english().to_owned(), None));
        let mut all: Vec<Waiting> = own.into_iter().collect();
        let (catalogue, partners) = (self.shared.catalogues.running(), self.partners.live().await?);
        let commission = catalogue.commission();
        for partner in partners.iter().map(|record| &record.partner).filter(|partner| partner.enabled) {
            let (of, name) = (Some(partner.id), partner.name.clone());
            if commission.earns_nothing(partner.id) {
                let about = "earns no commission without a licence in commission.toml".to_owned();
                all.push(Waiting { partner: of, ..ours(WaitingKind::Licence, now, name, about) });
            } else if let Some(licence) = commission.licence_of(partner.id) {
                all.extend(ends(licence.until, name, of));
            }
        }
        Ok(all)
    }
}

/// Task about the operator's own record, without a partner or a due day.
fn ours(kind: WaitingKind, since: Timestamp, record: String, about: String) -> Waiting {
    Waiting { kind, since, due: None, record, partner: None, amount: None, about }
}

fn of_endorsement(policy: &Policy, open: &Endorsement) -> Waiting {
    let charge = open.charge.total();
    let (kind, about) = match charge > Rupees::ZERO && open.payment.is_none() {
        true => {
            let due = charge.grouped_with_paise();
            (WaitingKind::EndorsementPayment, format!("{due} is due for a change of {}", open.change.kind()))
        }
        false => (WaitingKind::Endorsement, format!("change of {} to decide", open.change.kind())),
    };
    Waiting {
        kind,
        since: open.asked_at,
        due: None,
        record: policy.id.to_string(),
        partner: Some(policy.partner),
        amount: (charge > Rupees::ZERO).then_some(charge),
        about,
    }
}

/// Tasks about one premium. A payment can cause several.
/// `due`: last day on which an accepted proposal can be paid.
fn of_premium(premium: &ProposalPremium, is_void: bool, due: Option<Date>) -> impl Iterator<Item = Waiting> {
    let one = |kind, amount: Rupees, what: &str| Waiting {
        kind,
        since: premium.changed_at,
        due: None,
        record: premium.proposal.to_string(),
        partner: Some(premium.partner),
        amount: Some(amount),
        about: format!("{} {what}", amount.grouped_with_paise()),
    };
    let books = premium.books;
    let owed = match books.state() {
        PremiumState::Due => {
            let (kind, what) = match (&premium.deposit, &premium.decision) {
                _ if is_void => (
                    WaitingKind::VoidRenewal,
                    "must not be paid: the policy can no longer be renewed".to_owned(),
                ),
                (Some(deposit), _) => {
                    (WaitingKind::DepositSale, format!("is missing in the deposit {deposit}"))
                }
                (None, Some(_)) => (
                    WaitingKind::Acceptance,
                    format!("is due by {}: the proposal is accepted", premium.route),
                ),
                (None, None) => (WaitingKind::Premium, format!("is due by {}", premium.route)),
            };
            Some(Waiting { due, ..one(kind, books.due, &what) })
        }
        PremiumState::Mismatch => {
            let due = books.due.grouped_with_paise();
            Some(one(WaitingKind::Mismatch, books.unsettled, &format!("was received, but {due} is due")))
        }
        _ => None,
    };
    let back = (books.refundable > Rupees::ZERO)
        .then(|| one(WaitingKind::PremiumRefund, books.refundable, "must be refunded to the payer"));
    let remit = premium.held_since.map(|since| Waiting {
        since,
        due: Some(day_of(since + REMIT_WITHIN)),
        ..one(WaitingKind::Remittance, books.to_remit(), "must be paid to the insurer within 24 hours")
    });
    [owed, back, remit].into_iter().flatten()
}

fn of_claim(claim: &Claim) -> Waiting {
    let kind = match claim.state {
        ClaimState::Approved => WaitingKind::ClaimPayment,
        _ => WaitingKind::Claim,
    };
    Waiting {
        kind,
        since: claim.created_at,
        due: Some(claim.settle_by()),
        record: claim.id.to_string(),
        partner: Some(claim.partner),
        amount: claim.payable().or(claim.notice.claimed),
        about: match &claim.asked {
            Some(asked) if claim.state.takes_papers() => {
                format!("{} claim, {}, papers asked until {}", claim.notice.kind, claim.state, asked.by)
            }
            _ => format!("{} claim, {}", claim.notice.kind, claim.state),
        },
    }
}

fn of_complaint(complaint: &Complaint) -> Waiting {
    let about = format!("{} complaint to answer", complaint.kind);
    let waits = ours(WaitingKind::Complaint, complaint.created_at, complaint.id.to_string(), about);
    Waiting { due: Some(complaint.answer_by), partner: complaint.partner, ..waits }
}

/// Task for an endpoint that the service disabled, or that has failed for long.
fn of_endpoint(endpoint: &WebhookEndpoint, now: Timestamp) -> Option<Waiting> {
    let (since, about) = match (endpoint.disabled, endpoint.health.failing_since) {
        (Some((DisabledBy::Partner, _)), _) => return None,
        (Some((_, since)), _) => (since, "was disabled because it accepted no events".to_owned()),
        (None, Some(since)) if since + FAILS_LONG < now => {
            (since, format!("accepted no event in the last {} attempts", endpoint.health.failures))
        }
        (None, _) => return None,
    };
    let waits = ours(WaitingKind::Endpoint, since, endpoint.id.to_string(), about);
    Some(Waiting { partner: Some(endpoint.partner), ..waits })
}
