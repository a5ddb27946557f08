//! No cover before its premium: deposits, waiting decisions, mismatches, refunds and remittances (Insurance
//! Act 1938, s. 64VB; D63 to D65).

use std::sync::Arc;
use std::time::Duration;

use domain::id::{InsurerId, ProposalId};
use domain::line::LineOfBusiness;
use domain::money::Rupees;
use domain::premium::{
    Account, Books, BooksAct, Entry, KeptDecision, PremiumRoute, PremiumState, ProposalPremium, Settlement,
};
use domain::proposal::Actor;
use serde_json::{Value, json};
use service::decision::premium::{Payment, Teller};
use service::proposal::operator::Verdict;
use service::waiting::WaitingKind;
use tokio::task::JoinSet;

use crate::support::premium::{KALPANIK, MICRO, NAMOONA};
use crate::support::{App, Setup};

const COMPLETED: &str = "COMPLETED";

fn path(id: &str) -> String {
    format!("/v1/embedded/proposal/{id}")
}

async fn view(app: &App, id: &str) -> Value {
    app.get(&format!("{}/status", path(id))).await.json()["payload"].clone()
}

fn straight_paid_by(premium: &str) -> Setup {
    Setup::default().with_premium(NAMOONA, premium).with_premium(MICRO, premium)
}

/// Premium of the product that is issued at submission.
async fn price_of_straight() -> Rupees {
    let app = App::start().await;
    let id = app.has_straight_through().await;
    app.found_proposal(&id).await.0.premium.total()
}

async fn act(app: &App, id: &str, act: BooksAct) -> Result<PremiumState, String> {
    act_under("NOTE-1", app, id, act).await
}

async fn act_under(reference: &str, app: &App, id: &str, act: BooksAct) -> Result<PremiumState, String> {
    let changed = app.service.premiums.act(id.parse().expect("an id"), act, reference).await;
    changed.map(|premium| premium.books.state()).map_err(|fault| fault.to_string())
}

#[tokio::test]
async fn a_proposal_with_a_due_premium_shows_it_and_cannot_be_completed() {
    let app = Setup::paid_by_partner().start().await;
    let id = app.has_proposal("PENDING").await;
    assert_eq!(view(&app, &id).await["premium"], "due");
    let refused = app.patch(&path(&id), json!({ "status": COMPLETED })).await;
    refused.is_refused(400, "S4000");
    let due = app.premium_of(&id).await.books.due.grouped_with_paise();
    let detail = refused.json()["detail"].as_str().expect("words").to_owned();
    assert!(detail.contains(&format!("The premium of {due} is due")), "{detail}");
    assert_eq!((app.status_of(&id).await.as_str(), app.rows_of("policies")), ("PENDING", 0));
}

#[tokio::test]
async fn a_proposal_that_is_paid_from_the_deposit_shows_no_premium_state() {
    let app = App::start().await;
    let pending = app.has_proposal("PENDING").await;
    assert_eq!(view(&app, &pending).await, json!({ "proposal_id": pending, "status": "PENDING" }));
    assert_eq!(app.patch(&path(&pending), json!({ "status": COMPLETED })).await.status, 200);
    assert_eq!(view(&app, &pending).await.get("premium"), None);
    let premium = app.found_proposal(&pending).await.0.premium.total();
    assert_eq!(app.balance(Account::Premium).await, premium, "it was drawn from the deposit");
}

#[tokio::test]
async fn a_draft_owes_nothing_until_it_is_submitted() {
    let app = Setup::paid_by_partner().start().await;
    let id = app.has_proposal("DRAFT").await;
    assert_eq!(app.rows_of("premiums"), 0);
    assert_eq!(app.patch(&path(&id), json!({ "status": "PENDING" })).await.status, 200);
    assert_eq!(app.premium_state(&id).await, PremiumState::Due);
}

