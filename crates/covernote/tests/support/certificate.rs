//! Certificates of completed proposals with their text.

use domain::policy::Policy;
use std::io::Write;
use std::process::{Command, Stdio};

use domain::credit_life::CreditCover;
use serde_json::{Value, json};

use super::answer::Answer;
use super::app::App;

/// Submits and completes a proposal. Returns its id.
pub async fn has_completed(app: &App, body: Value) -> String {
    let created = app.post("/v1/embedded/proposal", body).await;
    assert_eq!(created.status, 201, "{}", created.text);
    let id = created.json()["payload"]["proposal_id"].as_str().expect("an id").to_owned();
    let answer = app.patch(&format!("/v1/embedded/proposal/{id}"), json!({ "status": "COMPLETED" })).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    id
}

/// The stored policy of a proposal.
pub async fn policy_of(app: &App, id: &str) -> Policy {
    let (proposal, _) = app.found_proposal(id).await;
    app.service.proposals.policy_of(proposal.partner, proposal.id).await.expect("read").expect("issued")
}

/// The credit-life cover of a proposal's policy.
pub async fn cover_of(app: &App, id: &str) -> CreditCover {
    policy_of(app, id).await.cover.credit_life().expect("credit life").clone()
}

/// Downloads the certificate of a completed proposal.
pub async fn certificate_of(app: &App, id: &str) -> Answer {
    let answer = app.get_without_bearer(&app.download_path(id).await).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    answer
}

/// The text of a PDF in the layout of the page, with single spaces.
pub fn text_of(pdf: &[u8]) -> String {
    read_with_pdftotext(pdf, "-layout")
}

/// The text of a PDF in drawing order, with single spaces also for line breaks.
pub fn drawn_text_of(pdf: &[u8]) -> String {
    read_with_pdftotext(pdf, "-raw").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The path in a certificate's QR code and in the line under it, read from the PDF.
pub async fn check_path_of(app: &App, id: &str) -> String {
    let text = drawn_text_of(&certificate_of(app, id).await.bytes);
    let address = format!("{}/certificate/", app.base);
    // The line below the code is broken at the end of the column.
    let joined: String = text.split_whitespace().collect();
    let begins = joined.find(&address).unwrap_or_else(|| panic!("no {address} in\n{text}")) + address.len();
    let code = joined.get(begins..begins + 22).expect("128 bits in base64");
    assert!(code.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_'), "{code}");
    format!("/certificate/{code}")
}

fn read_with_pdftotext(pdf: &[u8], option: &str) -> String {
    let reader = Command::new("pdftotext")
        .args([option, "-enc", "UTF-8", "-", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let mut reader = reader.unwrap_or_else(|fault| {
        panic!("this test reads certificates with pdftotext, which did not start ({fault}): install poppler-utils")
    });
    let mut stdin = reader.stdin.take().expect("a pipe to pdftotext");
    stdin.write_all(pdf).expect("pdftotext reads to the end");
    drop(stdin);
    let output = reader.wait_with_output().expect("pdftotext ends");
    assert!(output.status.success(), "pdftotext could not read the certificate");
    let text = String::from_utf8(output.stdout).expect("UTF-8: asked for by -enc");
    text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ") + "\n").collect()
}
