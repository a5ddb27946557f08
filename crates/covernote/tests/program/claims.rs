//! Claims at the operator's command line, and the memory that uploads need (D81 to D83).

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;

use serde_json::json;

use crate::support::claims::{death, pdf};
use crate::support::demo::{DATA, DemoPartner, told};
use crate::support::program::{Server, run};

/// The id of a claim with today's date, on a policy that the partner completes itself.
async fn has_claim(partner: &DemoPartner) -> String {
    let policy = partner.has_policy().await;
    let mut body = death(&policy);
    let shown = partner.get(&format!("/v1/policies/{policy}")).await;
    body["event_on"] = shown["cover_starts"].clone();
    let claim = partner.post("/v1/claims", body).await;
    claim["claim_id"].as_str().unwrap_or_else(|| panic!("{claim}")).to_owned()
}

#[tokio::test]
async fn an_operator_can_handle_a_claim_from_its_notice_to_its_payment() {
    let here = tempfile::tempdir().expect("a folder");
    let here = here.path();
    let demo = Server::start(here, &["--demo"]);
    let partner = DemoPartner::with_token(&demo.base).await;
    let claim = has_claim(&partner).await;
    let paper =
        partner.upload(&format!("/v1/claims/{claim}/documents?paper=death-certificate"), pdf(100_000)).await;
    let paper = paper["document_id"].as_str().expect("an id").to_owned();

    let (_, open) = told(here, &["claim", "list"]);
    assert_eq!(
        (&open["claims"][0]["claim_id"], &open["claims"][0]["is_late"]),
        (&json!(claim), &json!(false))
    );
    let (_, shown) = told(here, &["claim", "show", &claim]);
    assert_eq!(
        (&shown["claimant"]["name"], shown["papers"][0]["received"].as_bool()),
        (&json!("R… R…"), Some(true))
    );
    for personal in ["Ravi Rao", "50100012345678"] {
        assert!(!shown.to_string().contains(personal), "{shown}");
    }
    let (_, shown) = told(here, &["claim", "show", &claim, "--personal", "--reason", "decide the proposal"]);
    assert_eq!(
        (&shown["claimant"]["name"], &shown["account_number"]),
        (&json!("Ravi Rao"), &json!("50100012345678"))
    );
    let out = here.join("death.pdf");
    let written = run(
        here,
        &[&["claim", "paper", &claim, &paper, "--reason", "hand it over", "--out", "death.pdf"], &DATA[..]]
            .concat(),
    );
    assert!(written.status.success(), "{written:?}");
    assert_eq!(std::fs::read(&out).expect("the paper"), pdf(100_000));
    let again = run(
        here,
        &[&["claim", "paper", &claim, &paper, "--reason", "hand it over", "--out", "death.pdf"], &DATA[..]]
            .concat(),
    );
    assert_eq!(again.status.code(), Some(69), "a file that is there is not written over");

    let decide = |arguments: &[&str]| told(here, &[&["claim", "decide", &claim], arguments].concat());
    assert_eq!(decide(&["--status", "APPROVED", "--amount", "1000"]).0, 1, "nobody has assessed it");
    assert_eq!(decide(&["--status", "UNDER_ASSESSMENT"]).0, 0);
    assert_eq!(decide(&["--status", "APPROVED"]).0, 1, "an approval has an amount");
    assert_eq!(decide(&["--status", "approved", "--amount", "100000"]).0, 0);
    assert_eq!(told(here, &["claim", "paid", &claim, "--reference", "UTR-1", "--amount", "1"]).0, 1);
    assert_eq!(told(here, &["claim", "paid", &claim, "--reference", "UTR-1"]).0, 1, "papers are missing");
    let waive = ["claimant-identity=Seen", "cancelled-cheque=Seen", "loan-statement = By mail"];
    let waive = waive.iter().flat_map(|paper| ["--waive", paper]);
    let pays: Vec<&str> =
        ["claim", "paid", &claim, "--reference", "UTR-1"].into_iter().chain(waive).collect();
    let (code, paid) = told(here, &pays);
    assert_eq!((code, &paid["status"], &paid["interest"]), (0, &json!("PAID"), &json!("0.00")));
    assert_eq!(told(here, &["claim", "list"]).1["claims"], json!([]));
    let (_, all) = told(here, &["claim", "list", "--all", "--partner", "demo"]);
    assert_eq!(all["claims"][0]["status"], "PAID");
}

#[tokio::test]
async fn ten_simultaneous_uploads_of_10_mib_need_less_than_60_mb_of_memory() {
    // D83: ten papers of 10 MiB at once need less than 60 MB more memory than the server had
    let here = tempfile::tempdir().expect("a folder");
    let demo = Server::start(here.path(), &["--demo"]);
    let partner = DemoPartner::with_token(&demo.base).await;
    let mut claims = Vec::new();
    for _ in 0..4 {
        claims.push(has_claim(&partner).await);
    }
    // The first upload warms up what every request needs.
    partner.upload(&format!("/v1/claims/{}/documents", claims[3]), pdf(10 * 1024 * 1024)).await;
    let before = demo.peak_memory();
    let paths: Vec<String> =
        (0..10).map(|number| format!("/v1/claims/{}/documents", claims[number % 3])).collect();
    let uploads = paths.iter().map(|path| partner.upload(path, pdf(10 * 1024 * 1024)));
    let kept = futures_util::future::join_all(uploads).await;
    assert!(kept.iter().all(|paper| paper["bytes"] == 10 * 1024 * 1024), "{kept:?}");
    let more = demo.peak_memory().saturating_sub(before);
    assert!(more < 60_000_000, "{more} bytes more");
}

/// Reads an answer with a content length. Returns its status line and its body.
fn answer(from: &mut impl BufRead) -> (String, Vec<u8>) {
    let (mut status, mut length) = (String::new(), 0);
    from.read_line(&mut status).expect("a status");
    loop {
        let mut line = String::new();
        from.read_line(&mut line).expect("a header");
        match line.to_ascii_lowercase().strip_prefix("content-length:") {
            Some(told) => length = told.trim().parse().expect("a number"),
            None if line.trim().is_empty() => break,
            None => {}
        }
    }
    let mut body = vec![0; length];
    from.read_exact(&mut body).expect("a body");
    (status, body)
}

#[tokio::test]
async fn one_connection_can_download_more_than_a_thousand_papers() {
    // A response that was read to its last byte does not count as given up.
    let here = tempfile::tempdir().expect("a folder");
    let demo = Server::start(here.path(), &["--demo"]);
    let partner = DemoPartner::with_token(&demo.base).await;
    let claim = has_claim(&partner).await;
    let paper = partner.upload(&format!("/v1/claims/{claim}/documents"), pdf(100)).await;
    let path = format!("/v1/claims/{claim}/documents/{}", paper["document_id"].as_str().expect("an id"));
    let host = demo.base.strip_prefix("http://").expect("an address");
    let request =
        format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {}\r\n\r\n", partner.token());
    let mut connection = BufReader::new(TcpStream::connect(host).expect("connected"));
    for number in 0..1100 {
        connection.get_mut().write_all(request.as_bytes()).expect("sent");
        let (status, body) = answer(&mut connection);
        assert_eq!((status.trim(), body), ("HTTP/1.1 200 OK", pdf(100)), "{number}");
    }
}
