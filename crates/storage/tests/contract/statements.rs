//! Monthly statements: closed once, with their files, and answered.

use domain::credit_life::ProposalStatus;
use domain::date::Date;
use domain::event::EventType;
use domain::id::{PartnerId, StatementId};
use domain::line::LineOfBusiness;
use domain::money::Rupees;
use domain::partner::{Partner, Sandbox};
use domain::policy::{Policy, PolicyNumber};
use domain::policy_state::PolicyState;
use domain::premium::{Account, Entry, PaymentReference, Posting};
use domain::quote::CatalogueHash;
use domain::statement::{
    CommissionDue, FileFormat, Month, Recipient, RowKey, Statement, StatementFile, StatementKind,
    StatementPayment, Transaction,
};
use domain::text::FromText;
use ports::storage::policies::{Endorsed, PolicyAct, PolicyChanged};
use ports::storage::premiums::AccountBalance;
use ports::storage::statements::{
    AnswerKept, ClosedMonth, CommissionPosting, MonthBegun, MonthRun, PartPosition, PolicyEndorsed,
    PolicyMoved, RowAnswer,
};
use ports::storage::{ProposalAct, Storage};

use crate::sample::{
    cancelled, credit, endorsed, event_of, id, issue, later, now, partner, proposal, secret,
};

/// Catalogue with whose rates months are closed.
pub const RATES: CatalogueHash = CatalogueHash([6; 32]);

/// Month. Each test takes one that no other test uses.
fn month(number: i32) -> Month {
    Month::from_number(number).unwrap()
}

/// Statement with one file.
pub fn statement(number: &str, month: Month, recipient: Recipient) -> Statement {
    Statement {
        id: id(),
        number: number.to_owned(),
        month,
        kind: StatementKind::Premium,
        recipient,
        subject: "M/1".into(),
        made_at: now(),
        rows: 1,
        totals: vec![("total".into(), Rupees::from_paise(-7))],
        files: vec![StatementFile { format: FileFormat::Csv, bytes: 4, hash: hash(b"rows") }],
        dues: vec![CommissionDue { insurer: id(), amount: Rupees::from_paise(7) }],
        paid: None,
    }
}

fn hash(bytes: &[u8]) -> [u8; 32] {
    aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, bytes).as_ref().try_into().unwrap()
}

/// Position of the statement's only part.
pub fn part_of(statement: &Statement) -> PartPosition {
    let of = match statement.recipient {
        Recipient::Partner(of) => Some(of),
        Recipient::Insurer(_) | Recipient::Operator => None,
    };
    PartPosition { of, statement: statement.id, file: FileFormat::Csv, number: 0 }
}

pub fn posting(partner: PartnerId) -> CommissionPosting {
    let (debit, credit) = (Account::CommissionDue, Account::Commission);
    let posting = Posting { entry: Entry::Commission, debit, credit, amount: Rupees::from_paise(7) };
    CommissionPosting { insurer: id(), partner, posting, reference: "CS-1".into() }
}

async fn issued(store: &dyn Storage) -> Policy {
    let proposal = proposal(id(), ProposalStatus::Completed);
    let issue = issue(&proposal);
    let act = ProposalAct { issue: Some(&issue), ..ProposalAct::of(&[]) };
    credit(store).keep_proposal(&proposal, act).await.unwrap();
    issue.policy
}