#[tokio::test]
async fn a_proposal_that_the_operator_accepted_becomes_a_policy_when_its_premium_is_received() {
    let app = Setup::paid_by_partner().start().await;
    let id = app.has_proposal("PENDING").await;
    let reason = domain::text::FromText::from_text("Looked at").ok();
    let decided =
        app.service.operator_proposals.decide(id.parse().expect("an id"), Verdict::of(true, reason));
    let decided = decided.await.expect("kept");
    assert_eq!((decided.status, decided.waits_for.is_some()), ("PENDING", true));
    assert_eq!(app.waits(WaitingKind::Acceptance).await, [id.as_str()]);
    let due = app.due(&id).await;
    assert_eq!(app.pays("UTR-1", &id, &due).await.status, 201);
    app.is_completed_at_last(&id).await;
    assert!(app.waits(WaitingKind::Acceptance).await.is_empty());
    let (_, moves) = app.found_proposal(&id).await;
    let last = moves.last().expect("moves");
    assert_eq!(
        (last.by.word(), last.reason.as_ref().map(|reason| reason.reveal())),
        ("operator", Some("Looked at"))
    );
    app.has_no_job_left().await;
}

#[tokio::test]
async fn a_straight_through_proposal_is_completed_only_after_its_premium_was_received() {
    let app = straight_paid_by("by = \"partner\"").start().await;
    let id = app.has_straight_through().await;
    assert_eq!((view(&app, &id).await["premium"].clone(), app.rows_of("policies")), (json!("due"), 0));
    let due = app.due(&id).await;
    assert_eq!(app.pays("UTR-1", &id, &due).await.status, 201);
    app.is_completed_at_last(&id).await;
}

#[tokio::test]
async fn a_premium_received_while_no_worker_runs_issues_the_policy_when_workers_start() {
    let setup = Setup { workers: 0, ..straight_paid_by("by = \"partner\"") };
    let app = setup.start().await;
    let id = app.has_straight_through().await;
    let due = app.due(&id).await;
    assert_eq!(app.pays("UTR-1", &id, &due).await.status, 201);
    assert_eq!(app.premium_state(&id).await, PremiumState::Received);
    app.works(4);
    app.is_completed_at_last(&id).await;
    app.has_no_job_left().await;
}

#[tokio::test]
async fn a_wrong_amount_is_a_mismatch_until_the_operator_applies_or_refunds_it() {
    let app = Setup::paid_by_partner().start().await;
    for paise in [-1, 1] {
        let id = app.has_proposal("PENDING").await;
        let due = app.premium_of(&id).await.books.due;
        let came = Rupees::from_paise(due.paise() + paise).to_string();
        let accepted =
            app.service.operator_proposals.decide(id.parse().expect("an id"), Verdict::of(true, None));
        accepted.await.expect("kept");
        assert_eq!(app.pays(&format!("UTR-{paise}"), &id, &came).await.status, 201);
        assert_eq!(view(&app, &id).await["premium"], "mismatch");
        if paise < 0 {
            assert!(
                act(&app, &id, BooksAct::Settle(Settlement::Apply, Rupees::ZERO)).await.is_err(),
                "it is too little"
            );
            assert_eq!(
                act(&app, &id, BooksAct::Settle(Settlement::Refund, Rupees::ZERO)).await,
                Ok(PremiumState::Due)
            );
            assert_eq!(app.status_of(&id).await, "PENDING");
        } else {
            assert_eq!(
                act(&app, &id, BooksAct::Settle(Settlement::Apply, Rupees::ZERO)).await,
                Ok(PremiumState::Received)
            );
            app.is_completed_at_last(&id).await;
        }
        let refund = BooksAct::Refund(None);
        let refunded = act(&app, &id, refund).await;
        assert_eq!(act(&app, &id, refund).await, refunded, "the same payment, noted again");
        assert!(act_under("NOTE-2", &app, &id, refund).await.is_err(), "nothing is paid back twice");
    }
    assert_eq!(app.rows_of("policies"), 1);
    assert_eq!(app.balance(Account::Refundable).await, Rupees::ZERO);
}

#[tokio::test]
async fn a_premium_paid_for_a_rejected_proposal_must_be_refunded() {
    let app = Setup::paid_by_partner().start().await;
    let id = app.has_proposal("PENDING").await;
    let due = app.due(&id).await;
    assert_eq!(app.pays("UTR-1", &id, &due).await.status, 201);
    assert_eq!(app.patch(&path(&id), json!({ "status": "REJECTED" })).await.status, 200);
    assert_eq!(app.premium_state(&id).await, PremiumState::RefundDue);
    assert_eq!(app.balance(Account::Refundable).await.to_string(), due);
    assert_eq!(act(&app, &id, BooksAct::Refund(None)).await, Ok(PremiumState::Refunded));
    assert_eq!(app.balance(Account::WithInsurer).await, Rupees::ZERO);
}

