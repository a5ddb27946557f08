//! Latency of a partner's quotes while another partner uploads papers of the largest allowed size.

use std::time::Duration;

use serde_json::json;

use super::traffic::Traffic;
use super::{Scene, beside, two_partners};
use crate::client::{Partner, text};
use crate::numbers::{Spread, print};
use crate::server::Manner;
use crate::{Bench, Fault, processor, step};

/// Size of a paper in bytes.
const PAPER: usize = 10 * 1024 * 1024;

/// Number of connections that upload papers. Each uploads one paper after the other.
const CONNECTIONS: usize = 4;

/// Highest allowed 99th percentile of quotes, as a multiple of that on an idle server.
const TIMES: f64 = 2.0;

pub(super) async fn measure(bench: &Bench) -> Result<(), Fault> {
    step("quotes beside uploads");
    // No upload is refused: only accepted uploads are measured.
    let many = "1000000".to_owned();
    let limits = [
        "COVERNOTE_PAPERS_PER_CLAIM",
        "COVERNOTE_PAPERS_PER_DAY",
        "COVERNOTE_PAPER_MIB_PER_CLAIM",
        "COVERNOTE_PAPER_MIB_PER_POLICY",
        "COVERNOTE_PAPER_MIB_PER_DAY",
    ];
    let settings = limits.map(|limit| (limit, many.clone())).to_vec();
    let manner = Manner { settings, ..Manner::default() };
    let (server, [victim, other]) = two_partners(bench, "hostile, uploads", None, &manner).await?;
    let address = server.address.parse()?;
    let quote = Scene { address, other: &other }.quote(&victim);
    let upload = upload(&server.address, &other, &claim(&other).await?);
    let length = Duration::from_secs(bench.seconds);
    let (mut alone, mut with, mut rates, mut errors) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for _ in 0..bench.rounds {
        alone.push(beside(address, &quote, None, length)?.0.millis(0.99));
        let traffic = Traffic::Greedy { connections: CONNECTIONS, requests: vec![upload.clone()] };
        let (seen, per_second) = beside(address, &quote, Some(traffic), length)?;
        with.push(seen.millis(0.99));
        rates.push(per_second);
        errors.push(seen);
    }
    let ratios = Spread::of(with.iter().zip(&alone).map(|(with, alone)| with / alone));
    let errors = super::errors(&errors);
    let is_within = ratios.median <= TIMES && errors == "none";
    let line = vec![
        format!("{CONNECTIONS} connections, {:.1} papers/s", Spread::of(rates).median),
        format!("{:.1}", Spread::of(alone).median),
        format!("{:.1}", Spread::of(with).median),
        ratios.as_ratio(),
        errors,
        if is_within { "yes" } else { "NO" }.to_owned(),
    ];
    let title = format!(
        "A partner's {} quotes per second while another partner uploads papers of 10 MiB; SQLite, {} rounds of {} s; {}",
        super::victim::RATE,
        bench.rounds,
        bench.seconds,
        processor(),
    );
    let head =
        ["uploads", "alone p99 ms", "beside p99 ms", "relative to alone", "errors", "within the limit"];
    print(&title, &head, &[line]);
    server.stop().map(|_| ())
}

/// Makes a claim on a policy of a partner. Returns its id.
async fn claim(partner: &Partner) -> Result<String, Fault> {
    partner.completed_proposal().await?;
    let policies = partner.get("/v1/policies").await?;
    let policy = &policies["policies"][0];
    let notice = json!({
        "policy_id": policy["policy_id"], "kind": "DEATH", "event_on": policy["cover_starts"],
        "cause": "Road accident", "place": "Bengaluru", "claimed_amount": "500000",
        "claimant": { "name": "Ravi Rao", "relation": "SPOUSE", "mobile": "+91 98765-43211", "email": "ravi@example.com" },
        "account": { "holder": "Ravi Rao", "number": "50100012345678", "ifsc": "hdfc0000001" },
    });
    text(&partner.post("/v1/claims", notice.to_string()).await?["payload"]["claim_id"])
}

/// Bytes of the request that uploads a paper.
fn upload(address: &str, partner: &Partner, claim: &str) -> Vec<u8> {
    let mut paper = b"%PDF-1.7\n".to_vec();
    // Pseudo-random bytes, which cannot be compressed.
    let mut state = 1_u64;
    while paper.len() < PAPER {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        paper.extend_from_slice(&state.to_le_bytes());
    }
    paper.truncate(PAPER);
    let head = format!(
        "POST /v1/claims/{claim}/documents HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {}\r\nContent-Type: application/pdf\r\nContent-Length: {PAPER}\r\n\r\n",
        partner.token
    );
    [head.as_bytes(), &paper].concat()
}
