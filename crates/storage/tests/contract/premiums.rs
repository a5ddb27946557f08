//! Premiums, receipts, deposits, with their ledger (D63, D64).

use domain::credit_life::{CreditLife, EmbeddedProposal, ProposalStatus};
use domain::money::Rupees;
use domain::premium::{
    Account, BooksAct, BooksFault, Entry, KeptDecision, Posting, PremiumState, Receipt, ReceiptOutcome,
    Settlement,
};
use domain::proposal::{Actor, Move};
use futures_util::future::join_all;
use ports::keys::KeyPurpose;
use ports::storage::jobs::JobKind;
use ports::storage::premiums::{DecisionKept, DepositChange, DepositChanged, ReceiptKept};
use ports::storage::{Moved, PremiumAct, ProposalAct, Proposed, Storage};

use crate::sample::{deposit, draw, issue, later, now, owed, partner, proposal, receipt};

fn made(from: Option<ProposalStatus>, to: ProposalStatus) -> Move<ProposalStatus> {
    Move { at: now(), by: Actor::Partner, from, to, reason: None }
}

/// Pending proposal whose premium is owed.
pub async fn owing(store: &dyn Storage) -> EmbeddedProposal {
    let of = partner();
    store.add_partner(&of, &crate::sample::secret(1)).await.unwrap();
    let proposal = proposal(of.id, ProposalStatus::Pending);
    let (moves, owes) = ([made(None, ProposalStatus::Pending)], PremiumAct::Owe(Box::new(owed(&proposal))));
    let act = ProposalAct { premium: Some(&owes), ..ProposalAct::<CreditLife>::of(&moves) };
    assert_eq!(store.keep_proposal(&proposal, act).await.unwrap(), Proposed::New);
    proposal
}

async fn completes(store: &dyn Storage, proposal: &EmbeddedProposal, premium: &PremiumAct) -> Moved {
    let moves = [made(Some(ProposalStatus::Pending), ProposalStatus::Completed)];
    let issue = issue(proposal);
    let act =
        ProposalAct::<CreditLife> { issue: Some(&issue), premium: Some(premium), ..ProposalAct::of(&moves) };
    store.move_proposal(proposal.partner, proposal.id, ProposalStatus::Pending, act).await.unwrap()
}

pub async fn keep(store: &dyn Storage, receipt: &Receipt) -> ReceiptKept {
    store.keep_receipts(&[(receipt.clone(), Vec::new())]).await.unwrap().remove(0)
}

async fn balance(store: &dyn Storage, account: Account) -> Rupees {
    let balances = store.account_balances().await.unwrap();
    assert_eq!(balances.iter().map(|one| one.balance).sum::<Rupees>(), Rupees::ZERO);
    balances.iter().filter(|one| one.account == account).map(|one| one.balance).sum()
}

async fn state(store: &dyn Storage, proposal: &EmbeddedProposal) -> PremiumState {
    store.premium(proposal.partner, proposal.id).await.unwrap().unwrap().books.state()
}

pub async fn a_policy_is_stored_only_after_its_premium_was_received(store: &dyn Storage) {
    let proposal = owing(store).await;
    let apply = &PremiumAct::Apply(now());
    assert_eq!(completes(store, &proposal, apply).await, Moved::PremiumDue);
    let found = store.proposal(proposal.partner, proposal.id).await.unwrap();
    let found: EmbeddedProposal = found.unwrap();
    assert_eq!(found.status, ProposalStatus::Pending, "nothing was done");
    let kept = keep(store, &receipt(&proposal, proposal.premium.total())).await;
    assert_eq!(kept, ReceiptKept::New(vec![(proposal.id, ReceiptOutcome::Matched)]));
    assert_eq!(completes(store, &proposal, apply).await, Moved::Won);
    assert_eq!(state(store, &proposal).await, PremiumState::Paid);
    let (of, other) = (proposal.partner, owing(store).await);
    let found = store.premiums_of(of, &[other.id, proposal.id]).await.unwrap();
    let one = store.premium(of, proposal.id).await.unwrap();
    assert_eq!(found.into_iter().find(|found| found.proposal == proposal.id), one, "as it is read alone");
    assert_eq!(store.premiums_of(of, &[]).await.unwrap(), []);
    assert_eq!(balance(store, Account::Premium).await, proposal.premium.total());
    assert_eq!(store.ledger_of(proposal.partner, proposal.id).await.unwrap().len(), 2);
}