#[tokio::test]
async fn a_premium_collected_for_the_insurer_is_open_until_it_is_remitted_and_remitted_only_once() {
    let app = Setup::default().with_premium(KALPANIK, "by = \"here\"").start().await;
    let id = app.has_proposal("PENDING").await;
    let due = app.premium_of(&id).await.books.due;
    let payment = Payment {
        reference: domain::text::FromText::from_text("CASH-1").expect("a reference"),
        amount: due,
        received_on: app.today(),
        lines: vec![(id.parse().expect("an id"), due)],
    };
    app.service.premiums.receive(Teller::Operator, payment).await.expect("noted");
    let premium = app.premium_of(&id).await;
    assert_eq!((premium.books.to_remit(), premium.held_since), (due, Some(app.service.installation.now())));
    assert_eq!(app.balance(Account::Collected).await, Rupees::ZERO - due);
    assert_eq!(app.service.premiums.open(10).await.expect("read").len(), 1);
    for _ in 0..2 {
        let remitted = act(&app, &id, BooksAct::Remit(None)).await;
        assert_eq!(remitted, Ok(PremiumState::Received), "the same payment, noted again");
    }
    let again = act_under("NOTE-2", &app, &id, BooksAct::Remit(None)).await;
    assert!(again.is_err(), "nothing is remitted twice");
    assert_eq!(app.balance(Account::Collected).await, Rupees::ZERO);
    assert_eq!(app.patch(&path(&id), json!({ "status": COMPLETED })).await.status, 200);
    assert!(app.service.premiums.open(10).await.expect("read").is_empty(), "nobody has anything to do");
}

/// A service whose deposit covers exactly this many premiums of the product that is issued at submission.
async fn with_deposit_of(premiums: i64, guaranteed: bool) -> (App, Rupees) {
    let price = price_of_straight().await;
    let opening = Rupees::from_paise(price.paise() * premiums);
    let terms = format!(
        "by = \"deposit\"\ndeposit = \"shared\"\nopening_balance = {opening}\nguaranteed = {guaranteed}\nwarn_below = {price}"
    );
    (straight_paid_by(&terms).start().await, price)
}

async fn deposit_named(app: &App, name: &str) -> (InsurerId, Rupees, bool) {
    let deposits = app.service.deposits.list().await.expect("read");
    let deposit = deposits.into_iter().find(|deposit| deposit.name == name).expect("there");
    (deposit.insurer, deposit.balance, deposit.is_low())
}

#[tokio::test]
async fn a_sale_that_exceeds_the_deposit_waits_until_a_top_up_pays_for_it() {
    let (app, price) = with_deposit_of(1, false).await;
    let first = app.has_straight_through().await;
    assert_eq!(app.status_of(&first).await, "COMPLETED");
    let second = app.has_straight_through().await;
    assert_eq!((app.status_of(&second).await.as_str(), app.rows_of("policies")), ("PENDING", 1));
    assert_eq!(view(&app, &second).await["premium"], "due");
    let refused = app.patch(&path(&second), json!({ "status": COMPLETED })).await;
    refused.is_refused(400, "S4000");
    assert!(refused.json()["detail"].as_str().expect("words").contains("deposit"), "{}", refused.text);
    let (insurer, balance, low) = deposit_named(&app, "shared").await;
    assert_eq!((balance, low), (Rupees::ZERO, true));
    assert_eq!(app.waits(WaitingKind::DepositSale).await, [second.as_str()]);

    for _ in 0..2 {
        let top_up = app.service.deposits.change(insurer, "shared", Entry::TopUp, price, "UTR-9").await;
        top_up.expect("taken; the same again changes nothing");
    }
    app.is_completed_at_last(&second).await;
    assert_eq!(deposit_named(&app, "shared").await.1, Rupees::ZERO);
    let other = app.service.deposits.change(insurer, "shared", Entry::TopUp, price + price, "UTR-9").await;
    assert!(other.is_err(), "another amount under the same reference");
    assert_eq!(app.rows_of("premiums"), 0, "nothing waits");
    assert!(app.waits(WaitingKind::DepositSale).await.is_empty());
    app.has_no_job_left().await;
    assert_eq!(app.balance(Account::Premium).await, price + price);
}

