//! The least that a server can do for `POST /v1/embedded/quote` on axum: it parses the same request and answers the
//! same bytes. It checks no token, validates and prices nothing, keeps nothing, logs nothing. What covernote costs
//! beyond it is covernote.
//!
//! `ceiling <answer> <listen>`: `answer` is a file with an answer of the real server.

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

/// The program's allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// What a quote request must have.
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
    /// Looks at every field, so that none is parsed away.
    fn is_whole(&self) -> bool {
        let texts = [self.date_of_birth, self.gender, self.cover_amount];
        texts.iter().all(|text| !text.is_empty()) && self.policy_term > 0
    }
}
