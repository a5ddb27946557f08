//! Tests credit-life prices of a correct insurer.

use domain::date::{BirthDate, Date};
use domain::quote::{NotPriced, QuoteRequest};
use insurers::mock::MockSettings;
use service::insurer::CreditAsk;

use crate::support::*;

#[tokio::test]
async fn prices_equal_the_insurers_own_in_the_order_of_the_request() {
    let (ours, served) = (OurSide::new(), serve(MockSettings::default()));
    let (request, mut variants) = (borrower(), variants());
    variants.reverse();
    let ask = CreditAsk { request: &request, variants: &variants, starts: TODAY };
    let answered = ours.insurer(&served.url).price_credit(ask, AMPLE).await.expect("prices");
    assert_eq!(answered.len(), variants.len());
    let catalogue = catalogue();
    let priced = variants.iter().map(|id| {
        let variant = catalogue.credit_variant(*id).expect("of the sample");
        variant.price(&request, TODAY).map_err(|why| NotPriced::InsurerRefused(why.to_string()))
    });
    assert!(priced.eq(answered)); // D22
}

#[tokio::test]
async fn a_refusal_has_the_insurers_own_sentence() {
    let (ours, served) = (OurSide::new(), serve(MockSettings::default()));
    let request = QuoteRequest { born: BirthDate::kept(Date::constant(1930, 1, 1)), ..borrower() };
    let variants = variants();
    let ask = CreditAsk { request: &request, variants: &variants, starts: TODAY };
    let answered = ours.insurer(&served.url).price_credit(ask, AMPLE).await.expect("an answer");
    let refused = |outcome: &Result<_, NotPriced>| match outcome {
        Err(NotPriced::InsurerRefused(why)) => why.starts_with("This cover"),
        _ => false,
    };
    assert!(answered.iter().any(refused), "{answered:?}"); // D22
}

#[tokio::test]
async fn a_long_refusal_is_shortened_to_one_line_of_at_most_200_characters() {
    let variant = variants()[0];
    let long = format!("No\\u0000\\n{}", "way ".repeat(100));
    let (_, url) = Scripted::serve([json(format!(
        r#"{{"prices": [{{"variant_id": "{variant}", "refused": "{long}"}}]}}"#
    ))]);
    let request = borrower();
    let ask = CreditAsk { request: &request, variants: &[variant], starts: TODAY };
    let answered = OurSide::new().insurer(&url).price_credit(ask, AMPLE).await.expect("an answer");
    let Err(NotPriced::InsurerRefused(why)) = &answered[0] else { panic!("{answered:?}") };
    assert!(why.starts_with("No way way") && why.chars().count() <= 200, "{why}");
}

#[tokio::test]
async fn a_price_request_equals_the_documented_example() {
    let (scripted, url) = Scripted::serve([json("{}")]);
    let ours = OurSide::new();
    let request = borrower();
    let ask = CreditAsk { request: &request, variants: &variants()[..1], starts: TODAY };
    let _ = ours.insurer(&format!("{url}/covers")).price_credit(ask, AMPLE).await;
    let heard = scripted.heard.lock().expect("whole");
    assert_eq!(heard[0].path, "/covers/v1/credit/prices");
    assert_eq!(heard[0].headers["content-type"], "application/json");
    assert_eq!(heard[0].headers["authorization"], format!("Bearer {SECRET}"));
    let wanted = format!(
        concat!(
            r#"{{"on":"2026-11-20","date_of_birth":"1990-06-15","gender":"FEMALE","cover_amount":"500000.00","#,
            r#""policy_term":24,"context_data":[{{"key":"loan_amount","values":["500000"]}}],"variants":["{}"]}}"#
        ),
        variants()[0]
    );
    assert_eq!(std::str::from_utf8(&heard[0].body).expect("text"), wanted);
}
