//! Tables that are spread over the nodes of Citus: each partner's rows lie on one of them, and what belongs to nobody is copied to
//! all (D106).

use std::collections::BTreeSet;
use std::time::Duration;

use ports::storage::Result;

use super::column::get;
use super::connections::Connections;
use super::transaction::Transaction;
use super::{Database, Postgres, connect, migration};
use crate::OpenError;

/// Tables of which each node has a copy: small, read often, changed by the operator. They come first, and those that others refer to
/// before these.
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

/// A table whose rows the others' lie beside.
const FIRST: &str = "sessions";

/// A reference between a spread and a copied table.
const REFER_NO_MORE: &str = include_str!("../../sql/spread/refer_no_more.postgres.sql");
const REFER_AGAIN: &str = include_str!("../../sql/spread/refer_again.postgres.sql");

/// Longest that the rows of one table may take to be copied to their nodes.
const COPYING: Duration = Duration::from_hours(24);

/// What spreading came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spread {
    /// Nodes that take rows.
    pub nodes: usize,
    /// Tables that were spread now; the others were before.
    pub tables: Vec<String>,
}

/// Whether the tables of a store are spread.
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

/// Names that a statement gives.
async fn names(connections: &Connections, statement: &str) -> Result<BTreeSet<String>> {
    connections.read(statement, &[]).await?.iter().map(|row| get(row, 0)).collect()
}

impl Postgres {
    /// Spreads the tables of a store by partner over the nodes of Citus, all of them or none, in a database that may have records.
    /// No process may use it meanwhile; a table that was spread before stays as it is. `shards` are the pieces of each table,
    /// which nodes share.
    ///
    /// # Errors
    /// [`OpenError::Unfit`] for a database without Citus, without a node that takes rows, or without a store in it;
    /// [`OpenError::Store`] when the server refuses or is away.
    pub async fn spread(database: &Database, shards: u16) -> Result<Spread, OpenError> {
        let connections = connect(database)?;
        let unfit = |why: &str| Err(OpenError::Unfit(why.into()));
        if !flag(&connections, include_str!("../../sql/spread/has_catalogue.postgres.sql")).await? {
            return unfit(
                "there is no Citus in this database: create extension citus, on every node, and add its workers",
            );
        }
        let is_there = include_str!("../../sql/migrations/is_there.postgres.sql");
        if !flag(&connections, is_there).await? {
            return unfit("there is no store in the database: create one with 'serve' or 'partner create'");
        }
        let nodes = names(&connections, include_str!("../../sql/spread/nodes.postgres.sql")).await?;
        if nodes.is_empty() {
            return unfit(
                "no node takes rows: add one with select citus_add_node('worker.example.org', 5432)",
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

/// What is still to be done.
struct Plan {
    tables: Vec<String>,
    /// In their order.
    statements: Vec<String>,
}

impl Plan {
    /// Of a store in which some tables are spread or copied already. Others than these lie on the coordinator alone.
    fn of(done: &BTreeSet<String>, of_partners: &BTreeSet<String>, shards: u16) -> Plan {
        // A reference between a spread and a copied table is made once both are what they will be.
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

/// Executes statements that change the schema on every node, in one transaction.
async fn execute(connections: &Connections, statements: &[String]) -> Result<()> {
    let act = Transaction::begin_patient(connections, COPYING).await?;
    act.execute(migration::HOLD_GATE, &[]).await?;
    // Nodes are told one after another: else a transaction cannot have both kinds of tables.
    act.run("set local citus.multi_shard_modify_mode to 'sequential'").await?;
    act.run("set local client_min_messages to error").await?;
    // One by one: Citus tells nodes the whole text that a command came in.
    for statement in statements {
        act.run(statement).await?;
    }
    Ok(act.commit().await?)
}

#[cfg(test)]
mod tests {
    use super::{COPIED, Plan};

    #[test]
    fn a_table_that_a_later_release_brings_is_spread_beside_the_others() {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let done = names(&[&COPIED[..], &["sessions", "policies"]].concat());
        let plan = Plan::of(&done, &names(&["partners", "secrets", "sessions", "policies", "wishes"]), 32);
        assert_eq!(plan.tables, ["wishes"]);
        let spread = "select create_distributed_table('wishes', 'partner_id', colocate_with => 'sessions')";
        assert_eq!(plan.statements[1..plan.statements.len() - 1], [spread]);
        assert!(Plan::of(&done, &names(&["sessions", "policies"]), 32).tables.is_empty());
    }
}
