//! Wrong answers, made from right ones.

use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::header::{CONTENT_TYPE, LOCATION};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use futures_util::{StreamExt, stream};
use serde_json::{Value, json};

/// A kind of wrong answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rubbish {
    /// A page for people.
    Page,
    /// JSON that breaks off.
    BrokenJson,
    /// JSON of another shape.
    OtherShape,
    /// Nothing at all.
    Empty,
    /// One price is missing.
    Missing,
    /// One price is there twice.
    Twice,
    /// A price for a variant that was not asked.
    Stranger,
    /// Amounts that do not add up.
    WrongSum,
    /// An amount below zero.
    Negative,
    /// An amount as a number instead of text.
    Number,
    /// A body without an end.
    Endless,
    /// A body that breaks off.
    BrokenOff,
    /// The way to another place.
    Redirect,
}

impl Rubbish {
    /// Every kind.
    pub const ALL: &'static [Rubbish] = &[
        Rubbish::Page,
        Rubbish::BrokenJson,
        Rubbish::OtherShape,
        Rubbish::Empty,
        Rubbish::Missing,
        Rubbish::Twice,
        Rubbish::Stranger,
        Rubbish::WrongSum,
        Rubbish::Negative,
        Rubbish::Number,
        Rubbish::Endless,
        Rubbish::BrokenOff,
        Rubbish::Redirect,
    ];
}

/// A wrong answer in place of a right one.
pub(super) fn spoil(kind: Rubbish, right: &Value) -> Response {
    match kind {
        Rubbish::Page => page("<!doctype html><title>It works!</title>"),
        Rubbish::BrokenJson => json_text(r#"{"prices": [{"#),
        Rubbish::OtherShape => json_text(r#"{"data": {"prices": null}}"#),
        Rubbish::Empty => json_text(""),
        Rubbish::Endless => json_body(Body::from_stream(stream::repeat_with(spaces))),
        Rubbish::BrokenOff => {
            let begun = stream::once(async { spaces() });
            json_body(Body::from_stream(begun.chain(stream::once(broken_off()))))
        }
        Rubbish::Redirect => (StatusCode::TEMPORARY_REDIRECT, [(LOCATION, "/v1/elsewhere")]).into_response(),
        Rubbish::Missing
        | Rubbish::Twice
        | Rubbish::Stranger
        | Rubbish::WrongSum
        | Rubbish::Negative
        | Rubbish::Number => json_text(&spoilt(kind, right.clone()).to_string()),
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

/// A piece of JSON that says nothing.
fn spaces() -> Result<Bytes, std::io::Error> {
    Ok(Bytes::from_static(&[b' '; 16 * 1024]))
}

/// The end of a connection, once what was said before is on its way.
async fn broken_off() -> Result<Bytes, std::io::Error> {
    tokio::time::sleep(Duration::from_millis(20)).await;
    Err(std::io::ErrorKind::ConnectionReset.into())
}

/// A right answer with one thing wrong. Where it has no prices, its words are wrong instead.
fn spoilt(kind: Rubbish, mut answer: Value) -> Value {
    let Some(prices) = answer.get_mut("prices").and_then(Value::as_array_mut).filter(|all| !all.is_empty())
    else {
        answer["decision"] = "perhaps".into();
        return answer;
    };
    let first = prices[0].clone();
    match kind {
        Rubbish::Missing => drop(prices.remove(0)),
        Rubbish::Twice => prices.push(first),
        Rubbish::Stranger => {
            prices.push(json!({ "variant_id": "vrt_00000000000000000000000000", "refused": "Who?" }));
        }
        _ => spoil_amounts(kind, first_amounts(&mut prices[0])),
    }
    answer
}

/// The amounts of a price: its own, or those of its first tenure. A refusal gets some.
fn first_amounts(price: &mut Value) -> &mut Value {
    if price.get("tenures").is_some() {
        return &mut price["tenures"][0];
    }
    if let Some(refusal) = price.as_object_mut() {
        refusal.remove("refused");
    }
    price
}

fn spoil_amounts(kind: Rubbish, amounts: &mut Value) {
    let (base, gst, total) = match kind {
        Rubbish::Negative => (json!("-100.00"), json!("18.00"), json!("-82.00")),
        Rubbish::Number => (json!(100.0), json!(18.0), json!(118.0)),
        _ => (json!("100.00"), json!("18.00"), json!("118.01")),
    };
    amounts["base_premium"] = base;
    amounts["gst"] = gst;
    amounts["total_premium"] = total;
}
