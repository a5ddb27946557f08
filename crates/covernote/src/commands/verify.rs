//! `covernote verify`: every record of a running store, and what must hold between records. `backup`, `restore` and `doctor` share it.

use std::path::Path;

use serde_json::{Map, Value, json};
use storage::snapshot::{Copied, Snapshot, Unfit};
use storage::verify::{Progress, Scope, Verified};
use storage::{Keyring, Postgres};

use super::store_copy::unfit_store;
use super::{block_on, settings};
use crate::cli::Verify;
use crate::failure::{Failure, Result};
use crate::settings::Settings;
use crate::wiring::{Engine, engine, needs_store};
use crate::{output, progress};

pub(super) fn run(verify: Verify) -> Result<()> {
    let settings = settings(&verify.flags)?;
    block_on(needs_store(&settings))?;
    let verified = store(&settings, Scope::Everything)?;
    let found = faults(&verified);
    if verify.json {
        output::json(&to_json(&verified));
    }
    if let Some(found) = found {
        return Err(Failure::BadData(format!("the store has {found}; docs/operating.md says what to do")));
    }
    report(&verified);
    Ok(())
}

/// Verifies the store that the settings name.
pub(super) fn store(settings: &Settings, scope: Scope) -> Result<Verified> {
    let keyring = Keyring::read(settings.keyring_source())?;
    let engine = engine(settings)?;
    shown(|progress| match engine {
        Engine::Sqlite => Snapshot::of_folder(Path::new(&settings.data))
            .and_then(|store| store.verify(&keyring, scope, progress))
            .map_err(unfit_store),
        Engine::Postgres(database) => Ok(Postgres::verify(&database, &keyring, scope, progress)?),
    })
}

/// Verifies everything in a copy.
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
    number(verified)
}

/// The number of faults in words. `None` if there is no fault.
pub(super) fn number(verified: &Verified) -> Option<String> {
    let number = verified.all_faults();
    let noun = if number == 1 { "fault" } else { "faults" };
    match verified.untold {
        0 => (number > 0).then(|| format!("{number} {noun}")),
        untold => Some(format!("{number} {noun}, {untold} of them not listed")),
    }
}

/// Prints the result of a verification without faults.
pub(super) fn report(verified: &Verified) {
    output::message(&format!("All {} rows were verified: no fault.", verified.rows()));
}

/// The result of a verification as data.
pub(super) fn to_json(verified: &Verified) -> Value {
    let tables: Map<String, Value> =
        verified.tables.iter().map(|(table, rows)| ((*table).to_owned(), json!(rows))).collect();
    let fault = |fault: &storage::verify::Fault| json!({ "record": fault.record, "rule": fault.rule, "expected": fault.expected, "found": fault.found });
    let faults: Vec<Value> = verified.faults.iter().map(fault).collect();
    json!({ "rows": tables, "faults": faults, "more_faults": verified.untold })
}
