//! The steps of a price calculation, as text and as JSON.

use rating::Step;
use serde_json::{Value, json};

/// The steps of a price, one on each line.
pub fn steps_in_prose(steps: &[Step]) -> String {
    let line = |(number, step): (usize, &Step)| {
        let location = step.location.as_ref().map_or_else(String::new, |location| format!("  [{location}]"));
        let factor = if step.factor.is_empty() { String::new() } else { format!(" ({})", step.factor) };
        format!("  {}. {}{factor}: {}{location}\n", number + 1, step.kind, running(step))
    };
    steps.iter().enumerate().map(line).collect()
}

/// Amount after a step of the calculation: exact, with at least two decimals.
fn running(step: &Step) -> String {
    let amount = step.amount.normalize();
    if amount.scale() <= 2 { format!("{amount:.2}") } else { amount.to_string() }
}

pub fn steps_to_json(steps: &[Step]) -> Value {
    let step = |step: &Step| {
        json!({
            "what": step.kind.to_string(), "factor": step.factor, "amount": step.amount.to_string(),
            "place": step.location.as_ref().map(ToString::to_string),
        })
    };
    steps.iter().map(step).collect()
}
