//! Spreads the tables of a store over the nodes of a Citus cluster (D106).
//!
//! Each partner's rows are on one node. Small tables that all nodes need
//! are copied to each node.

use std::collections::BTreeSet;
use std::time::Duration;

use ports::storage::Result;

use super::column::get;
use super::connections::Connections;
use super::transaction::Transaction;
use super::{Database, Postgres, connect, migration};
use crate::OpenError;

/// Tables that are copied to each node, because they are small, read often, and changed mostly by the
/// operator. They are copied before other tables are spread. A table comes before the tables that refer to
/// it.
const COPIED: [&str; 10] = [
    "partners",
    "secrets",
    "keys",
    "statement_months",
    "facts",
    "revision",
    "catalogues",
    "migrations",
    "deposits",
    "holds",
];

/// Table that decides on which node a partner's rows are. All other spread tables put a partner's rows on the
/// same node.
const FIRST: &str = "sessions";

/// Statement that drops the foreign key between a spread and a copied table.
const REFER_NO_MORE: &str = include_str!("../../sql/spread/refer_no_more.postgres.sql");
const REFER_AGAIN: &str = include_str!("../../sql/spread/refer_again.postgres.sql");

/// Longest time to copy the rows of one table to their nodes.
const COPYING: Duration = Duration::from_hours(24);

/// Result of [`Postgres::spread`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spread {
    /// Number of nodes that store rows.
    pub nodes: usize,
    /// Tables that this call spread. All other tables were spread before.
    pub tables: Vec<String>,
}

pub(crate) async fn is_spread(connections: &Connections) -> Result<bool> {
    let has = include_str!("../../sql/spread/has_catalogue.postgres.sql");
    if !flag(connections, has).await? {
        return Ok(false);
    }
    flag(connections, include_str!("../../sql/spread/is_spread.postgres.sql")).await
}

async fn flag(connections: &Connections, statement: &str) -> Result<bool> {
    let found = connections.read_one(statement, &[]).await?;
    found.map_or(Ok(false), |row| get(&row, 0))
}

/// Names that a statement returns.
async fn names(connections: &Connections, statement: &str) -> Result<BTreeSet<String>> {
    connections.read(statement, &[]).await?.iter().map(|row| get(row, 0)).collect()
}

impl Postgres {
    /// Spreads the tables of a store by partner over the nodes of Citus, all of them or none. The store may
    /// have records, but no process may use it meanwhile. Tables that are already spread stay as they are.
    /// `shards`: number of pieces into which each table is divided. The nodes share the pieces.
    ///
    /// # Errors
    /// [`OpenError::Unfit`] if the database has no Citus, no node that stores rows, or no store;
    /// [`OpenError::Store`] if the server refuses or is away.
    pub async fn spread(database: &Database, shards: u16) -> Result<Spread, OpenError> {
        let connections = connect(database)?;
        let unfit = |why: &str| Err(OpenError::Unfit(why.into()));
        if !flag(&connections, include_str!("../../sql/spread/has_catalogue.postgres.sql")).await? {
            return unfit(
                "there is no Citus in this database: run create extension citus on every node, and add its workers",
            );
        }
        let is_there = include_str!("../../sql/migrations/is_there.postgres.sql");
        if !flag(&connections, is_there).await? {
            return unfit("there is no store in the database: create one with 'serve' or 'partner create'");
        }
        let nodes = names(&connections, include_str!("../../sql/spread/nodes.postgres.sql")).await?;
        if nodes.is_empty() {
            return unfit(
                "no node of the Citus cluster stores rows: add a node with select citus_add_node('worker.example.org', 5432)",
            );
        }
        let done = names(&connections, include_str!("../../sql/spread/tables.postgres.sql")).await?;
        let of_partners =
            names(&connections, include_str!("../../sql/spread/of_partners.postgres.sql")).await?;
        let Plan { tables, statements } = Plan::of(&done, &of_partners, shards);
        if !tables.is_empty() {
            execute(&connections, &statements).await?;
        }
        Ok(Spread { nodes: nodes.len(), tables })
    }
}

/// Tables that are not spread or copied yet, and the statements that do this.
struct Plan {
    tables: Vec<String>,
    /// Statements in the order in which they must be executed.
    statements: Vec<String>,
}

impl Plan {
    /// Plan for a store in which the tables `done` are already spread or copied. `of_partners`: tables with a
    /// partner's column. Other tables stay on the coordinator.
    fn of(done: &BTreeSet<String>, of_partners: &BTreeSet<String>, shards: u16) -> Plan {
        // A foreign key between a spread and a copied table can be created only after both are in place.
        let mut plan = Plan { tables: Vec::new(), statements: vec![REFER_NO_MORE.to_owned()] };
        let mut add = |table: &str, statement: String| {
            if !done.contains(table) {
                plan.tables.push(table.to_owned());
                plan.statements.push(statement);
            }
        };
        for table in COPIED {
            add(table, format!("select create_reference_table('{table}')"));
        }
        let spread = "select create_distributed_table";
        add(
            FIRST,
            format!("{spread}('{FIRST}', 'partner_id', colocate_with => 'none', shard_count => {shards})"),
        );
        for table in of_partners.iter().filter(|table| *table != FIRST && !COPIED.contains(&table.as_str())) {
            add(table, format!("{spread}('{table}', 'partner_id', colocate_with => '{FIRST}')"));
        }
        plan.statements.push(REFER_AGAIN.to_owned());
        plan
    }
}

/// Executes statements in one transaction that spread or copy tables to the nodes.
async fn execute(connections: &Connections, statements: &[String]) -> Result<()> {
    let act = Transaction::begin_patient(connections, COPYING).await?;
    act.execute(migration::HOLD_GATE, &[]).await?;
    // Nodes are changed one after another, because otherwise a transaction cannot have both kinds of tables.
    act.run("set local citus.multi_shard_modify_mode to 'sequential'").await?;
    act.run("set local client_min_messages to error").await?;
    // One by one, because Citus sends its nodes the whole text of a command.
    for statement in statements {
        act.run(statement).await?;
    }
    Ok(act.commit().await?)
}

#[cfg(test)]
mod tests {
    use super::{COPIED, Plan};

    #[test]
    fn a_table_added_by_a_later_release_is_distributed_with_the_other_tables() {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let done = names(&[&COPIED[..], &["sessions", "policies"]].concat());
        let plan = Plan::of(&done, &names(&["partners", "secrets", "sessions", "policies", "wishes"]), 32);
        assert_eq!(plan.tables, ["wishes"]);
        let spread = "select create_distributed_table('wishes', 'partner_id', colocate_with => 'sessions')";
        assert_eq!(plan.statements[1..plan.statements.len() - 1], [spread]);
        assert!(Plan::of(&done, &names(&["sessions", "policies"]), 32).tables.is_empty());
    }
}
