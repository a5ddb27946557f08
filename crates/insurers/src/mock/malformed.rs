//! Malformed answers of the mock insurer, made from good answers.

use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::header::{CONTENT_TYPE, LOCATION};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use futures_util::{StreamExt, stream};
use serde_json::{Value, json};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Malformed {
    /// An HTML page instead of JSON.
    Page,
    /// JSON that is cut off.
    BrokenJson,
    /// JSON that does not have the protocol's format.
    OtherShape,
    /// An empty body.
    Empty,
    /// Prices, of which one is missing.
    Missing,
    /// Prices, of which one occurs twice.
    Twice,
    /// A price for a variant that was not requested.
    Stranger,
    /// A price whose amounts do not add up.
    WrongSum,
    /// A price with an amount below zero.
    Negative,
    /// A price with amounts as JSON numbers instead of text.
    Number,
    /// A body that never ends.
    Endless,
    /// A body that breaks off, because the connection is reset.
    BrokenOff,
    /// A redirect to another path.
    Redirect,
}

impl Malformed {
    pub const ALL: &'static [Malformed] = &[
        Malformed::Page,
        Malformed::BrokenJson,
        Malformed::OtherShape,
        Malformed::Empty,
        Malformed::Missing,
        Malformed::Twice,
        Malformed::Stranger,
        Malformed::WrongSum,
        Malformed::Negative,
        Malformed::Number,
        Malformed::Endless,
        Malformed::BrokenOff,
        Malformed::Redirect,
    ];
}

/// Malformed answer that is sent in place of a good answer.
pub(super) fn corrupt(kind: Malformed, good: &Value) -> Response {
    match kind {
        Malformed::Page => page("<!doctype html><title>It works!</title>"),
        Malformed::BrokenJson => json_text(r#"{"prices": [{"#),
        Malformed::OtherShape => json_text(r#"{"data": {"prices": null}}"#),
        Malformed::Empty => json_text(""),
        Malformed::Endless => json_body(Body::from_stream(stream::repeat_with(spaces))),
        Malformed::BrokenOff => {
            let begun = stream::once(async { spaces() });
            json_body(Body::from_stream(begun.chain(stream::once(broken_off()))))
        }
        Malformed::Redirect => {
            (StatusCode::TEMPORARY_REDIRECT, [(LOCATION, "/v1/elsewhere")]).into_response()
        }
        Malformed::Missing
        | Malformed::Twice
        | Malformed::Stranger
        | Malformed::WrongSum
        | Malformed::Negative
        | Malformed::Number => json_text(&corrupted(kind, good.clone()).to_string()),
    }
}

fn page(text: &'static str) -> Response {
    ([(CONTENT_TYPE, HeaderValue::from_static("text/html"))], text).into_response()
}

fn json_text(text: &str) -> Response {
    json_body(Body::from(text.to_owned()))
}

fn json_body(body: Body) -> Response {
    ([(CONTENT_TYPE, HeaderValue::from_static("application/json"))], body).into_response()
}

/// Chunk of white space, which JSON allows.
fn spaces() -> Result<Bytes, std::io::Error> {
    Ok(Bytes::from_static(&[b' '; 16 * 1024]))
}

/// Error that resets the connection, after the earlier chunks were sent.
async fn broken_off() -> Result<Bytes, std::io::Error> {
    tokio::time::sleep(Duration::from_millis(20)).await;
    Err(std::io::ErrorKind::ConnectionReset.into())
}

/// Good answer with one error. If the answer has no prices, it gets an invalid decision.
fn corrupted(kind: Malformed, mut answer: Value) -> Value {
    let Some(prices) = answer.get_mut("prices").and_then(Value::as_array_mut).filter(|all| !all.is_empty())
    else {
        answer["decision"] = "perhaps".into();
        return answer;
    };
    let first = prices[0].clone();
    match kind {
        Malformed::Missing => drop(prices.remove(0)),
        Malformed::Twice => prices.push(first),
        Malformed::Stranger => {
            prices.push(json!({ "variant_id": "vrt_00000000000000000000000000", "refused": "Who?" }));
        }
        _ => corrupt_amounts(kind, first_amounts(&mut prices[0])),
    }
    answer
}

/// The object with the amounts of a price. For health, it is the first tenure. A refusal becomes a price.
fn first_amounts(price: &mut Value) -> &mut Value {
    if price.get("tenures").is_some() {
        return &mut price["tenures"][0];
    }
    if let Some(refusal) = price.as_object_mut() {
        refusal.remove("refused");
    }
    price
}

fn corrupt_amounts(kind: Malformed, amounts: &mut Value) {
    let (base, gst, total) = match kind {
        Malformed::Negative => (json!("-100.00"), json!("18.00"), json!("-82.00")),
        Malformed::Number => (json!(100.0), json!(18.0), json!(118.0)),
        _ => (json!("100.00"), json!("18.00"), json!("118.01")),
    };
    amounts["base_premium"] = base;
    amounts["gst"] = gst;
    amounts["total_premium"] = total;
}
