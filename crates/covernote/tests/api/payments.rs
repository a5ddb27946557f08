//! A customer pays the premium here, on behalf of the insurer: the status page, the gateway's page, and `POST
//! /v1/payments/callback` (D65).

use std::time::Duration;

use domain::id::ProposalId;
use domain::money::Rupees;
use domain::premium::{Account, PaymentReference, PremiumState};
use domain::text::FromText;
use service::outside::payment_gateway::{GatewayPayment, ORDER_LIFETIME, PaymentOrder};
use service::proposal::operator::Verdict;

use crate::support::health::PLAIN;
use crate::support::{Answer, App, Setup};

const CALLBACK: &str = "/v1/payments/callback";
const AMRIT: &str = "insurers/amrit/product.toml";

/// A health application that the operator accepted, and whose premium is paid here.
struct Application {
    app: App,
    id: String,
}

impl Application {
    async fn new() -> Application {
        let application = Application::undecided().await;
        let operator = &application.app.service.operator_proposals;
        let accepted = operator.decide(Self::id_of(&application.id), Verdict::of(true, None)).await;
        assert!(accepted.expect("kept").waits_for.is_some());
        application
    }

    async fn undecided() -> Application {
        let app = Setup::health().with_premium(AMRIT, "by = \"here\"").start().await;
        let journey = app.has_answered_journey(PLAIN, &[]).await;
        let id = app.proposes(&journey).await;
        Application { app, id }
    }

    fn id_of(id: &str) -> ProposalId {
        id.parse().expect("an id")
    }

    fn page(&self) -> String {
        let (partner, id) = (self.app.partner().id, Self::id_of(&self.id));
        format!("/health/status/{}", self.app.service.status_pages.code(partner, id))
    }

    /// The order that the status page's button creates at the gateway.
    async fn order(&self) -> PaymentOrder {
        let address = self.pays_at().await;
        let code = address.split_once("?order=").expect("an order").1.to_owned();
        self.app.gateway.order(&code).expect("of this gateway")
    }

    /// The address to which the status page's button leads.
    async fn pays_at(&self) -> String {
        let client = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build();
        let address = format!("{}{}/pay", self.app.base, self.page());
        let answer = client.expect("a client").get(address).send().await.expect("an answer");
        assert_eq!(answer.status().as_u16(), 303);
        answer.headers()["location"].to_str().expect("an address").to_owned()
    }

    async fn tells(&self, payment: &GatewayPayment) -> Answer {
        let (body, signature) = self.app.gateway.tells(payment);
        self.sends(body, &signature).await
    }

    async fn sends(&self, body: Vec<u8>, signature: &str) -> Answer {
        let request = self.app.request("POST", CALLBACK).header("x-gateway-signature", signature);
        self.app.send(request.header("content-type", "application/json").body(body)).await
    }

    async fn state(&self) -> PremiumState {
        self.app.premium_state(&self.id).await
    }

    async fn has_policy(&self) -> bool {
        let (of, id) = (self.app.partner().id, Self::id_of(&self.id));
        self.app.service.proposals.policy_of(of, id).await.expect("read").is_some()
    }

    async fn shows(&self, text: &str) {
        let page = self.app.get_without_bearer(&self.page()).await;
        assert!(page.text.contains(text), "{text} is not in {}", page.text);
    }
}

fn payment(order: &PaymentOrder, reference: &str) -> GatewayPayment {
    GatewayPayment {
        order: order.id.clone(),
        reference: PaymentReference::from_text(reference).expect("a reference"),
        amount: order.amount,
        currency: "INR".into(),
    }
}

