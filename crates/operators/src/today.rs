//! The work that waits for a person today: who does it, until when it is put aside, and the team's notes.

use std::collections::HashMap;

use domain::date::{Date, Timestamp};
use domain::id::{OperatorId, PartnerId};
use domain::money::Rupees;
use domain::person::PersonalLine;
use domain::vocabulary;
use domain::work_item::{WorkItem, WorkNote};
use service::Error;
use service::acting::{self, Actor};
use service::waiting::{DueGroup, Waiting, WaitingKind, WaitingSale};
use web::error::{Code, Problem};
use web::sight::{Masked, Sight};

use crate::act::answer::Done;
use crate::act::arguments::{bad, fault};
use crate::act::fields::{OperatorName, TaskName};
use crate::act::input::{input, texts};
use crate::act::listing::{Listed, PageAsked};
use crate::act::names::Names;
use crate::act::record::partner_name;
use crate::act::shown::{answer, words};
use crate::act::{About, Act, Allowed, On, Result, Role, get, post};

/// Most notes of a task. A newer note replaces the oldest.
const MOST_NOTES: usize = 50;

/// Most days for which a task can be put aside.
const MOST_DAYS_ASIDE: u16 = 90;

vocabulary! {
    /// Whose work a list has
    Whose, "one of all, role, mine" {
        /// All work that you may see
        All = "all",
        /// Work that your roles may do
        Role = "role",
        /// Work that you do
        Mine = "mine",
    }
}

texts!(Whose);
words!(DueGroup);

input! {
    /// List all work that waits for a person: late work first, then oldest first
    struct ListWaiting {
        /// Whose work: all that you may see, what your roles may do, or only yours
        whose: Whose = "all",
        /// Also list work that was put aside until a later day
        aside: bool,
        /// Most entries to list
        most: usize = 1000,
        /// Only entries after the one with this key
        #[flag(value = "TASK")]
        after: Option<String>,
    }
}

impl Act for ListWaiting {
    const ABOUT: About = get("waiting.list", "/waiting", Role::ALL);

    type Answer = Done<WaitingWork>;

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let (waiting, now) = (on.service.waiting.all().await?, on.service.installation.now());
        let (items, today) = (on.service.work_items.all().await?, on.service.installation.today());
        let me = own_id();
        let is_listed = |one: &Waiting| {
            let item = items.get(&one.task());
            let owner = item.and_then(|item| item.owner);
            let is_aside = item.and_then(|item| item.snoozed_until).is_some_and(|until| until > today);
            let is_theirs = match self.whose {
                Whose::All => true,
                Whose::Role => on.has_role_for(doing(one.kind)),
                Whose::Mine => owner.is_some() && owner == me,
            };
            is_theirs && (self.aside || !is_aside)
        };
        let mut waiting: Vec<Waiting> =
            waiting.into_iter().filter(|one| on.may(listing(one.kind)) && is_listed(one)).collect();
        let (count, late) = (waiting.len(), waiting.iter().filter(|one| one.is_late(now)).count());
        // The sort is stable, so the oldest work stays first.
        waiting.sort_by_key(|one| one.when(now) as u8);
        let page = PageAsked::new(self.after, self.most);
        let Listed { records, page } = page.of(waiting, Waiting::task)?;
        let (names, mut shown) = (on.names().await?, Vec::new());
        for one in &records {
            shown.push(WaitingShown::of(on, one, &items, &names).await?);
        }
        let note = match count {
            0 => "Nothing waits for a person.".to_owned(),
            count => in_words(count, late),
        };
        let done = Done::of(WaitingWork { waiting: shown, count, late }).saying(note);
        Ok(done.listing(page, records.len()))
    }
}

input! {
    /// Show a task with the team's notes
    struct ShowWaiting {
        /// Key of the task, such as claim:clm_…
        task: TaskName,
    }
}

impl Act for ShowWaiting {
    const ABOUT: About = get("waiting.show", "/waiting/{task}", Role::ALL);

