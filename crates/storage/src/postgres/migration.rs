//! Migrations: numbered as SQLite's are, applied in order at start, all that are missing in one transaction.
//!
//! They are never edited once released and only ever widen, so that a program of the version before still works beside
//! this one. Who holds the gate's row migrates; others wait for it, and then find nothing to do.

use domain::date::Timestamp;
use service::storage::StorageError;

use super::column::{get, values};
use super::connections::{Connections, Fault};
use super::transaction::Transaction;

/// Every migration in order: number and name as in the file's, and its statements.
const MIGRATIONS: &[(i32, &str, &str)] =
    &[(1, "store", include_str!("../../migrations/postgres/0001_store.sql"))];

/// How often making the first table is tried: two who make it at once disturb each other.
const TRIES: u32 = 5;

/// Makes the gate, where it is not there yet.
pub(super) async fn make_gate(connections: &Connections) -> Result<(), Fault> {
    let statements = [
        include_str!("../../sql/migrations/make_table.postgres.sql"),
        include_str!("../../sql/migrations/make_gate.postgres.sql"),
    ];
    let mut tries = 1;
    for statement in statements {
        loop {
            match connections.write(statement, values![]).await {
                // The catalogue of tables has unique indexes as well: somebody made the same table at this moment.
                Err(fault) if fault.is_its_own() && tries < TRIES => tries += 1,
                outcome => break outcome.map(|_| ())?,
            }
        }
    }
    Ok(())
}

/// Waits for the gate, then brings the schema up to this program's, in the act that holds the gate.
///
/// # Errors
/// [`StorageError::Damaged`] when the schema is newer than this program: nothing is done then.
pub(super) async fn apply(act: &Transaction, at: Timestamp) -> Result<(), StorageError> {
    act.execute(include_str!("../../sql/migrations/hold_gate.postgres.sql"), values![]).await?;
    let newest = act.execute(include_str!("../../sql/migrations/newest.sql"), values![]).await?.rows;
    let newest = newest.first().map_or(Ok(0), |row| get::<i32>(row, 0))?;
    let known = MIGRATIONS.last().map_or(0, |(number, ..)| *number);
    if newest > known {
        let message =
            format!("its schema has version {newest}, this program knows {known}: use a newer covernote");
        return Err(StorageError::Damaged(message));
    }
    for (number, name, statements) in MIGRATIONS.iter().filter(|(number, ..)| *number > newest) {
        act.run(statements).await?;
        let note = include_str!("../../sql/migrations/note.sql");
        act.execute(note, values![*number, *name, at.as_microsecond()]).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn migrations_have_the_numbers_and_names_of_sqlites() {
        let files = |engine: &str| {
            let folder = format!("{}/migrations/{engine}", env!("CARGO_MANIFEST_DIR"));
            let mut files: Vec<String> = std::fs::read_dir(folder)
                .expect("a folder")
                .map(|file| file.expect("one").file_name().into_string().expect("text"))
                .collect();
            files.sort();
            files
        };
        let named: Vec<String> =
            MIGRATIONS.iter().map(|(number, name, _)| format!("{number:04}_{name}.sql")).collect();
        assert_eq!(files("postgres"), named);
        assert_eq!(files("sqlite"), named);
    }
}