#[tokio::test]
async fn a_refund_to_the_deposit_pays_for_a_sale_that_waits_for_the_deposit() {
    // D69
    let (app, _) = with_deposit_of(1, false).await;
    let first = app.has_straight_through().await;
    let second = app.has_straight_through().await;
    assert_eq!(app.status_of(&second).await, "PENDING");
    let policy = app.policy_id_of(&first).await;
    assert_eq!(app.cancels(&policy, "NOT_DISBURSED").await.status, 200);
    app.is_completed_at_last(&second).await;
    assert_eq!(deposit_named(&app, "shared").await.1, Rupees::ZERO);
}

#[tokio::test]
async fn a_guaranteed_deposit_pays_premiums_beyond_its_balance() {
    let (app, price) = with_deposit_of(1, true).await;
    for _ in 0..3 {
        let id = app.has_straight_through().await;
        assert_eq!(app.status_of(&id).await, "COMPLETED");
    }
    let (_, balance, low) = deposit_named(&app, "shared").await;
    assert_eq!((balance, low), (Rupees::ZERO - price - price, true));
}

#[tokio::test]
async fn an_acceptance_stored_after_the_proposal_was_completed_has_no_effect() {
    let (app, _) = with_deposit_of(2, false).await;
    let sold: ProposalId = app.has_straight_through().await.parse().expect("an id");
    let random = Arc::new(covernote::wiring::OsRandom::default());
    let store = app.store.open(app.folder.path(), Arc::new(app.clock.clone()), random).await;
    let (insurer, balance, _) = deposit_named(&app, "shared").await;
    let at = app.service.installation.now();
    let premium = ProposalPremium {
        partner: app.partner().id,
        proposal: sold,
        line: LineOfBusiness::CreditLife,
        insurer,
        route: PremiumRoute::Deposit,
        deposit: Some("shared".into()),
        books: Books::owed(balance),
        held_since: None,
        decision: None,
        created_at: at,
        changed_at: at,
    };
    let decision = KeptDecision { by: Actor::Operator, at, reason: None, insurer_number: None };
    store.keep_decision(&premium, &decision).await.expect("kept");
    app.has_no_job_left().await;
    assert_eq!((app.rows_of("premiums"), app.rows_of("policies")), (0, 1));
    assert_eq!(deposit_named(&app, "shared").await.1, balance);
}

#[tokio::test]
async fn the_running_catalogue_decides_whether_the_deposit_is_guaranteed_for_older_quotes() {
    let price = price_of_straight().await;
    let terms = |guaranteed: bool| {
        straight_paid_by(&format!(
            "by = \"deposit\"\ndeposit = \"shared\"\nopening_balance = {price}\nguaranteed = {guaranteed}"
        ))
    };
    let app = terms(true).start().await;
    let mut quoted = Vec::new();
    for _ in 0..2 {
        quoted.push(app.has_proposal_body_decided_by("straight-through", "SUBMITTED").await);
    }
    app.runs_catalogue(&terms(false).catalogue).await;
    let mut statuses = Vec::new();
    for body in quoted {
        let made = app.post("/v1/embedded/proposal", body).await;
        statuses.push(app.status_of(made.json()["payload"]["proposal_id"].as_str().expect("an id")).await);
    }
    assert_eq!(statuses, ["COMPLETED", "PENDING"]);
}