    type Answer = Done<WaitingInFull>;

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let waits = self.task.find(on).await?;
        let item = on.service.work_items.of(&self.task.0).await?;
        shown(on, &waits, item).await.map(Done::of)
    }
}

input! {
    /// Take a task: others see that you do it
    struct TakeTask {
        /// Key of the task, such as claim:clm_…
        task: TaskName,
    }
}

impl Act for TakeTask {
    const ABOUT: About = post("waiting.take", "/waiting/{task}/owner", Role::ALL);

    type Answer = Done<WaitingInFull>;

    async fn allowed(on: &On, task: &str) -> Result<Allowed> {
        let item = on.service.work_items.of(task).await?;
        Ok(Allowed::if_so(item.owner.is_none() || item.owner != own_id()))
    }

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let Some(me) = own_id() else {
            return Err(bad("Only an operator of the team can take a task: sign in with 'covernote login'."));
        };
        let waits = self.task.find(on).await?;
        let changed = self.task.change(on, &waits, Self::ABOUT.name, |item| item.owner = Some(me)).await?;
        Ok(changed.saying("You do this task now."))
    }
}

input! {
    /// Hand a task over to another operator, or to nobody
    struct HandOver {
        /// Key of the task, such as claim:clm_…
        task: TaskName,
        /// Who does it from now on [default: nobody]
        to: Option<OperatorName>,
    }
}

impl Act for HandOver {
    const ABOUT: About = post("waiting.hand_over", "/waiting/{task}/handover", Role::ALL);

    type Answer = Done<WaitingInFull>;

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let waits = self.task.find(on).await?;
        let owner = match &self.to {
            Some(to) => Some(on.service.team.find(&to.0).await?),
            None => None,
        };
        if owner.as_ref().is_some_and(|owner| !owner.is_active()) {
            return Err(fault("to", "This operator has left the team."));
        }
        let note = match &owner {
            Some(owner) => format!("{} does this task now.", owner.name),
            None => "Nobody does this task now.".to_owned(),
        };
        let owner = owner.map(|owner| owner.id);
        Ok(self.task.change(on, &waits, Self::ABOUT.name, |item| item.owner = owner).await?.saying(note))
    }
}

input! {
    /// Add a note to a task for the team, without personal data
    struct NoteTask {
        /// Key of the task, such as claim:clm_…
        task: TaskName,
        /// What the team should know, without personal data
        text: PersonalLine,
    }
}

impl Act for NoteTask {
    const ABOUT: About = post("waiting.note", "/waiting/{task}/notes", Role::ALL);

    type Answer = Done<WaitingInFull>;

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let Some(by) = own_id() else {
            return Err(bad("Only an operator of the team can add a note: sign in with 'covernote login'."));
        };
        let (waits, at) = (self.task.find(on).await?, on.service.installation.now());
        let add = |item: &mut WorkItem| {
            item.notes.push(WorkNote { by, at, text: self.text.clone() });
            let surplus = item.notes.len().saturating_sub(MOST_NOTES);
            item.notes.drain(..surplus);
        };
        Ok(self.task.change(on, &waits, Self::ABOUT.name, add).await?.saying("The note is added."))
    }
}

input! {
    /// Put a task aside until a day: until then it is not listed
    struct SnoozeTask {
        /// Key of the task, such as claim:clm_…
        task: TaskName,
        /// Day on which it is listed again, YYYY-MM-DD; today lists it at once
        until: Date,
    }
}

impl Act for SnoozeTask {
    const ABOUT: About = post("waiting.snooze", "/waiting/{task}/snooze", Role::ALL);

