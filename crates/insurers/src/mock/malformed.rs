//! Malformed answers, made from good ones.

use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::header::{CONTENT_TYPE, LOCATION};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use futures_util::{StreamExt, stream};
use serde_json::{Value, json};

/// A kind of malformed answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Malformed {
    /// An HTML page.
    Page,
    /// Truncated JSON.
    BrokenJson,
    /// JSON of another shape.
    OtherShape,
    /// An empty body.
    Empty,
    /// One price is missing.
    Missing,
    /// One price occurs twice.
    Twice,
    /// A price for a variant that was not requested.
    Stranger,
    /// Amounts that do not add up.
    WrongSum,
    /// An amount below zero.
    Negative,
    /// An amount as a number instead of text.
    Number,
    /// A body without an end.
    Endless,
    /// A body whose connection is reset.
    BrokenOff,
    /// A redirect to another path.
    Redirect,
}

impl Malformed {
    /// Every kind.
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

/// A malformed answer in place of a good one.
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

/// A chunk of white space, which JSON allows.
fn spaces() -> Result<Bytes, std::io::Error> {
    Ok(Bytes::from_static(&[b' '; 16 * 1024]))
}

/// The reset of a connection, after the earlier chunks were sent.
async fn broken_off() -> Result<Bytes, std::io::Error> {
    tokio::time::sleep(Duration::from_millis(20)).await;
    Err(std::io::ErrorKind::ConnectionReset.into())
}

/// A good answer with one error. An answer without prices gets an unknown decision instead.
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

/// The amounts of a price: its own, or those of its first tenure. A refusal is turned into a price.
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
