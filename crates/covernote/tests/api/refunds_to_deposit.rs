//! Refunds of premiums that a deposit paid go back to the deposit, unless the partner charged the borrower
//! (D69).

use domain::date::Date;
use domain::endorsement::ChargePayment;
use domain::money::Rupees;
use domain::premium::{Account, PaymentReference};
use domain::text::FromText;
use serde_json::{Value, json};
use service::policy::endorsement::EndorsementVerdict;

use crate::support::{App, Setup};

/// The sample catalogue, with partners who bear the premiums of all products that draw on a deposit.
fn borne_by_partners() -> Setup {
    let products = [
        "kalpanik/loan-suraksha",
        "parikatha/one-price-loan-cover",
        "misaal/yuva-rin-raksha",
        "misaal/rin-kavach",
        "namoona/instant-loan-saathi",
        "namoona/micro-loan-saathi",
    ];
    products.iter().fold(Setup::default(), |setup, product| {
        setup.edited(&format!("insurers/{product}.toml"), |text| {
            let edited = text.replace("borrower_pays = true\n", "");
            assert_ne!(edited, text, "it charges the borrower");
            edited
        })
    })
}

/// The amount in a field of a policy's cancellation or endorsement.
fn amount(of: &Value) -> Rupees {
    domain::money::PlainAmount::from_text(of.as_str().expect("an amount")).expect("an amount").0
}

#[tokio::test]
async fn a_refund_is_credited_to_the_deposit_immediately_if_the_partner_bore_the_premium() {
    let app = borne_by_partners().start().await;
    let before = app.balance(Account::Deposit).await;
    let id = app.has_policy().await;
    let paid = amount(&app.policy(&id).await["premium"]["total"]);
    let drawn = app.balance(Account::Deposit).await;
    assert_eq!(app.cancels(&id, "NOT_DISBURSED").await.status, 200);
    let policy = app.policy(&id).await;
    let cancellation = &policy["cancellation"];
    let refund = amount(&cancellation["refund"]["total"]);
    assert_eq!(cancellation["refund_to_deposit"], cancellation["refund"]["total"]);
    assert_eq!((&cancellation["refund_due_on"], &cancellation["refund_paid"]), (&Value::Null, &Value::Null));
    assert_eq!(app.balance(Account::Deposit).await, drawn + refund);
    assert_eq!(refund, paid, "all of it comes back before the disbursal");
    assert!(app.balance(Account::Deposit).await >= before);
    // The customer paid nothing, so nothing is owed to the customer.
    assert_eq!(app.refunds_booked().await, (Rupees::ZERO - refund, Rupees::ZERO));
    assert!(app.service.policies.refunds_owed(10).await.expect("read").is_empty());
    let reference = PaymentReference::from_text("UTR-1").expect("a reference");
    let day = Date::constant(2026, 11, 20);
    let noted = app.service.refunds.paid(id.parse().expect("an id"), reference, day, None).await;
    let refused = noted.expect_err("nothing is owed").to_string();
    assert!(refused.contains("went back to the deposit"), "{refused}");
    let events = app.get("/v1/events?limit=100").await.text;
    assert!(!events.contains("refund.due"), "{events}");
}

#[tokio::test]
async fn a_refund_is_owed_to_the_borrower_if_the_borrower_bore_the_premium() {
    let app = App::start().await;
    let id = app.has_policy().await;
    let drawn = app.balance(Account::Deposit).await;
    assert_eq!(app.cancels(&id, "NOT_DISBURSED").await.status, 200);
    let cancellation = app.policy(&id).await["cancellation"].clone();
    assert_eq!(cancellation.get("refund_to_deposit"), None);
    assert_eq!(app.balance(Account::Deposit).await, drawn);
    assert_eq!(app.refunds_booked().await.1, amount(&cancellation["refund"]["total"]));
}

#[tokio::test]
async fn refunds_to_a_deposit_never_exceed_the_premium_that_it_paid() {
    let mut app = borne_by_partners().start().await;
    let id = app.has_policy().await;
    let sold = amount(&app.policy(&id).await["premium"]["total"]);
    let drawn = app.balance(Account::Deposit).await;
    app.set_clock("2026-11-21T12:00:00+05:30").await;
    let less = json!({ "kind": "COVER_REDUCTION", "sum_insured": "300000.00" });
    assert_eq!(app.endorses(&id, less).await.status, 200);
    let first = app.policy(&id).await["endorsements"][0].clone();
    assert_eq!(first["refund_to_deposit"], first["refund"]["total"]);
    assert_eq!(app.balance(Account::Deposit).await, drawn + amount(&first["refund_to_deposit"]));
    // The customer pays the charge of an endorsement; the deposit does not.
    let older = json!({ "kind": "DATE_OF_BIRTH", "date_of_birth": "15/06/1979" });
    let asked = app.endorses(&id, older).await;
    assert_eq!(asked.status, 200, "{}", asked.text);
    let charge = amount(&app.policy(&id).await["endorsements"][1]["charge"]["total"]);
    let received_on = Date::constant(2026, 11, 21);
    let payment =
        ChargePayment { reference: PaymentReference::from_text("UTR-7").expect("one"), received_on };
    let verdict = EndorsementVerdict::Confirm(Some(payment));
    app.service
        .endorsements
        .decide(id.parse().expect("an id"), None, domain::proposal::Actor::Operator, verdict)
        .await
        .expect("made");
    app.set_clock("2026-11-22T12:00:00+05:30").await;
    assert_eq!(app.cancels(&id, "NOT_DISBURSED").await.status, 200);
    let last = app.policy(&id).await["cancellation"].clone();
    let (total, back) = (amount(&last["refund"]["total"]), amount(&last["refund_to_deposit"]));
    assert_eq!(back + amount(&first["refund_to_deposit"]), sold, "all that it paid");
    assert_eq!(total - back, charge, "the rest is of who paid the charge");
    assert_eq!(app.balance(Account::Deposit).await, drawn + sold);
    assert_eq!(app.refunds_booked().await.1, charge);
    let owed = app.service.policies.refunds_owed(10).await.expect("read");
    assert_eq!(owed.len(), 1);
}

#[tokio::test]
async fn a_refund_of_a_test_partner_does_not_change_the_deposit() {
    let mut app = borne_by_partners().start().await;
    app.asks_in_a_sandbox().await;
    let before = app.balance(Account::Deposit).await;
    let id = app.has_policy().await;
    assert_eq!(app.cancels(&id, "NOT_DISBURSED").await.status, 200);
    let cancellation = app.policy(&id).await["cancellation"].clone();
    assert_eq!(cancellation["refund_to_deposit"], cancellation["refund"]["total"]);
    assert_eq!((app.balance(Account::Deposit).await, app.refunds_booked().await.1), (before, Rupees::ZERO));
}
