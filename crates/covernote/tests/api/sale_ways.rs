//! Nothing is sold that cannot be paid for, and nothing without a licence of the operator (D152).

use std::sync::Arc;

use domain::date::Date;

use crate::support::premium::KALPANIK;
use crate::support::{Answer, App, Setup, bodies};

/// Kalpanik's level cover.
const LEVEL: &str = "vrt_01m5w4nayge0zt63z13f3ajgpk";

impl App {
    /// The answer to a proposal for Kalpanik's level cover.
    async fn asks_to_buy(&self) -> Answer {
        let quote = self.has_quote().await;
        let items = quote["recommendations"].as_array().expect("a list");
        let item = items.iter().find(|item| item["variant_id"] == LEVEL).expect("in the sample");
        let item = &item["recommendation_id"];
        self.post("/v1/embedded/proposal", bodies::proposal(&quote["quote_id"], item, "SUBMITTED")).await
    }
}

/// A setup whose operator has a licence until a day, and grace days.
fn licensed(until: Date, grace_days: u16) -> Setup {
    let setup = Setup::default().sold_by_a_broker();
    let operator = setup.operator.as_deref().expect("a broker").clone();
    let operator =
        domain::operator::Operator { licence_until: until, licence_grace_days: grace_days, ..operator };
    Setup { operator: Some(Arc::new(operator)), ..setup }
}

#[tokio::test]
async fn nothing_is_sold_after_the_operators_licence_and_its_grace_days() {
    // D152
    for (until, grace_days, is_sold) in [(20, 0, true), (19, 0, false), (19, 1, true), (17, 2, false)] {
        let app = licensed(Date::constant(2026, 11, until), grace_days).start().await;
        let answer = app.asks_to_buy().await;
        assert_eq!(answer.status == 201, is_sold, "{until} {grace_days}: {}", answer.text);
        if !is_sold {
            answer.has_faults_on(&["recommendation_id"]);
            assert!(answer.text.contains("licence ended on"), "{}", answer.text);
        }
    }
}

#[tokio::test]
async fn a_test_partner_can_sell_without_a_licence_of_the_operator() {
    // D152
    let mut app = licensed(Date::constant(2026, 1, 1), 0).start().await;
    let test = app.new_test_partner().await;
    app.asks_as(test);
    let answer = app.asks_to_buy().await;
    assert_eq!(answer.status, 201, "{}", answer.text);
}

#[tokio::test]
async fn a_product_that_is_paid_on_a_page_here_is_sold_only_with_a_payment_gateway() {
    // D152
    let here = || Setup::default().with_premium(KALPANIK, "by = \"here\"");
    assert_eq!(here().start().await.asks_to_buy().await.status, 201);
    let answer = Setup { has_gateway: false, ..here() }.start().await.asks_to_buy().await;
    answer.has_faults_on(&["recommendation_id"]);
    assert!(answer.text.contains("has no payment gateway"), "{}", answer.text);
}