pub async fn only_one_of_many_simultaneous_equal_receipts_is_stored(store: &dyn Storage) {
    let proposal = owing(store).await;
    let receipt = receipt(&proposal, proposal.premium.total());
    let kept = join_all((0..32).map(|_| keep(store, &receipt))).await;
    assert_eq!(kept.iter().filter(|kept| matches!(kept, ReceiptKept::New(_))).count(), 1);
    assert_eq!(kept.iter().filter(|kept| matches!(kept, ReceiptKept::Twin(_))).count(), 31);
    assert_eq!(balance(store, Account::Received).await, proposal.premium.total());
    let mut other = receipt.clone();
    other.lines[0].1 = Rupees::from_paise(1);
    assert_eq!(keep(store, &other).await, ReceiptKept::Different);
    let of = store.receipts_of(proposal.partner, proposal.id).await.unwrap();
    assert_eq!((of.len(), of[0].reference.as_str(), of[0].by), (1, "UTR-1", Actor::Partner));
}

pub async fn a_bank_reference_is_found_under_the_old_and_the_new_lookup_key(store: &dyn Storage) {
    // D134
    let proposal = owing(store).await;
    let receipt = receipt(&proposal, proposal.premium.total());
    assert!(keep(store, &receipt).await.is_new());
    store.add_key(KeyPurpose::Lookup, [5; 32], now(), now(), 2).await.unwrap().unwrap();
    store.keys().await.unwrap();
    assert!(matches!(keep(store, &receipt).await, ReceiptKept::Twin(_)), "its hash is by the key before");
    assert!(store.retag(&mut |_, _| {}).await.unwrap().changed > 0);
    let again = store.retag(&mut |_, _| {}).await.unwrap();
    assert_eq!((again.changed, again.listed), (0, Vec::new()));
    assert!(matches!(keep(store, &receipt).await, ReceiptKept::Twin(_)));
    let found = store.receipts_of(proposal.partner, proposal.id).await.unwrap();
    assert_eq!(found[0].reference, "UTR-1");
    let booked = store.ledger_of(proposal.partner, proposal.id).await.unwrap();
    assert_eq!(booked[0].reference.as_deref(), Some("UTR-1"));
}

pub async fn receipts_of_one_payment_are_stored_together_or_not_at_all(store: &dyn Storage) {
    let (first, second) = (owing(store).await, owing(store).await);
    let of_second = receipt(&second, second.premium.total());
    assert!(keep(store, &of_second).await.is_new());
    let mut different = of_second.clone();
    different.lines[0].1 = Rupees::from_paise(1);
    let of_first = receipt(&first, first.premium.total());
    let kept = store.keep_receipts(&[(of_first.clone(), Vec::new()), (different, Vec::new())]).await.unwrap();
    assert_eq!(kept[1], ReceiptKept::Different);
    assert_eq!(state(store, &first).await, PremiumState::Due);
    assert!(store.receipts_of(first.partner, first.id).await.unwrap().is_empty());
    let kept = store.keep_receipts(&[(of_first, Vec::new()), (of_second, Vec::new())]).await.unwrap();
    assert!(kept[0].is_new() && !kept[1].is_new());
    assert_eq!(state(store, &first).await, PremiumState::Received);
}

pub async fn a_receipt_creates_a_job_for_the_decision_that_waits_for_it(store: &dyn Storage) {
    let proposal = owing(store).await;
    let decision = KeptDecision {
        by: Actor::Insurer,
        at: now(),
        reason: Some(domain::person::PersonalLine::kept("ठीक है".into())),
        insurer_number: Some(domain::policy::PolicyNumber::kept("EX/1".into())),
    };
    let owed = owed(&proposal);
    assert_eq!(store.keep_decision(&owed, &decision).await.unwrap(), DecisionKept::Kept);
    let again = store.keep_decision(&owed, &decision).await.unwrap();
    assert_eq!(again, DecisionKept::Already(decision.clone()), "and it reads as it was kept");
    let kind = JobKind::Premium(domain::line::LineOfBusiness::CreditLife);
    assert_eq!(store.job_for(kind, proposal.id.uuid()).await.unwrap(), None);
    keep(store, &receipt(&proposal, proposal.premium.total())).await;
    assert!(store.job_for(kind, proposal.id.uuid()).await.unwrap().is_some());
    store.forget_decision(proposal.partner, proposal.id, later(1)).await.unwrap();
    assert_eq!(store.keep_decision(&owed, &decision).await.unwrap(), DecisionKept::Overtaken);
}