#[tokio::test]
async fn a_customer_pays_and_the_policy_is_issued() {
    let application = Application::new().await;
    application.shows("Accepted: pay your premium").await;
    application.shows("Pay the premium").await;
    let order = application.order().await;
    let due = application.app.premium_of(&application.id).await.books.due;
    assert_eq!(order.amount, due);
    assert!(order.payee.starts_with("Amrit"), "the payee is the insurer: {}", order.payee);
    for _ in 0..2 {
        let answer = application.tells(&payment(&order, "pay_1")).await;
        assert_eq!(answer.status, 200, "told twice is done once: {}", answer.text);
    }
    application.app.eventually("it is issued", async || application.has_policy().await.then_some(())).await;
    assert_eq!(application.state().await, PremiumState::Paid);
    assert_eq!(application.app.rows_of("receipts"), 1);
    assert_eq!(application.app.balance(Account::Collected).await, Rupees::ZERO - due);
    let premium = application.app.premium_of(&application.id).await;
    assert_eq!(premium.books.to_remit(), due, "it is to be remitted to the insurer");
    let page = application.app.get_without_bearer(&application.page()).await;
    assert!(!page.text.contains("Pay the premium"), "{}", page.text);
    assert!(!application.pays_at().await.contains("order="), "there is nothing left to pay");
    application.app.has_no_job_left().await;
}

#[tokio::test]
async fn the_status_page_reloads_itself_after_the_payment_until_the_policy_is_shown() {
    let application = Application::new().await;
    let order = application.order().await;
    assert!(order.return_url.ends_with("?wait=15"), "{}", order.return_url);
    let page = async |query: &str| {
        application.app.get_without_bearer(&format!("{}{query}", application.page())).await.text
    };
    let refresh =
        |page: &str| page.split("0; url=").nth(1).and_then(|rest| rest.split('"').next().map(str::to_owned));
    let code = application.page().rsplit('/').next().expect("a code").to_owned();
    assert_eq!(
        refresh(&page("?wait=2").await),
        Some(format!("{code}?wait=1")),
        "the gateway has not told yet"
    );
    assert_eq!(refresh(&page("?wait=1").await), None, "it does not wait for ever");
    assert_eq!(refresh(&page("?wait=2&lang=hi").await), Some(format!("{code}?wait=1&#38;lang=hi")));
    assert_eq!(refresh(&page("").await), None, "who only looks is not disturbed");
    assert_eq!(application.tells(&payment(&order, "pay_1")).await.status, 200);
    let issued = async || {
        let page = page("?wait=15").await;
        assert!(!page.contains("You are not insured yet"), "{page}");
        let is_issued = page.contains("Your policy is issued");
        assert_eq!(refresh(&page).is_none(), is_issued, "{page}");
        is_issued.then_some(())
    };
    application.app.eventually("the page shows the policy", issued).await;
}

#[tokio::test]
async fn an_application_that_is_not_accepted_cannot_be_paid() {
    let application = Application::undecided().await;
    application.shows("is due once your application is accepted").await;
    let page = application.app.get_without_bearer(&application.page()).await;
    assert!(!page.text.contains("Pay the premium"), "{}", page.text);
    assert!(!application.pays_at().await.contains("order="));
    assert_eq!(application.state().await, PremiumState::Due);
}

#[tokio::test]
async fn a_message_without_the_gateways_signature_is_refused() {
    let application = Application::new().await;
    let order = application.order().await;
    let (body, signature) = application.app.gateway.tells(&payment(&order, "pay_1"));
    let other = format!("{}0", &signature[..signature.len() - 1]);
    let other = if other == signature { format!("{}1", &signature[..signature.len() - 1]) } else { other };
    let changed = String::from_utf8(body.clone()).expect("text").replace("pay_1", "pay_2").into_bytes();
    for (body, signature) in [(body.clone(), other.as_str()), (changed, &signature), (body, "")] {
        application.sends(body, signature).await.is_refused(401, "A4001");
    }
    assert_eq!(application.state().await, PremiumState::Due);
    assert_eq!(application.app.rows_of("receipts"), 0);
}

#[tokio::test]
async fn a_payment_that_differs_from_the_premium_is_kept_but_issues_no_policy() {
    for paise in [-1, 1] {
        let application = Application::new().await;
        let order = application.order().await;
        let amount = Rupees::from_paise(order.amount.paise() + paise);
        let told = GatewayPayment { amount, ..payment(&order, "pay_1") };
        assert_eq!(application.tells(&told).await.status, 200);
        assert_eq!(application.state().await, PremiumState::Mismatch);
        assert_eq!(application.app.balance(Account::Unsettled).await, amount);
        application.shows("No money is lost").await;
        assert!(!application.has_policy().await);
    }
}

