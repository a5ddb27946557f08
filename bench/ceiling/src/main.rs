//! Minimal axum server for `POST /v1/embedded/quote`, with which covernote is compared.
//!
//! It parses the same request and sends the same bytes. It checks no token, and validates, prices, stores and
//! logs nothing.
//!
//! `ceiling <answer> <listen>`: `answer` is a file with a response of the real server.

use std::env;
use std::error::Error;
use std::fs;

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use serde::Deserialize;
use tokio::net::TcpListener;

/// The same allocator as covernote's.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Required fields of a quote request.
#[derive(Deserialize)]
struct QuoteRequest<'a> {
    date_of_birth: &'a str,
    gender: &'a str,
    cover_amount: &'a str,
    policy_term: u32,
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let (Some(answer), Some(listen), None) = (arguments.next(), arguments.next(), arguments.next()) else {
        return Err("usage: ceiling <answer> <listen>".into());
    };
    let router =
        Router::new().route("/v1/embedded/quote", post(quote)).with_state(Bytes::from(fs::read(answer)?));
    let listener = TcpListener::bind(listen).await?;
    Ok(axum::serve(listener, router).await?)
}

async fn quote(State(answer): State<Bytes>, body: Bytes) -> Response {
    match serde_json::from_slice::<QuoteRequest<'_>>(&body) {
        Ok(request) if request.is_whole() => {
            ([(header::CONTENT_TYPE, "application/json")], answer).into_response()
        }
        _ => StatusCode::BAD_REQUEST.into_response(),
    }
}

impl QuoteRequest<'_> {
    /// Reads every field, so that the compiler cannot leave its parsing out.
    fn is_whole(&self) -> bool {
        let texts = [self.date_of_birth, self.gender, self.cover_amount];
        texts.iter().all(|text| !text.is_empty()) && self.policy_term > 0
    }
}
