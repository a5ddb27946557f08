//! The end of a month as a checklist. Each line is computed from the records, so nobody ticks it.

use domain::statement::{Month, StatementKind};
use service::waiting::{Waiting, WaitingKind};

use crate::act::answer::Done;
use crate::act::input::input;
use crate::act::shown::answer;
use crate::act::{About, Act, On, Result, Role, get};

/// Most statements of a month that are read.
const MOST: usize = 10_000;

input! {
    /// Show what is left to do to end a month: payments, statements, insurers' answers, commissions
    struct CheckMonth {
        /// Month, YYYY-MM
        month: Month,
    }
}

impl Act for CheckMonth {
    const ABOUT: About = get("statement.checklist", "/checklists/{month}", &[Role::Read, Role::Accounts]);

    type Answer = Done<Checklist>;

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let (waiting, month) = (on.service.waiting.all().await?, self.month);
        let statements = on.service.statements.of_months(Some(month), MOST).await?;
        let (mut unanswered, mut unpaid) = (Vec::new(), Vec::new());
        for statement in &statements {
            let is_bordereau = statement.kind == StatementKind::Premium && statement.rows > 0;
            if is_bordereau && on.service.statements.answers(statement).await?.is_empty() {
                unanswered.push(statement.number.clone());
            }
            if statement.is_owed() {
                unpaid.push(statement.number.clone());
            }
        }
        let now = on.service.installation.now();
        let of_kind = |kind: WaitingKind| waiting.iter().filter(move |one| one.kind == kind);
        let named = |found: Vec<&Waiting>| found.into_iter().map(|one| one.record.clone()).collect();
        let is_over = on.service.installation.today() > month.days().last;
        let open = if statements.is_empty() { vec![month.to_string()] } else { Vec::new() };
        let step = |what, waits_for: Vec<String>, command| ChecklistStep {
            what,
            is_done: waits_for.is_empty(),
            left: waits_for.len(),
            first: waits_for.into_iter().next(),
            command,
        };
        let late_refunds = of_kind(WaitingKind::Refund).filter(|one| one.is_late(now)).collect();
        let steps = vec![
            step(
                "every payment matches its premium",
                named(of_kind(WaitingKind::Mismatch).collect()),
                "premium list",
            ),
            step(
                "every collected premium is at its insurer",
                named(of_kind(WaitingKind::Remittance).collect()),
                "premium list",
            ),
            step(
                "nothing is owed back to payers",
                named(of_kind(WaitingKind::PremiumRefund).collect()),
                "premium list",
            ),
            step("no refund of an insurer is late", named(late_refunds), "refund list"),
            step("the month is closed", open, "statement make"),
            step("every insurer has answered its bordereau", unanswered, "statement list"),
            step(
                "no insurer's rejected row is open",
                named(of_kind(WaitingKind::RejectedRow).collect()),
                "policy list",
            ),
            step("every commission is paid", unpaid, "statement list"),
        ];
        let left = steps.iter().filter(|step| !step.is_done).count();
        let note = match (is_over, left) {
            (false, _) => format!("{month} is not over."),
            (true, 0) => format!("{month} is complete."),
            (true, left) => format!("{month}: {left} of {} steps are left.", steps.len()),
        };
        Ok(Done::of(Checklist { month, steps }).saying(note))
    }
}

answer! {
    /// What is left to do to end a month
    struct Checklist {
        /// Month
        #[shown(hidden = true)]
        month: Month,
        /// Steps, in the order in which they are done
        #[shown(columns = ["what", "is_done", "left", "first"])]
        steps: Vec<ChecklistStep>,
    }
}

answer! {
    /// A step of the end of a month
    struct ChecklistStep {
        /// What must be so
        #[shown(label = "step")]
        what: &'static str,
        /// Whether it is so
        is_done: bool,
        /// Number of records that are left
        left: usize,
        /// The first of these records
        first: Option<String>,
        /// Command that lists or does what is left
        #[shown(hidden = true)]
        command: &'static str,
    }
}
