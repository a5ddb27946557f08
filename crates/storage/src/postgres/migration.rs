//! Migrations: numbered like SQLite's, and applied in order at start, all missing ones in one transaction.
//!
//! Never edit a released migration. Migrations only widen the schema, so that a program of the previous
//! version still works beside this one. The gate is a row of a table. The process that locks this row
//! migrates. Other processes wait for the lock, and then find nothing to do.

use domain::date::Timestamp;
use ports::storage::{Result, StorageError};

use super::column::get;
use super::connections::Connections;
use super::fault::Fault;
use super::transaction::Transaction;
use crate::fields::{Value, values};
use crate::migrations::{self, Migration};

/// Most tries to create the first table. If two processes create it at once, one of them fails and must try
/// again.
const TRIES: u32 = 5;

/// Statement that locks the gate until the transaction ends. The gate is a row that lets only one process
/// migrate at a time.
pub(crate) const HOLD_GATE: &str = include_str!("../../sql/migrations/hold_gate.postgres.sql");

/// Creates the gate, unless it exists. The gate is a row that lets only one process migrate at a time.
pub(crate) async fn make_gate(connections: &Connections) -> Result<(), Fault> {
    let statements = [
        include_str!("../../sql/migrations/make_table.postgres.sql"),
        include_str!("../../sql/migrations/make_gate.postgres.sql"),
    ];
    let mut tries = 1;
    for statement in statements {
        loop {
            match connections.write::<Value<'_>>(statement, &[]).await {
                // PostgreSQL's own tables have unique indexes too: another process created the same table at
                // this moment.
                Err(fault) if fault.is_of_statement() && tries < TRIES => tries += 1,
                outcome => break outcome.map(|_| ())?,
            }
        }
    }
    Ok(())
}

/// Locks the gate, so that no other process migrates, then migrates the schema to this program's version. The
/// gate stays locked until `act` ends.
///
/// # Errors
/// [`StorageError::Damaged`] if the schema is newer than this program. Nothing is changed then.
pub(crate) async fn apply(act: &Transaction, at: Timestamp) -> Result<()> {
    apply_all(act, &migrations::on_postgres(), at).await
}

/// Newest version of the schema that this program knows.
pub(crate) fn known() -> i32 {
    migrations::newest(&migrations::on_postgres())
}

/// Version of a store's schema.
///
/// # Errors
/// [`StorageError::Damaged`] if the version is above `known`.
pub(crate) async fn newest(act: &Transaction, known: i32) -> Result<i32> {
    let newest = act.execute(include_str!("../../sql/migrations/newest.sql"), &[]).await?.rows;
    let newest = newest.first().map_or(Ok(0), |row| get::<i32>(row, 0))?;
    if newest > known {
        let message = format!(
            "the store's schema has version {newest}, but this program supports at most {known}: use a newer covernote"
        );
        return Err(StorageError::Damaged(message));
    }
    Ok(newest)
}

async fn apply_all(act: &Transaction, migrations: &[Migration], at: Timestamp) -> Result<()> {
    act.execute(HOLD_GATE, &[]).await?;
    let newest = newest(act, migrations::newest(migrations)).await?;
    for Migration { number, name, statements } in migrations.iter().filter(|next| next.number > newest) {
        // One by one, because Citus sends its nodes the whole text of a command.
        for statement in statements.split_inclusive(";\n") {
            act.run(statement).await?;
        }
        let note = include_str!("../../sql/migrations/note.sql");
        act.execute(note, values![*number, *name, at.as_microsecond()]).await?;
    }
    Ok(())
}

#[cfg(test)]
#[path = "../../tests/support/cluster.rs"]
#[allow(unreachable_pub, clippy::unwrap_used, reason = "shared with the test binaries")]
mod cluster;

#[cfg(test)]
mod tests {
    use super::super::{Database, connect};
    use super::cluster::cluster;
    use super::*;
    use crate::migrations::{on_postgres, with_next_release};

    const NEXT: &str =
        "alter table proposals add column channel text; create table channels (partner_id uuid primary key);";

    const PROPOSAL: &str = "insert into proposals \
        (partner_id, proposal_id, quote_id, variant_id, created_at, changed_at, line, status, body) \
        values (gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 3, 3, 1, 0, '\\x04')";

    fn next_release(statements: &'static str) -> Vec<Migration> {
        with_next_release(on_postgres(), statements)
    }

    /// New database, and a pool of connections to it.
    async fn new_database() -> (String, Connections) {
        let name = cluster().database();
        let address = cluster().address(&name);
        let database =
            Database { address, connections: 2, pooler: false, reads_standbys: false, unsafe_is_fine: true };
        let connections = connect(&database).expect("an address");
        make_gate(&connections).await.expect("the gate");
        (name, connections)
    }

    async fn brought_up(connections: &Connections, migrations: &[Migration]) -> Result<()> {
        let act = Transaction::begin(connections).await.expect("begun");
        apply_all(&act, migrations, Timestamp::UNIX_EPOCH).await?;
        act.commit().await.map_err(StorageError::from)
    }

    #[tokio::test]
    async fn a_store_of_the_previous_version_is_migrated_with_its_records() {
        let (name, connections) = new_database().await;
        brought_up(&connections, &on_postgres()).await.expect("this release's schema");
        let asked = |statement: &str| cluster().say(&name, statement);
        asked(PROPOSAL);
        let known = migrations::newest(&on_postgres());
        // Applying it again changes nothing.
        for _ in 0..2 {
            brought_up(&connections, &next_release(NEXT)).await.expect("the next release's schema");
            assert_eq!(asked("select count(*) from proposals where channel is null"), "1");
            assert_eq!(asked("select max(number) from migrations"), (known + 1).to_string());
        }
    }

    #[tokio::test]
    async fn a_failed_migration_leaves_the_schema_unchanged() {
        let (name, connections) = new_database().await;
        brought_up(&connections, &on_postgres()).await.expect("this release's schema");
        let broken = next_release("alter table proposals add column channel text; this is no statement;");
        brought_up(&connections, &broken).await.expect_err("a statement that fails");
        let columns = "select count(*) from information_schema.columns where column_name = 'channel'";
        assert_eq!(cluster().say(&name, columns), "0", "the column is not half there");
    }

    #[tokio::test]
    async fn a_schema_of_the_next_release_is_refused_at_the_start() {
        let (_, connections) = new_database().await;
        brought_up(&connections, &next_release(NEXT)).await.expect("the next release's schema");
        let refused = brought_up(&connections, &on_postgres()).await.expect_err("an older program");
        assert!(refused.to_string().contains("use a newer covernote"), "{refused}");
    }
}