pub async fn a_month_is_closed_only_once_together_with_all_of_its_statements(store: &dyn Storage) {
    // D85
    let (of, run) = (id(), MonthRun { month: month(190_101), number: 1 });
    let own = statement("CS-190101-0001", run.month, Recipient::Partner(of));
    let insurers = statement("PB-190101-0001", run.month, Recipient::Insurer(id()));
    let operators = statement("GS-190101-0001", run.month, Recipient::Operator);
    assert_eq!(store.begin_month(run, now()).await.unwrap(), MonthBegun::Begun);
    for statement in [&own, &insurers, &operators] {
        assert!(store.add_statement_part(run, part_of(statement), b"rows").await.unwrap());
    }
    assert_eq!(store.month_closed(run.month).await.unwrap(), None, "it is begun, and open");
    assert_eq!(store.statements_of(of, 9).await.unwrap(), [], "nothing is there before the month is closed");
    let all = [own.clone(), insurers.clone(), operators.clone()];
    assert!(store.close_month(run, RATES, &all, &[posting(of)], &[], later(5)).await.unwrap());
    assert_eq!(store.statements_of(of, 9).await.unwrap(), std::slice::from_ref(&own));
    assert_eq!(store.statement(of, own.id).await.unwrap().as_ref(), Some(&own));
    assert_eq!(store.statement(of, insurers.id).await.unwrap(), None, "another's");
    assert_eq!(store.statement(id(), own.id).await.unwrap(), None);
    assert_eq!(store.statement_numbered("PB-190101-0001").await.unwrap(), Some(insurers.clone()));
    assert_eq!(store.statement_numbered("PB-190101-0009\0").await.unwrap(), None);
    assert_eq!(store.statement_part(part_of(&own)).await.unwrap().as_deref(), Some(&b"rows"[..]));
    let behind = PartPosition { number: 1, ..part_of(&own) };
    assert_eq!(store.statement_part(behind).await.unwrap(), None);
    let mut found = store.statements_of_months(run.month, run.month, 9).await.unwrap();
    found.sort_by_key(|statement| all.iter().position(|one| one == statement));
    assert_eq!(found, all);
    // A closed month stays closed.
    let closed = ClosedMonth { at: later(5), catalogue: RATES };
    assert_eq!(store.month_closed(run.month).await.unwrap(), Some(closed));
    assert_eq!(store.month_closed(month(190_012)).await.unwrap(), None, "nobody began it");
    assert_eq!(store.begin_month(run, later(9)).await.unwrap(), MonthBegun::Closed(later(5)));
    assert!(!store.add_statement_part(run, behind, b"more").await.unwrap());
    assert!(!store.close_month(run, RATES, &[], &[], &[], later(9)).await.unwrap());
}

pub async fn a_test_partners_statement_is_stored_once_and_stays_when_the_month_closes(store: &dyn Storage) {
    // D102
    let (live, run) = (id(), MonthRun { month: month(190_103), number: 1 });
    let tried = Partner { sandbox: Some(Sandbox::default()), ..partner() };
    store.add_partner(&tried, &secret(1)).await.unwrap();
    let own = statement("TEST-CS-190103-1", run.month, Recipient::Partner(tried.id));
    let event = || (tried.id, event_of(own.id.uuid(), EventType::StatementReady, now()));
    let parts = [(part_of(&own), b"rows".to_vec())];
    assert!(store.add_test_statement(&own, &parts, event()).await.unwrap());
    let twin = Statement { id: id(), ..own.clone() };
    let parts_of_twin = [(part_of(&twin), b"twin".to_vec())];
    assert!(!store.add_test_statement(&twin, &parts_of_twin, event()).await.unwrap(), "it is kept once");
    assert_eq!(store.statement_part(part_of(&twin)).await.unwrap(), None);
    // The month itself is closed without the test partner's statement.
    let others = statement("CS-190103-0001", run.month, Recipient::Partner(live));
    assert_eq!(store.begin_month(run, now()).await.unwrap(), MonthBegun::Begun);
    assert!(store.close_month(run, RATES, std::slice::from_ref(&others), &[], &[], later(5)).await.unwrap());
    assert_eq!(store.statements_of_months(run.month, run.month, 9).await.unwrap(), [others]);
    assert_eq!(store.statements_of(tried.id, 9).await.unwrap(), std::slice::from_ref(&own));
    assert_eq!(store.statement_part(part_of(&own)).await.unwrap().as_deref(), Some(&b"rows"[..]));
}

