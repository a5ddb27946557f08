//! Random histories of the money of a sale, by two processes at once: payments, reversals, settlements, refunds and
//! the bounce of an issued policy's payment (D63 to D65, D154, D155). Whatever is accepted, no money is lost or paid
//! back twice.

use std::sync::Arc;

use domain::cancellation::CancellationReason;
use domain::id::{PolicyId, ProposalId};
use domain::money::Rupees;
use domain::premium::{Account, BooksAct, PaymentReference, Settlement};
use domain::proposal::Actor;
use domain::text::FromText;
use futures_util::future::join;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use service::Service;
use service::decision::premium::{Payment, Teller};
use service::policy::cancellation::CancellationAsk;
use service::proposal::operator::Verdict;
use tokio::runtime::Runtime;

use crate::support::{App, Setup};

/// An act on the money of one of two proposals.
#[derive(Debug, Clone, Copy)]
enum Act {
    /// The operator records a payment that differs from the premium by some paise, with one of three references.
    Receive(usize, i64, u8),
    /// The operator reverses the payment with one of three references.
    Reverse(usize, u8),
    Settle(usize, Settlement),
    Refund(usize, u8),
    Accept(usize),
    Reject(usize),
    /// The bank takes back the payment of the policy.
    Bounce(usize),
}

fn act() -> impl Strategy<Value = Act> {
    let how = prop_oneof![Just(Settlement::Apply), Just(Settlement::Refund)];
    let differs = proptest::sample::select(&[0, 0, 0, -8, 8, -500, 500][..]);
    prop_oneof![
        4 => (0..2_usize, differs, 0..3_u8).prop_map(|(of, by, reference)| Act::Receive(of, by, reference)),
        3 => (0..2_usize, 0..3_u8).prop_map(|(of, reference)| Act::Reverse(of, reference)),
        2 => (0..2_usize, how).prop_map(|(of, how)| Act::Settle(of, how)),
        1 => (0..2_usize, 0..3_u8).prop_map(|(of, reference)| Act::Refund(of, reference)),
        2 => (0..2_usize).prop_map(Act::Accept),
        1 => (0..2_usize).prop_map(Act::Reject),
        2 => (0..2_usize).prop_map(Act::Bounce),
    ]
}

/// Does an act in a process. A refusal is as good as an acceptance; what it leaves is checked later.
async fn does(app: &App, by: &Arc<Service>, proposals: &[String; 2], act: Act, history: usize) {
    let of = |nth: usize| -> ProposalId { proposals[nth].parse().expect("an id") };
    let named = |reference: u8| {
        PaymentReference::from_text(&format!("UTR-{history}-{reference}")).expect("a reference")
    };
    match act {
        Act::Receive(nth, differs, reference) => {
            let due = app.premium_of(&proposals[nth]).await.books.due;
            let amount = due + Rupees::from_paise(differs);
            let (received_on, lines) = (app.today(), vec![(of(nth), amount)]);
            let payment = Payment { reference: named(reference), amount, received_on, lines };
            drop(by.premiums.receive(Teller::Operator, payment).await);
        }
        Act::Reverse(nth, reference) => drop(by.premiums.reverse(of(nth), &named(reference)).await),
        Act::Settle(nth, how) => {
            drop(by.premiums.act(of(nth), BooksAct::Settle(how, Rupees::ZERO), "TICKET-1").await);
        }
        Act::Refund(nth, reference) => {
            let reference = format!("BACK-{history}-{reference}");
            drop(by.premiums.act(of(nth), BooksAct::Refund(None), &reference).await);
        }
        Act::Accept(nth) => drop(by.operator_proposals.decide(of(nth), Verdict::of(true, None)).await),
        Act::Reject(nth) => drop(by.operator_proposals.decide(of(nth), Verdict::of(false, None)).await),
        Act::Bounce(nth) => {
            let partner = app.partner().id;
            let Some(policy) = by.proposals.policy_of(partner, of(nth)).await.expect("read") else { return };
            let policy: PolicyId = policy.id;
            let reason = CancellationReason::PaymentBounced;
            let ask = CancellationAsk { reason, received_on: None, by: Actor::Insurer, note: None };
            if let Ok(draft) = by.cancellations.request(partner, policy, &ask, None).await {
                drop(by.cancellations.keep(draft, None).await);
            }
        }
    }
}

async fn is_sound(app: &App, proposals: &[String; 2]) {
    let balance = async |account| app.balance(account).await;
    for proposal in proposals {
        let books = app.premium_of(proposal).await.books;
        let all = [books.unsettled, books.received, books.applied, books.refundable, books.refunded];
        assert!(all.iter().all(|amount| *amount >= Rupees::ZERO), "{books:?}");
        let is_issued = app.rows_of_policies(proposal).await == 1;
        assert_eq!(books.applied == books.due, is_issued, "{books:?}");
    }
    // Accepted differences are at most 8 paise for each payment.
    assert!(balance(Account::Differences).await.paise().abs() <= 8 * 1000);
    assert_eq!(app.store.faults(app.folder.path()), [""; 0]);
}

#[test]
fn no_money_of_a_sale_is_lost_or_paid_back_twice_whatever_two_processes_do_with_it() {
    let runtime = Runtime::new().expect("a runtime");
    let setup = Setup::paid_by_partner().edited("insurers/kalpanik/insurer.toml", |text| {
        text.replace("# payment_tolerance = 0.50", "payment_tolerance = 0.08")
    });
    let catalogue = setup.catalogue.clone();
    let (app, other) = runtime.block_on(async {
        let app = setup.start().await;
        let other = app.another_process(&catalogue).await;
        (app, other)
    });
    let histories = proptest::collection::vec((act(), proptest::option::of(act())), 1..14);
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(60);
    let config = ProptestConfig {
        cases,
        max_shrink_iters: 30,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    let number = std::cell::Cell::new(0);
    let lives = async |acts: &[(Act, Option<Act>)]| {
        let history = number.replace(number.get() + 1);
        let proposals = [app.has_proposal("PENDING").await, app.has_proposal("PENDING").await];
        for (one, at_once) in acts {
            let first = does(&app, &app.service, &proposals, *one, history);
            match at_once {
                Some(act) => drop(Box::pin(join(first, does(&app, &other, &proposals, *act, history))).await),
                None => first.await,
            }
        }
        app.has_no_job_left().await;
        is_sound(&app, &proposals).await;
    };
    // One history has everything.
    let all = [
        Act::Receive(0, -8, 0),
        Act::Reverse(0, 0),
        Act::Receive(0, 500, 0),
        Act::Settle(0, Settlement::Apply),
        Act::Refund(0, 0),
        Act::Accept(0),
        Act::Bounce(0),
        Act::Receive(1, 0, 1),
        Act::Reject(1),
        Act::Refund(1, 1),
    ];
    runtime.block_on(lives(&all.map(|act| (act, None))));
    let entries = app.store.texts("select distinct cast(entry as text) from ledger");
    // Receipt, settlement, issue, release, refund, difference, reversal, bounce.
    for entry in ["3", "4", "5", "6", "7", "18", "19", "20"] {
        assert!(entries.iter().any(|there| there == entry), "no entry {entry}: {entries:?}");
    }
    let outcome = TestRunner::new(config).run(&histories, |acts| {
        runtime.block_on(lives(&acts));
        Ok(())
    });
    outcome.unwrap_or_else(|fault| panic!("{fault}"));
}