    type Answer = Done<WaitingInFull>;

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let (waits, today) = (self.task.find(on).await?, on.service.installation.today());
        let last = domain::date::days_later(today, MOST_DAYS_ASIDE).unwrap_or(today);
        if self.until < today || self.until > last {
            return Err(fault("until", format!("Must be from today until {last}.")));
        }
        if waits.due.is_some_and(|due| self.until > due) {
            return Err(fault("until", "Must not be after the day on which the task is due."));
        }
        let until = Some(self.until).filter(|until| *until > today);
        let note = format!("The task is listed again on {}.", self.until);
        let changed = self.task.change(on, &waits, Self::ABOUT.name, |item| item.snoozed_until = until);
        Ok(changed.await?.saying(note))
    }
}

/// Id of the operator who sent the request. `None` for a user of the server's machine.
fn own_id() -> Option<OperatorId> {
    match acting::current().actor() {
        Actor::Operator(id) => Some(id),
        _ => None,
    }
}

impl TaskName {
    /// The task, if it still waits and the operator may see it.
    async fn find(&self, on: &On) -> Result<Waiting> {
        let all = on.service.waiting.all().await?;
        let found = all.into_iter().find(|one| one.task() == self.0).filter(|one| on.may(listing(one.kind)));
        found.ok_or_else(|| Problem::new(Code::R4040, "This task does not wait any more."))
    }

    /// Changes what the team notes about the task, and shows it.
    async fn change(
        &self,
        on: &On,
        waits: &Waiting,
        act: &'static str,
        change: impl Fn(&mut WorkItem),
    ) -> Result<Done<WaitingInFull>> {
        let item = on.service.work_items.change(&self.0, act, change).await?;
        Ok(Done::of(shown(on, waits, item).await?))
    }
}

async fn shown(on: &On, waits: &Waiting, item: WorkItem) -> Result<WaitingInFull> {
    let names = on.names().await?;
    let note = |note: &WorkNote| NoteShown {
        at: note.at,
        by: names.of(&note.by.to_string()),
        text: Sight::Partner.text("note", &note.text),
    };
    let team_notes = item.notes.iter().map(note).collect();
    let items = HashMap::from([(item.task.clone(), item)]);
    Ok(WaitingInFull { team_notes, task: WaitingShown::of(on, waits, &items, &names).await? })
}

answer! {
    /// Work that waits for a person
    struct WaitingWork {
        /// Entries, late ones first, then oldest first
        #[shown(columns = ["since", "due_on", "is_late", "task", "about", "person", "product", "insurer", "partner_name", "owner", "command"])]
        waiting: Vec<WaitingShown>,
        /// Number of entries, listed or not
        #[shown(hidden = true)]
        count: usize,
        /// Number of late entries
        #[shown(hidden = true)]
        late: usize,
    }
}

answer! {
    /// An entry of the work that waits
    struct WaitingShown {
        /// Key of the task, for 'covernote waiting'
        task: String,
        /// Kind of work
        kind: &'static str,
        /// When it is due: late, today, this week (within seven days), or later
        #[shown(hidden = true)]
        when: DueGroup,
        /// Time since which it waits
        since: Timestamp,
        /// Day on which it is due
        #[shown(label = "due")]
        due_on: Option<Date>,
        /// Why it is due on that day
        due_because: Option<&'static str>,
        /// Whether that day is over
        is_late: bool,
        /// Record that waits
        record: String,
        /// What waits
        #[shown(label = "what")]
        about: String,
        /// Amount that it is about
        amount: Option<Rupees>,
        /// First insured person
        person: Option<Masked>,
        /// Product
        product: Option<String>,
        /// Insurer
        insurer: Option<String>,
        /// Partner of the record
        partner_id: Option<PartnerId>,
        /// Name of the partner
        #[shown(label = "partner")]
        partner_name: Option<String>,
        /// Operator who does it
        owner: Option<String>,
        /// Whether you do it
        #[shown(hidden = true)]
        is_mine: bool,
        /// Day until which it is put aside
        snoozed_until: Option<Date>,
        /// The newest note of the team
        last_note: Option<Masked>,
        /// Command that does the work, or shows more about it
        command: String,
    }
}