#[tokio::test]
async fn a_deposit_whose_guarantee_was_removed_pays_for_no_policy_beyond_its_balance() {
    let (app, price) = with_deposit_of(1, true).await;
    for _ in 0..2 {
        let id = app.has_straight_through().await;
        assert_eq!(app.status_of(&id).await, COMPLETED);
    }
    let terms = format!("by = \"deposit\"\ndeposit = \"shared\"\nopening_balance = {price}");
    app.runs_catalogue(&straight_paid_by(&terms).catalogue).await;
    let waits = app.has_straight_through().await;
    assert_eq!(app.status_of(&waits).await, "PENDING");
    app.patch(&path(&waits), json!({ "status": COMPLETED })).await.is_refused(400, "S4000");
    let (insurer, balance, _) = deposit_named(&app, "shared").await;
    assert_eq!(balance, Rupees::ZERO - price, "what it covered stays covered");
    let top_up = price + price;
    app.service.deposits.change(insurer, "shared", Entry::TopUp, top_up, "UTR-1").await.expect("taken");
    app.is_completed_at_last(&waits).await;
    assert_eq!(deposit_named(&app, "shared").await.1, Rupees::ZERO);
}

#[tokio::test]
async fn a_withdrawal_from_a_guaranteed_deposit_cannot_exceed_its_balance() {
    let (app, price) = with_deposit_of(1, true).await;
    app.has_straight_through().await;
    let (insurer, ..) = deposit_named(&app, "shared").await;
    let taken = app.service.deposits.change(insurer, "shared", Entry::Withdrawal, price, "OUT-1").await;
    assert!(taken.is_err());
    assert_eq!(deposit_named(&app, "shared").await.1, Rupees::ZERO);
}

#[tokio::test]
async fn listing_deposits_does_not_open_any_deposit() {
    let (app, price) = with_deposit_of(1, false).await;
    let (_, balance, _) = deposit_named(&app, "shared").await;
    assert_eq!((balance, app.rows_of("deposits")), (price, 0));
    assert_eq!(app.balance(Account::Deposit).await, Rupees::ZERO);
}

#[tokio::test]
async fn a_payment_for_proposals_of_several_partners_is_recorded_completely_or_not_at_all() {
    let mut app = Setup::paid_by_partner().start().await;
    let first = app.has_proposal("PENDING").await;
    let other = app.new_partner("Another").await;
    let partner = app.asks_as(other);
    let second = app.has_proposal("PENDING").await;
    let due = app.premium_of(&second).await.books.due;
    let payment = |reference: &str, lines: &[(&String, Rupees)]| Payment {
        reference: domain::text::FromText::from_text(reference).expect("a reference"),
        amount: lines.iter().map(|(_, amount)| *amount).sum(),
        received_on: app.today(),
        lines: lines.iter().map(|(id, amount)| (id.parse().expect("an id"), *amount)).collect(),
    };
    let receive = async |payment| app.service.premiums.receive(Teller::Operator, payment).await;
    receive(payment("UTR-1", &[(&second, due)])).await.expect("noted");
    let refused = receive(payment("UTR-1", &[(&first, due), (&second, due + due)])).await;
    assert!(refused.is_err(), "one of them had another payment of this name");
    receive(payment("UTR-2", &[(&first, due), (&second, due)])).await.expect("noted");
    let _ = app.asks_as(partner);
    let receipts = app.service.premiums.receipts_of(app.partner().id, first.parse().expect("an id")).await;
    let references: Vec<String> =
        receipts.expect("read").into_iter().map(|receipt| receipt.reference).collect();
    assert_eq!(references, ["UTR-2"]);
}

#[tokio::test]
async fn a_withdrawal_cannot_exceed_the_balance_of_the_deposit() {
    let (app, price) = with_deposit_of(2, false).await;
    app.has_straight_through().await;
    let (insurer, ..) = deposit_named(&app, "shared").await;
    let deposits = &app.service.deposits;
    assert!(deposits.change(insurer, "shared", Entry::Withdrawal, price + price, "OUT-1").await.is_err());
    assert_eq!(
        deposits.change(insurer, "shared", Entry::Withdrawal, price, "OUT-2").await.expect("taken"),
        Rupees::ZERO
    );
    assert!(deposits.change(insurer, "nothing", Entry::TopUp, price, "IN-1").await.is_err());
}

