//! The report of a check: lines of text, JSON, or JUnit XML.

use serde_json::{Value, json};

use super::record::Record;
use super::rule::{Judged, Outcome};

/// A rule and its result in one line.
pub(super) fn line(judged: &Judged) -> String {
    let (rule, told) = (judged.rule, judged.told);
    match &judged.outcome {
        Outcome::Passed => format!("passed    {rule:<16} {told}"),
        Outcome::Failed { seen, mend } => format!("failed    {rule:<16} {told}. Seen: {seen} Fix: {mend}"),
        Outcome::NotSeen { missing } => {
            let may = if judged.is_required { "" } else { " (not required)" };
            format!("not seen  {rule:<16} {told}. Missing: {missing}{may}")
        }
    }
}

/// The whole report as JSON.
pub(super) fn to_json(record: &Record, judged: &[Judged]) -> Value {
    let rule = |judged: &Judged| {
        let (outcome, seen, mend, missing) = match &judged.outcome {
            Outcome::Passed => ("passed", None, None, None),
            Outcome::Failed { seen, mend } => ("failed", Some(seen), Some(mend), None),
            Outcome::NotSeen { missing } => ("not_seen", None, None, Some(missing)),
        };
        json!({
            "rule": judged.rule, "description": judged.told, "required": judged.is_required,
            "outcome": outcome, "seen": seen, "mend": mend, "missing": missing,
        })
    };
    json!({
        "passed": judged.iter().all(Judged::is_good), "calls": record.calls.len(),
        "messages": record.messages.len(), "rules": judged.iter().map(rule).collect::<Vec<_>>(),
    })
}

/// The report as JUnit XML.
pub(super) fn junit(judged: &[Judged]) -> String {
    let count = |of: fn(&Judged) -> bool| judged.iter().filter(|rule| of(rule)).count();
    let failures = count(|rule| !rule.is_good());
    let skipped = count(|rule| matches!(rule.outcome, Outcome::NotSeen { .. }) && rule.is_good());
    let cases: String = judged.iter().map(case).collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"covernote certify\" tests=\"{}\" failures=\"{failures}\" skipped=\"{skipped}\">\n{cases}</testsuite>\n",
        judged.len()
    )
}

fn case(judged: &Judged) -> String {
    let (rule, told) = (judged.rule, escaped(judged.told));
    let head = format!("  <testcase classname=\"{rule}\" name=\"{told}\"");
    match &judged.outcome {
        Outcome::Passed => format!("{head}/>\n"),
        Outcome::Failed { seen, mend } => {
            let told = escaped(&format!("{seen} {mend}"));
            format!("{head}><failure message=\"{told}\"/></testcase>\n")
        }
        Outcome::NotSeen { missing } => {
            let element = if judged.is_required { "failure" } else { "skipped" };
            format!("{head}><{element} message=\"Not seen: {}\"/></testcase>\n", escaped(missing))
        }
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_junit_report_escapes_text_that_the_partner_sent() {
        let outcome = Outcome::Failed { seen: "<b> & \"c\"".into(), mend: "Mend it." };
        let judged = Judged { rule: "patience", told: "Waits", is_required: true, outcome };
        let file = junit(&[judged]);
        assert!(file.contains("failures=\"1\""), "{file}");
        assert!(file.contains("&lt;b&gt; &amp; &quot;c&quot; Mend it."), "{file}");
    }
}