impl WaitingShown {
    async fn of(
        on: &On,
        one: &Waiting,
        items: &HashMap<String, WorkItem>,
        names: &Names<'_>,
    ) -> Result<Self> {
        let WaitingSale { product, insurer, person } =
            on.service.waiting.sale_of(one).await.or_else(|fault| match fault {
                // The record may be erased meanwhile.
                Error::Unknown { .. } => Ok(WaitingSale::default()),
                other => Err(other),
            })?;
        let (now, item) = (on.service.installation.now(), items.get(&one.task()));
        let owner = item.and_then(|item| item.owner);
        let last_note = item.and_then(|item| item.notes.last());
        Ok(WaitingShown {
            task: one.task(),
            kind: one.kind.word(),
            when: one.when(now),
            since: one.since,
            due_on: one.due,
            due_because: one.due.and(due_because(one.kind)),
            is_late: one.is_late(now),
            record: one.record.clone(),
            about: one.about.clone(),
            amount: one.amount,
            person: person.as_ref().map(|name| Sight::Masked.name("person", name)),
            product,
            insurer,
            partner_id: one.partner,
            partner_name: one.partner.map(|of| partner_name(on, of)),
            owner: owner.map(|owner| names.of(&owner.to_string())),
            is_mine: owner.is_some() && owner == own_id(),
            snoozed_until: item.and_then(|item| item.snoozed_until),
            last_note: last_note.map(|note| Sight::Partner.text("note", &note.text)),
            command: command(one),
        })
    }
}

answer! {
    /// Work that waits for a person, with the team's notes
    struct WaitingInFull {
        /// Notes of the team, oldest first
        #[shown(label = "notes", columns = ["at", "by", "text"])]
        team_notes: Vec<NoteShown>,
    } with {
        task: WaitingShown,
    }
}

answer! {
    /// A note of the team
    struct NoteShown {
        /// When it was added
        at: Timestamp,
        /// Who added it
        by: String,
        /// Text of the note
        text: Masked,
    }
}

/// Sentence with the number of waiting and of late entries.
pub(crate) fn in_words(count: usize, late: usize) -> String {
    let waits = if count == 1 { "waits" } else { "wait" };
    format!("{count} {waits} for a person, {late} of them late.")
}

/// Name of the action that lists this kind of work. A caller who may not use that action does not see
/// the kind here.
fn listing(kind: WaitingKind) -> &'static str {
    match kind {
        WaitingKind::Proposal => "proposal.list",
        WaitingKind::Cancellation => "policy.list",
        WaitingKind::Endorsement | WaitingKind::EndorsementPayment => "policy.endorsements",
        WaitingKind::Claim | WaitingKind::ClaimPayment => "claim.list",
        WaitingKind::Complaint => "complaint.list",
        WaitingKind::Renewal | WaitingKind::RejectedRow => "policy.list",
        WaitingKind::Premium
        | WaitingKind::Acceptance
        | WaitingKind::VoidRenewal
        | WaitingKind::DepositSale
        | WaitingKind::Mismatch
        | WaitingKind::Remittance
        | WaitingKind::PremiumRefund => "premium.list",
        WaitingKind::Refund => "refund.list",
        WaitingKind::Deposit => "deposit.list",
        WaitingKind::Month | WaitingKind::Commission => "statement.list",
        WaitingKind::Approval | WaitingKind::Recovery => "approval.list",
        WaitingKind::Endpoint => "webhook.list",
        WaitingKind::Reveals => "audit.list",
        WaitingKind::Job | WaitingKind::Licence | WaitingKind::Catalogue => "store.examine",
    }
}