pub async fn a_statement_can_be_paid_only_once_and_is_posted_once(store: &dyn Storage) {
    // D93
    let (of, run) = (id(), MonthRun { month: month(190_112), number: 1 });
    let own = statement("CS-190112-0001", run.month, Recipient::Partner(of));
    assert_eq!(store.begin_month(run, now()).await.unwrap(), MonthBegun::Begun);
    assert!(store.close_month(run, RATES, std::slice::from_ref(&own), &[], &[], later(5)).await.unwrap());
    let paid_by = |reference: &str| {
        let reference = PaymentReference::from_text(reference).unwrap();
        let payment =
            StatementPayment { reference, paid_on: Date::constant(2026, 12, 7), noted_at: later(6) };
        Statement { paid: Some(payment), ..own.clone() }
    };
    let (first, second) = (paid_by("UTR-1"), paid_by("UTR-2"));
    let before = store.account_balances().await.unwrap();
    assert!(store.pay_statement(&first, &[posting(of)], &[], later(6)).await.unwrap());
    assert!(!store.pay_statement(&second, &[posting(of)], &[], later(7)).await.unwrap(), "it is paid once");
    assert_eq!(store.statement(of, own.id).await.unwrap().as_ref(), Some(&first));
    assert_eq!(store.statement_numbered(&own.number).await.unwrap().as_ref(), Some(&first));
    let due = |balances: &[AccountBalance]| -> Rupees {
        let of_it = balances.iter().filter(|balance| balance.account == Account::CommissionDue);
        of_it.map(|balance| balance.balance).sum()
    };
    let after = store.account_balances().await.unwrap();
    assert_eq!(due(&before) - due(&after), Rupees::from_paise(7), "the ledger has it once");
    let unknown = Statement { id: id(), ..first };
    assert!(!store.pay_statement(&unknown, &[posting(of)], &[], later(8)).await.unwrap());
}

pub async fn only_the_later_of_two_runs_can_close_the_month(store: &dyn Storage) {
    // D85
    let month = month(190_102);
    let (first, second) = (MonthRun { month, number: 1 }, MonthRun { month, number: 2 });
    let (left, kept) = (
        statement("PB-190102-0001", month, Recipient::Operator),
        statement("PB-190102-0002", month, Recipient::Operator),
    );
    assert_eq!(store.begin_month(first, now()).await.unwrap(), MonthBegun::Begun);
    assert!(store.add_statement_part(first, part_of(&left), b"rows").await.unwrap());
    assert_eq!(store.begin_month(second, now()).await.unwrap(), MonthBegun::Begun);
    assert_eq!(store.statement_part(part_of(&left)).await.unwrap(), None, "what it kept is gone");
    assert!(!store.add_statement_part(first, part_of(&left), b"rows").await.unwrap());
    assert!(!store.close_month(first, RATES, std::slice::from_ref(&left), &[], &[], now()).await.unwrap());
    assert_eq!(store.statement_numbered("PB-190102-0001").await.unwrap(), None, "nothing was done");
    assert!(store.add_statement_part(second, part_of(&kept), b"rows").await.unwrap());
    assert!(store.close_month(second, RATES, std::slice::from_ref(&kept), &[], &[], now()).await.unwrap());
}

pub async fn policies_with_a_move_in_a_period_are_listed_in_order_page_by_page(store: &dyn Storage) {
    // D85
    let mut wanted = Vec::new();
    for _ in 0..5 {
        let policy = issued(store).await;
        let (changed, moves) = cancelled(&policy);
        let act = PolicyAct { moves: &moves, ..PolicyAct::default() };
        assert_eq!(store.change_policy(&changed, act).await.unwrap(), PolicyChanged::Done);
        let at = moves.last().unwrap().at;
        wanted.push(PolicyMoved { at, partner: policy.partner, policy: policy.id });
    }
    wanted.sort();
    let at = wanted[0].at;
    let within = (at, at + std::time::Duration::from_micros(1));
    let (mut found, to) = (Vec::new(), PolicyState::Cancelled);
    loop {
        let page = store.policies_moved(to, within, None, found.last().copied(), 2).await.unwrap();
        let is_last = page.len() < 2;
        found.extend(page);
        if is_last {
            break;
        }
    }
    found.retain(|moved| wanted.contains(moved));
    assert_eq!(found, wanted);
    let after = (within.1, within.1 + std::time::Duration::from_secs(1));
    let of = wanted[0].partner;
    let own = store.policies_moved(to, within, Some(of), None, 1000).await.unwrap();
    assert_eq!(own, wanted[..1], "one partner's");
    let later = store.policies_moved(to, after, None, None, 1000).await.unwrap();
    assert!(later.iter().all(|moved| !wanted.contains(moved)), "the last instant is not of it");
}

