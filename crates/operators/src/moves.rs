//! The status history of a proposal, as text and as JSON.

use domain::line::ProposalState;
use domain::person::PersonalLine;
use domain::proposal::Move;
use serde_json::{Value, json};

use crate::record::minute;

/// One line for each status change, with its reason, which may be personal.
pub(crate) fn history_in_prose<S: ProposalState>(history: &[Move<S>]) -> impl Iterator<Item = String> + '_ {
    let made = |made: &Move<S>| {
        let from = made.from.map_or("(none)", S::word);
        let why = made.reason.as_ref().map_or_else(String::new, |reason| format!(": {}", reason.reveal()));
        format!("  {}  {} to {} by {}{why}", minute(made.at), from, made.to, made.by)
    };
    history.iter().map(made)
}

pub(crate) fn history_to_json<S: ProposalState>(history: &[Move<S>]) -> Value {
    let made = |made: &Move<S>| {
        json!({
            "at": made.at.to_string(), "by": made.by.word(), "from": made.from.map(S::word), "to": made.to.word(),
            "reason": made.reason.as_ref().map(PersonalLine::reveal),
        })
    };
    history.iter().map(made).collect()
}