pub async fn the_premium_of_a_rejected_proposal_is_refunded_only_once(store: &dyn Storage) {
    let proposal = owing(store).await;
    let (of, id) = (proposal.partner, proposal.id);
    let short = Rupees::from_paise(proposal.premium.total().paise() - 1);
    keep(store, &receipt(&proposal, short)).await;
    let apply = BooksAct::Settle(Settlement::Apply, Rupees::ZERO);
    let refused = store.change_books(of, id, apply, "N-1", now()).await.unwrap().unwrap();
    assert!(matches!(refused, Err(BooksFault::TooLittle { .. })));
    let moves = [made(Some(ProposalStatus::Pending), ProposalStatus::Rejected)];
    let release = PremiumAct::Release(now());
    let premium = Some(&release);
    let act = ProposalAct::<CreditLife> { premium, ..ProposalAct::of(&moves) };
    assert_eq!(store.move_proposal(of, id, ProposalStatus::Pending, act).await.unwrap(), Moved::Won);
    assert_eq!(state(store, &proposal).await, PremiumState::RefundDue);
    assert_eq!(store.open_premiums(9).await.unwrap().len(), 1);
    let refund = async |named, reference| {
        store.change_books(of, id, BooksAct::Refund(named), reference, now()).await.unwrap().unwrap()
    };
    let other = Some(proposal.premium.total());
    assert_eq!(refund(other, "UTR-2").await, Err(BooksFault::OtherAmount { there: short }));
    let first = refund(Some(short), "UTR-2").await.unwrap();
    assert_eq!(first.books.refunded, short);
    let again = refund(Some(short), "UTR-2").await.unwrap();
    assert_eq!(again.books, first.books, "the same payment, told again");
    assert_eq!(refund(other, "UTR-2").await, Err(BooksFault::OtherAmount { there: short }));
    assert_eq!(refund(None, "UTR-3").await, Err(BooksFault::NothingToRefund));
    assert!(store.open_premiums(9).await.unwrap().is_empty());
}

pub async fn the_balance_of_a_deposit_never_becomes_negative(store: &dyn Storage) {
    let of = partner();
    store.add_partner(&of, &crate::sample::secret(1)).await.unwrap();
    let price = proposal(of.id, ProposalStatus::Pending).premium.total();
    let lent = deposit(price.paise());
    store.open_deposit(&lent, now()).await.unwrap();
    store.open_deposit(&deposit(1), now()).await.unwrap();
    assert_eq!(store.deposits().await.unwrap(), std::slice::from_ref(&lent), "opened once");
    let (draw, moves) = (PremiumAct::Draw(draw(price)), [made(None, ProposalStatus::Completed)]);
    let mut sold = Vec::new();
    for _ in 0..2 {
        let proposal = proposal(of.id, ProposalStatus::Completed);
        let issue = issue(&proposal);
        let premium = Some(&draw);
        let act = ProposalAct { issue: Some(&issue), premium, ..ProposalAct::of(&moves) };
        sold.push(store.keep_proposal(&proposal, act).await.unwrap());
    }
    assert_eq!(sold, [Proposed::New, Proposed::PremiumDue]);
    assert_eq!(balance(store, Account::Deposit).await, Rupees::ZERO);
    let change = |entry, paise, reference: &str| {
        let (debit, credit) = match entry {
            Entry::Withdrawal => (Account::Deposit, Account::WithInsurer),
            _ => (Account::WithInsurer, Account::Deposit),
        };
        let posting = Posting { entry, debit, credit, amount: Rupees::from_paise(paise) };
        let (insurer, name, reference) = (lent.insurer, lent.name.clone(), reference.to_owned());
        DepositChange { insurer, name, posting, reference, at: now() }
    };
    let of_paise = Rupees::from_paise;
    for (change, wanted) in [
        (change(Entry::TopUp, 5, "A"), DepositChanged::Done(of_paise(5))),
        (change(Entry::TopUp, 5, "A"), DepositChanged::Twin(of_paise(5))),
        (change(Entry::TopUp, 6, "A"), DepositChanged::Different),
        (change(Entry::Withdrawal, 6, "B"), DepositChanged::TooLittle(of_paise(5))),
        (change(Entry::Withdrawal, 5, "B"), DepositChanged::Done(Rupees::ZERO)),
        (DepositChange { name: "x".into(), ..change(Entry::TopUp, 5, "C") }, DepositChanged::Unknown),
    ] {
        assert_eq!(store.change_deposit(&change).await.unwrap(), wanted);
    }
    assert_eq!(store.deposits().await.unwrap()[0].balance, Rupees::ZERO);
}
