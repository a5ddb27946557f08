//! `covernote verify`: verifies every record of the store, and the relations between records. `backup` and
//! `restore` use this file to verify copies.

use operators::fault_in_words;
use serde_json::{Map, Value};
use storage::Keyring;
use storage::snapshot::{Copied, Unfit};
use storage::verify::{Progress, Scope, Verified};

use super::operate;
use crate::cli::Verify;
use crate::failure::{Failure, Result};
use crate::{output, progress};

pub(super) fn run(Verify { printing, flags }: Verify) -> Result<()> {
    let told = operate::asked("store.verify", Map::new(), &flags, &printing)?;
    let faults = told["faults"].as_array().map_or(&[][..], Vec::as_slice);
    for fault in faults {
        output::message(&fault_in_words(fault));
    }
    if printing.json {
        output::json(&told);
    }
    if let Some(found) = number(faults.len(), told["more_faults"].as_u64().unwrap_or_default()) {
        return Err(Failure::BadData(format!("the store has {found}; docs/operating.md says what to do")));
    }
    let rows = told["rows"].as_object().into_iter().flat_map(|rows| rows.values());
    report(rows.filter_map(Value::as_u64).sum());
    Ok(())
}

/// Verifies every record in a copy of a store.
pub(super) fn copy(copy: &Copied, keyring: &Keyring) -> Result<Verified, Unfit> {
    shown(|progress| copy.snapshot()?.verify(keyring, Scope::Everything, progress))
}

/// Shows the progress of a verification.
fn shown<T>(verify: impl FnOnce(Progress<'_>) -> T) -> T {
    let line = progress::line();
    let verified = verify(&mut |table, rows| {
        line.set_message(if rows == 0 { table.to_owned() } else { format!("{table}: {rows}") });
    });
    line.finish_and_clear();
    verified
}

/// Prints the faults. Returns their number in words, or `None` if there is no fault.
pub(super) fn faults(verified: &Verified) -> Option<String> {
    for fault in &verified.faults {
        output::message(&fault.to_string());
    }
    number(verified.faults.len(), verified.untold)
}

/// The number of faults in words. `None` if there is no fault.
fn number(told: usize, untold: u64) -> Option<String> {
    let number = told as u64 + untold;
    let noun = if number == 1 { "fault" } else { "faults" };
    match untold {
        0 => (number > 0).then(|| format!("{number} {noun}")),
        untold => Some(format!("{number} {noun}, {untold} of them not listed")),
    }
}

/// Prints the result of a verification without faults.
pub(super) fn report(rows: u64) {
    output::message(&format!("All {rows} rows were verified: no fault."));
}