#[tokio::test]
async fn a_payment_after_the_order_expired_stays_unsettled_and_issues_no_policy() {
    let application = Application::new().await;
    let order = application.order().await;
    application.app.clock.advance(ORDER_LIFETIME + Duration::from_secs(1));
    assert_eq!(application.tells(&payment(&order, "pay_1")).await.status, 200);
    assert_eq!(application.state().await, PremiumState::Mismatch);
    assert!(!application.has_policy().await);
    assert_eq!(application.app.balance(Account::Unsettled).await, order.amount);
}

#[tokio::test]
async fn a_second_payment_of_a_premium_is_kept_as_unsettled() {
    let application = Application::new().await;
    let (first, second) = (application.order().await, application.order().await);
    assert_eq!(application.tells(&payment(&first, "pay_1")).await.status, 200);
    assert_eq!(application.tells(&payment(&second, "pay_2")).await.status, 200);
    application.app.eventually("it is issued", async || application.has_policy().await.then_some(())).await;
    let books = application.app.premium_of(&application.id).await.books;
    assert_eq!((books.applied, books.unsettled), (first.amount, first.amount));
}

#[tokio::test]
async fn a_payment_for_an_application_that_was_rejected_meanwhile_must_be_refunded() {
    let application = Application::new().await;
    let order = application.order().await;
    let operator = &application.app.service.operator_proposals;
    let rejected = operator.decide(Application::id_of(&application.id), Verdict::of(false, None)).await;
    rejected.expect("rejected");
    assert_eq!(application.tells(&payment(&order, "pay_1")).await.status, 200);
    assert_eq!(application.state().await, PremiumState::RefundDue);
    application.shows("will be paid back to you").await;
    assert!(!application.has_policy().await);
}

#[tokio::test]
async fn a_payment_in_another_currency_or_for_an_unknown_order_is_refused() {
    let application = Application::new().await;
    let order = application.order().await;
    let dollars = GatewayPayment { currency: "USD".into(), ..payment(&order, "pay_1") };
    application.tells(&dollars).await.is_refused(409, "S4090");
    let mut forged = order.id.clone();
    forged.replace_range(..1, if forged.starts_with('A') { "B" } else { "A" });
    let forged = GatewayPayment { order: forged, ..payment(&order, "pay_2") };
    application.tells(&forged).await.is_refused(404, "R4040");
    assert_eq!(application.state().await, PremiumState::Due);
    assert_eq!(application.app.rows_of("receipts"), 0);
}

#[tokio::test]
async fn the_demo_gateway_shows_amount_and_payee_and_returns_the_customer_after_payment() {
    let application = Application::new().await;
    let demo = application.app.serves_demo();
    let address = application.pays_at().await.replace(&application.app.base, &demo.base);
    let client =
        reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build().expect("a client");
    let page = client.get(&address).send().await.expect("an answer").text().await.expect("text");
    let due = application.app.premium_of(&application.id).await.books.due.grouped_with_paise();
    assert!(page.contains(&due) && page.contains("Amrit"), "{page}");
    let changed = client.get(address.replace("order=e", "order=f")).send().await.expect("an answer");
    assert_eq!(changed.status().as_u16(), 404);
    let code = address.split_once("?order=").expect("an order").1;
    let pays = client
        .post(format!("{}/demo/pay", demo.base))
        .header("content-type", "application/x-www-form-urlencoded")
        .body(format!("order={code}"));
    let paid = pays.send().await.expect("an answer");
    assert_eq!(paid.status().as_u16(), 303);
    assert!(paid.headers()["location"].to_str().expect("an address").starts_with("../health/status/"));
    application.app.eventually("it is issued", async || application.has_policy().await.then_some(())).await;
}
