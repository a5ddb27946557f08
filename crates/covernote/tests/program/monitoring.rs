//! What monitoring reads: metrics, the dashboard, the alerts and their runbooks.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use reqwest::Client;
use serde_json::Value;

use crate::support::address::reserved;
use crate::support::bodies;
use crate::support::program::{Server, run, stderr, stdout, token_of};

const PAGE: &str = include_str!("../../../../docs/monitoring.md");
const ALERTS: &str = include_str!("../../../../deploy/prometheus/alerts.yml");
const ALERTS_TEST: &str = include_str!("../../../../deploy/prometheus/alerts_test.yml");
const DASHBOARD: &str = include_str!("../../../../deploy/grafana/covernote.json");

/// The names of metrics in a text, each after this mark.
fn names_in(text: &str, mark: char) -> BTreeSet<String> {
    let of_metric = |word: &&str| word.starts_with("covernote_") || word.starts_with("process_");
    let words = text.split(mark).filter(of_metric).map(|rest| {
        let end =
            rest.find(|letter: char| !letter.is_ascii_lowercase() && letter != '_').unwrap_or(rest.len());
        rest[..end].to_owned()
    });
    words.collect()
}

/// The names of metrics in the sources of all crates.
fn in_sources(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() && path.file_name().is_some_and(|name| name != "tests" && name != "target") {
            in_sources(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") {
            found.extend(names_in(&fs::read_to_string(path).expect("text"), '"'));
        }
    }
}

#[test]
fn every_metric_is_documented_and_on_the_dashboard_or_in_an_alert() {
    let mut metrics = BTreeSet::new();
    in_sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join(".."), &mut metrics);
    assert!(metrics.len() > 30, "{metrics:?}");
    let documented = names_in(PAGE, '`');
    for metric in &metrics {
        assert!(documented.contains(metric), "docs/monitoring.md does not have {metric}");
        let is_used = [ALERTS, DASHBOARD].iter().any(|text| text.contains(metric.as_str()));
        assert!(is_used, "{metric} is neither on the dashboard nor in an alert");
    }
    for metric in &documented {
        assert!(metrics.contains(metric), "docs/monitoring.md has {metric}, which no crate has");
    }
    for (file, text) in [("alerts.yml", ALERTS), ("covernote.json", DASHBOARD)] {
        let words = text.split(|letter: char| !letter.is_ascii_lowercase() && letter != '_');
        for word in words.filter(|word| word.starts_with("covernote_") || word.starts_with("process_")) {
            let ends = ["_bucket", "_count", "_sum"];
            let metric = ends.iter().find_map(|end| word.strip_suffix(end)).unwrap_or(word);
            assert!(metrics.contains(metric), "{file} has {word}, which no crate has");
        }
    }
}

#[test]
fn every_alert_has_a_runbook_and_a_test() {
    let alerts: Vec<&str> = ALERTS.lines().filter_map(|line| line.trim().strip_prefix("- alert: ")).collect();
    assert!(alerts.len() > 20, "{alerts:?}");
    for alert in &alerts {
        assert!(PAGE.contains(&format!("\n### {alert}\n")), "docs/monitoring.md has no runbook for {alert}");
        assert!(ALERTS_TEST.contains(&format!("- name: {alert}\n")), "alerts_test.yml does not try {alert}");
    }
    for heading in PAGE.lines().filter_map(|line| line.strip_prefix("### Covernote")) {
        assert!(alerts.contains(&&*format!("Covernote{heading}")), "there is no alert Covernote{heading}");
    }
}

/// Sells the cheapest cover.
async fn sells(base: &str, token: &str) {
    let client = Client::new();
    let post = async |path: &str, body: &Value| {
        let answer = client.post(format!("{base}{path}")).bearer_auth(token).json(body).send().await;
        answer.expect("an answer").json::<Value>().await.expect("JSON")["payload"].clone()
    };
    let quote = post("/v1/embedded/quote", &bodies::quote()).await;
    let item = &quote["recommendations"][0]["recommendation_id"];
    let proposal =
        post("/v1/embedded/proposal", &bodies::proposal(&quote["quote_id"], item, "SUBMITTED")).await;
    let path = format!("{base}/v1/embedded/proposal/{}", proposal["proposal_id"].as_str().expect("an id"));
    let completed = client.patch(path).bearer_auth(token).json(&serde_json::json!({ "status": "COMPLETED" }));
    assert_eq!(completed.send().await.expect("an answer").status(), 200);
}

#[tokio::test]
async fn metrics_have_help_texts_and_count_sales_by_line_and_insurer_but_no_sales_of_test_partners() {
    let here = tempfile::tempdir().expect("a folder");
    let partner = |name: &str, more: &[&str]| -> Value {
        let create = [&["partner", "create", name, "--scope", "business", "--json"], more].concat();
        let made = run(here.path(), &create);
        serde_json::from_str(&stdout(&made)).unwrap_or_else(|_| panic!("{}", stderr(&made)))
    };
    let (lender, test) = (partner("A Lender", &[]), partner("Its test", &["--test"]));
    let free = reserved().to_string();
    let server = Server::start(here.path(), &["--metrics-listen", &free]);
    sells(&server.base, &token_of(&server.base, &test).await).await;
    sells(&server.base, &token_of(&server.base, &lender).await).await;
    assert_eq!(run(here.path(), &["backup", "copy.db"]).status.code(), Some(0));

    let text =
        reqwest::get(format!("http://{free}/metrics")).await.expect("an answer").text().await.expect("text");
    for named in text.lines().filter_map(|line| line.strip_prefix("# TYPE ")) {
        let name = named.split(' ').next().expect("a name");
        let help = text.lines().find_map(|line| line.strip_prefix(&format!("# HELP {name} ")));
        assert!(help.is_some_and(|help| !help.is_empty() && !help.contains(['`', '['])), "{name}: {help:?}");
    }
    let value_of = |metric: &str, labels: &[&str]| -> f64 {
        let is_it = |line: &&str| line.starts_with(metric) && labels.iter().all(|label| line.contains(label));
        let values = text.lines().filter(is_it).map(|line| line.rsplit(' ').next().expect("a value"));
        values.map(|value| value.parse::<f64>().expect("a number")).sum()
    };
    let line = r#"line="credit-life""#;
    assert_eq!(value_of("covernote_quotes_total", &[line]), 1.0, "{text}");
    for kind in ["proposal.submitted", "proposal.completed", "policy.issued"] {
        let of_kind = format!(r#"type="{kind}""#);
        let labels = [&*of_kind, line, r#"insurer="ins_"#];
        assert_eq!(value_of("covernote_events_total", &labels), 1.0, "{kind}: {text}");
        let premium = value_of("covernote_events_rupees_total", &labels);
        assert!(premium > 100.0 && premium < 100_000.0, "{kind}: {premium}");
    }
    let variants = value_of("covernote_quoted_variants_total", &[line]);
    assert!(
        variants > 5.0 && value_of("covernote_quoted_variants_total", &[r#"outcome="priced""#]) > 3.0,
        "{text}"
    );
    for (metric, least) in [
        ("covernote_store_ready", 1.0),
        ("covernote_backup_time_seconds", 1.7e9),
        ("covernote_database_bytes", 4096.0),
        ("process_resident_memory_bytes", 1e7),
        ("process_start_time_seconds", 1.7e9),
        ("covernote_runtime_tasks", 1.0),
    ] {
        let value = value_of(&format!("{metric} "), &[]);
        assert!(value >= least, "{metric} is {value}");
    }
}