pub async fn policies_endorsed_in_a_period_are_listed_in_order_page_by_page(store: &dyn Storage) {
    // D85, D89
    let at = later(70);
    let mut wanted = Vec::new();
    for _ in 0..3 {
        let mut policy = issued(store).await;
        for nth in 1..=2 {
            policy = endorsed(&policy, at);
            let act = Endorsed { certificate: b"new", at };
            let act = PolicyAct { endorsed: Some(act), ..PolicyAct::default() };
            assert_eq!(store.change_policy(&policy, act).await.unwrap(), PolicyChanged::Done);
            policy.version += 1;
            let moved = PolicyMoved { at, partner: policy.partner, policy: policy.id };
            wanted.push(PolicyEndorsed { moved, nth });
        }
    }
    wanted.sort();
    let within = (at, at + std::time::Duration::from_micros(1));
    let mut found: Vec<PolicyEndorsed> = Vec::new();
    loop {
        let page = store.policies_endorsed(within, None, found.last().copied(), 2).await.unwrap();
        let is_last = page.len() < 2;
        found.extend(page);
        if is_last {
            break;
        }
    }
    found.retain(|endorsed| wanted.contains(endorsed));
    assert_eq!(found, wanted);
    let after = (within.1, within.1 + std::time::Duration::from_secs(1));
    let of = wanted[0].moved.partner;
    let own = store.policies_endorsed(within, Some(of), None, 1000).await.unwrap();
    assert_eq!(own, wanted[..2], "one partner's");
    let later = store.policies_endorsed(after, None, None, 1000).await.unwrap();
    assert!(later.iter().all(|endorsed| !wanted.contains(endorsed)), "the last instant is not of it");
}

fn answer(policy: &Policy, number: Option<&str>) -> RowAnswer {
    RowAnswer {
        key: RowKey { policy: policy.id, transaction: Transaction::New, nth: 0 },
        accepted: number.is_some(),
        number: number.map(|number| PolicyNumber::kept(number.into())),
        reason: number.is_none().then(|| "age".into()),
    }
}

fn numbered(policy: &Policy, number: &str) -> Policy {
    let number = Some(PolicyNumber::kept(number.into()));
    Policy { insurer_number: number, ..policy.clone() }
}

pub async fn an_insurers_answer_is_stored_completely_or_not_at_all(store: &dyn Storage) {
    // D87
    let statement: StatementId = id();
    let (one, other) = (issued(store).await, issued(store).await);
    let answers = [answer(&one, Some("K/1")), answer(&other, Some("K/2"))];
    let stale = Policy { version: other.version + 1, ..other.clone() };
    let policies = [numbered(&one, "K/1"), numbered(&stale, "K/2")];
    let kept = store.keep_answer(statement, &answers, &policies, now()).await.unwrap();
    assert_eq!(kept, AnswerKept::Lost, "one of them was changed meanwhile");
    assert_eq!(store.answers(statement).await.unwrap(), []);
    assert_eq!(store.policy(one.partner, one.id).await.unwrap(), Some(one.clone()));
    let policies = [numbered(&one, "K/1"), numbered(&other, "K/2")];
    assert_eq!(store.keep_answer(statement, &answers, &policies, now()).await.unwrap(), AnswerKept::Done);
    let found = store.policy(one.partner, one.id).await.unwrap().unwrap();
    assert_eq!((found.insurer_number.as_ref().unwrap().as_str(), found.version), ("K/1", one.version + 1));
    assert_eq!(
        store.policy_numbered(one.partner, LineOfBusiness::CreditLife, "K/1").await.unwrap().unwrap().id,
        one.id
    );
    let mut kept = store.answers(statement).await.unwrap();
    kept.sort_by_key(|answer| answers.iter().position(|one| one == answer));
    assert_eq!(kept, answers);
    let third = issued(store).await;
    let again = [answer(&third, None), answer(&one, None)];
    assert_eq!(store.keep_answer(statement, &again, &[], now()).await.unwrap(), AnswerKept::Lost);
    assert_eq!(store.answers(statement).await.unwrap().len(), 2, "one of them was answered before");
}