#[tokio::test]
async fn a_proposal_that_waits_for_its_deposit_can_be_rejected() {
    let (app, price) = with_deposit_of(1, false).await;
    app.has_straight_through().await;
    let waiting = app.has_straight_through().await;
    assert_eq!(app.patch(&path(&waiting), json!({ "status": "REJECTED" })).await.status, 200);
    let (insurer, ..) = deposit_named(&app, "shared").await;
    app.service.deposits.change(insurer, "shared", Entry::TopUp, price, "UTR-1").await.expect("taken");
    app.clock.advance(Duration::from_secs(3600));
    app.has_no_job_left().await;
    assert_eq!((app.rows_of("policies"), app.rows_of("premiums")), (1, 0));
    assert_eq!(deposit_named(&app, "shared").await.1, price);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_deposit_for_five_premiums_pays_for_only_five_of_sixteen_simultaneous_sales() {
    let price = {
        let app = App::start().await;
        let id = app.has_proposal("PENDING").await;
        app.found_proposal(&id).await.0.premium.total()
    };
    let opening = Rupees::from_paise(price.paise() * 5 + 1);
    let setup =
        || Setup::default().with_premium(KALPANIK, &format!("by = \"deposit\"\nopening_balance = {opening}"));
    let app = Arc::new(setup().start().await);
    let catalogue = setup().catalogue;
    let others = [
        app.serves(app.another_process(&catalogue).await),
        app.serves(app.another_process(&catalogue).await),
    ];
    let bases = [app.base.clone(), others[0].base.clone(), others[1].base.clone()];
    let mut sales = JoinSet::new();
    for sale in 0..16 {
        let id = app.has_proposal("PENDING").await;
        let (base, token) = (bases[sale % 3].clone(), app.partner().token.clone());
        sales.spawn(async move {
            let client = reqwest::Client::new();
            let request = client.patch(format!("{base}{}", path(&id))).bearer_auth(token);
            request.json(&json!({ "status": COMPLETED })).send().await.expect("an answer").status().as_u16()
        });
    }
    let answers = sales.join_all().await;
    let sold = answers.iter().filter(|status| **status == 200).count();
    assert_eq!((sold, answers.iter().filter(|status| **status == 400).count()), (5, 11), "{answers:?}");
    assert_eq!(app.rows_of("policies"), 5);
    let (_, balance, _) = deposit_named(&app, "FICTIONAL-GCL-101-0001").await;
    assert_eq!(balance, Rupees::from_paise(1));
    // At the end of the test, the verification compares each deposit with the ledger.
}

#[tokio::test]
async fn an_acceptance_that_nobody_pays_ends_after_the_day_that_the_product_names() {
    // D155
    let limited = "by = \"partner\"\npay_within_days = 5";
    let mut app = Setup::default().with_premium(KALPANIK, limited).start().await;
    let (unpaid, paid) = (app.has_proposal("PENDING").await, app.has_proposal("PENDING").await);
    let undecided = app.has_proposal("PENDING").await;
    for id in [&unpaid, &paid] {
        let id = id.parse().expect("an id");
        app.service.operator_proposals.decide(id, Verdict::of(true, None)).await.expect("accepted");
    }
    let premium = app.premium_of(&unpaid).await;
    let last = app.service.premiums.pay_by(&premium).await.expect("read").expect("the product names a day");
    assert_eq!(last.to_string(), "2026-11-25");
    app.set_clock("2026-11-25T23:59:00+05:30").await;
    assert_eq!(app.service.premiums.end_unpaid().await.expect("ended"), 0, "it is not over");
    let due = app.due(&paid).await;
    assert_eq!(app.pays("UTR-1", &paid, &due).await.status, 201);
    app.set_clock("2026-11-26T00:01:00+05:30").await;
    assert_eq!(app.service.premiums.end_unpaid().await.expect("ended"), 1);
    assert_eq!(app.service.premiums.end_unpaid().await.expect("ended"), 0);
    let (_, moves) = app.found_proposal(&unpaid).await;
    let why = moves.last().and_then(|last| last.reason.clone()).expect("a reason");
    assert_eq!(why.reveal(), "The premium was not paid by 25 Nov 2026.");
    app.is_completed_at_last(&paid).await;
    assert_eq!(app.status_of(&undecided).await, "PENDING", "it was not accepted");
    assert_eq!(app.premium_state(&unpaid).await, PremiumState::Cancelled);
    let due = app.due(&unpaid).await;
    assert_eq!(app.pays("UTR-2", &unpaid, &due).await.status, 201);
    assert_eq!(app.premium_state(&unpaid).await, PremiumState::RefundDue);
}