/// Name of the action that does this kind of work.
fn doing(kind: WaitingKind) -> &'static str {
    match kind {
        WaitingKind::Proposal | WaitingKind::VoidRenewal => "proposal.decide",
        WaitingKind::Cancellation => "policy.decide",
        WaitingKind::Endorsement | WaitingKind::EndorsementPayment => "policy.decide_endorsement",
        WaitingKind::Claim => "claim.decide",
        WaitingKind::ClaimPayment => "claim.paid",
        WaitingKind::Complaint => "complaint.answer",
        WaitingKind::Premium | WaitingKind::Acceptance | WaitingKind::DepositSale => "premium.receive",
        WaitingKind::Renewal => "policy.renew",
        WaitingKind::RejectedRow => "policy.number",
        WaitingKind::Mismatch => "premium.settle",
        WaitingKind::Remittance => "premium.remit",
        WaitingKind::PremiumRefund => "premium.refund",
        WaitingKind::Refund => "refund.paid",
        WaitingKind::Deposit => "deposit.top_up",
        WaitingKind::Month => "statement.make",
        WaitingKind::Commission => "statement.paid",
        WaitingKind::Approval => "approval.approve",
        WaitingKind::Endpoint => "webhook.set",
        WaitingKind::Licence | WaitingKind::Catalogue => "catalogue.publish",
        WaitingKind::Recovery | WaitingKind::Reveals | WaitingKind::Job => "audit.list",
    }
}

/// Why work of this kind is due on its day.
const fn due_because(kind: WaitingKind) -> Option<&'static str> {
    match kind {
        WaitingKind::Claim | WaitingKind::ClaimPayment => Some("a claim must be settled by then"),
        WaitingKind::Complaint => Some("a complaint must be answered by then"),
        WaitingKind::Remittance => Some("premiums must reach the insurer within 24 hours"),
        WaitingKind::Refund => Some("the insurer owes interest from then on"),
        WaitingKind::Renewal => Some("the policy cannot be renewed later"),
        WaitingKind::Approval => Some("the request ends then"),
        WaitingKind::Licence => Some("the licence ends then"),
        _ => None,
    }
}

/// Command that does the waiting work, or shows more about it.
fn command(Waiting { kind, record, partner, .. }: &Waiting) -> String {
    match kind {
        WaitingKind::Proposal => format!("proposal decide {record}"),
        WaitingKind::Cancellation => format!("policy decide {record}"),
        WaitingKind::Endorsement => format!("policy decide-endorsement {record}"),
        WaitingKind::EndorsementPayment => format!("policy show {record}"),
        WaitingKind::Claim => format!("claim decide {record}"),
        WaitingKind::ClaimPayment => format!("claim paid {record}"),
        WaitingKind::Complaint => format!("complaint answer {record}"),
        WaitingKind::Premium | WaitingKind::Acceptance | WaitingKind::DepositSale => {
            format!("premium show {record}")
        }
        WaitingKind::VoidRenewal => format!("proposal decide {record}"),
        WaitingKind::Renewal => format!("policy renew {record}"),
        WaitingKind::RejectedRow => format!("policy show {record}"),
        WaitingKind::Mismatch => format!("premium settle {record}"),
        WaitingKind::Remittance => format!("premium remit {record}"),
        WaitingKind::PremiumRefund => format!("premium refund {record}"),
        WaitingKind::Refund => format!("refund paid {record}"),
        WaitingKind::Deposit if record.contains(' ') => format!("deposit top-up '{record}'"),
        WaitingKind::Deposit => format!("deposit top-up {record}"),
        WaitingKind::Month => format!("statement make --month {record}"),
        WaitingKind::Commission => format!("statement paid {record}"),
        WaitingKind::Approval => format!("approval show {record}"),
        WaitingKind::Endpoint => format!("webhook show {record}"),
        WaitingKind::Job => "doctor".to_owned(),
        // The partner's licence is in commission.toml.
        WaitingKind::Licence if partner.is_some() => "catalogue reload".to_owned(),
        WaitingKind::Licence => "operator show".to_owned(),
        WaitingKind::Catalogue => "catalogue reload".to_owned(),
        WaitingKind::Recovery => format!("audit list --of {record}"),
        WaitingKind::Reveals => format!("audit list --operator {record}"),
    }
}
