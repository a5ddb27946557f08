//! Verifies the store that the settings name. Other processes may write to the store meanwhile.

use std::path::Path;

use operators::Extent;
use serde_json::{Map, Value, json};
use storage::snapshot::{Snapshot, Unfit};
use storage::verify::{Fault, Progress, Scope, Verified};
use storage::{Keyring, Postgres};

use crate::failure::Result;
use crate::lock;
use crate::settings::Settings;
use crate::wiring::{Engine, engine};

/// Verifies the store that the settings name. Blocks the thread until the end.
///
/// # Errors
/// If the store cannot be read. Faults of its records are part of the result, not errors.
pub(crate) fn store(settings: &Settings, extent: Extent) -> Result<Value> {
    let keyring = Keyring::read(settings.keyring_source())?;
    let scope = match extent {
        Extent::Everything => Scope::Everything,
        Extent::Books => Scope::Books,
    };
    let unheard: Progress<'_> = &mut |_, _| {};
    let verified = match engine(settings)? {
        Engine::Sqlite => snapshot(Path::new(&settings.data))?.verify(&keyring, scope, unheard)?,
        Engine::Postgres(database) => Postgres::verify(&database, &keyring, scope, unheard)?,
    };
    Ok(to_json(&verified))
}

/// Snapshot of the store in a data folder.
///
/// # Errors
/// If the store cannot be read.
pub(crate) fn snapshot(folder: &Path) -> Result<Snapshot, Unfit> {
    Snapshot::of_folder(folder, || lock::holder(folder).is_ok())
}

/// The result of a verification as JSON.
pub(crate) fn to_json(verified: &Verified) -> Value {
    let tables: Map<String, Value> =
        verified.tables.iter().map(|(table, rows)| ((*table).to_owned(), json!(rows))).collect();
    let fault = |fault: &Fault| json!({ "record": fault.record, "rule": fault.rule, "expected": fault.expected, "found": fault.found });
    let faults: Vec<Value> = verified.faults.iter().map(fault).collect();
    json!({ "rows": tables, "faults": faults, "more_faults": verified.untold })
}
