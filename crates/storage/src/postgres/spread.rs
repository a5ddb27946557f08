//! Tables that are spread over the nodes of Citus: each partner's rows lie on one of them, and what belongs to nobody is copied to
//! all (D106).

use std::collections::BTreeSet;

use service::storage::StorageError;

use super::column::{get, values};
use super::connections::Connections;
use super::transaction::Transaction;
use super::{Database, MIGRATING, Postgres, connect, migration};
use crate::OpenError;

/// Tables of which each node has a copy: small, read often, changed by the operator. They come first, and those that others refer to
/// before these.
const COPIED: [&str; 9] = [
    "partners",
    "secrets",
    "keys",
    "statement_months",
    "facts",
    "revision",
    "catalogues",
    "migrations",
    "deposits",
];

/// A table whose rows the others' lie beside.
const FIRST: &str = "sessions";

/// What spreading came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spread {
    /// Nodes that take rows.
    pub nodes: usize,
    /// Tables that were spread now; the others were before.
    pub tables: Vec<String>,
}

/// Whether the tables of a store are spread.
pub(super) async fn is_spread(connections: &Connections) -> Result<bool, StorageError> {
    let has = include_str!("../../sql/spread/has_catalogue.postgres.sql");
    if !flag(connections, has).await? {
        return Ok(false);
    }
    flag(connections, include_str!("../../sql/spread/is_spread.postgres.sql")).await
}

async fn flag(connections: &Connections, statement: &str) -> Result<bool, StorageError> {
    let found = connections.read_one(statement, values![]).await?;
    found.map_or(Ok(false), |row| get(&row, 0))
}

/// Names that a statement gives.
async fn names(connections: &Connections, statement: &str) -> Result<BTreeSet<String>, StorageError> {
    connections.read(statement, values![]).await?.iter().map(|row| get(row, 0)).collect()
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
        let connections = connect(database, database.connections)?;
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
        let copied = COPIED.into_iter().filter(|table| !done.contains(*table));
        let spread = of_partners
            .iter()
            .map(String::as_str)
            .filter(|table| !COPIED.contains(table) && !done.contains(*table));
        // The others lie beside the first one.
        let (first, others): (Vec<&str>, Vec<&str>) = spread.partition(|table| *table == FIRST);
        let copies: Vec<String> =
            copied.clone().map(|table| format!("select create_reference_table('{table}')")).collect();
        let firsts = first.iter().map(|table| {
            format!("select create_distributed_table('{table}', 'partner_id', colocate_with => 'none', shard_count => {shards})")
        });
        let rest = others.iter().map(|table| {
            format!("select create_distributed_table('{table}', 'partner_id', colocate_with => '{FIRST}')")
        });
        let tables: Vec<String> =
            copied.chain(first.iter().copied()).chain(others.iter().copied()).map(str::to_owned).collect();
        if tables.is_empty() {
            return Ok(Spread { nodes: nodes.len(), tables });
        }
        // A reference between a spread and a copied table is made once both are what they will be.
        let (apart, again) = (
            include_str!("../../sql/spread/refer_no_more.postgres.sql"),
            include_str!("../../sql/spread/refer_again.postgres.sql"),
        );
        let act = Transaction::begin_patient(&connections, MIGRATING).await.map_err(StorageError::from)?;
        let statements: Vec<String> = [apart.to_owned()]
            .into_iter()
            .chain(copies)
            .chain(firsts)
            .chain(rest)
            .chain([again.to_owned()])
            .collect();
        act.execute(migration::HOLD_GATE, values![]).await.map_err(StorageError::from)?;
        // Nodes are told one after another, so that all of it is one transaction.
        act.run(
            "set local citus.multi_shard_modify_mode to 'sequential'; set local client_min_messages to error",
        )
        .await
        .map_err(StorageError::from)?;
        // One by one: Citus tells nodes the whole text that a command came in.
        for statement in &statements {
            act.run(statement).await.map_err(StorageError::from)?;
        }
        act.commit().await.map_err(StorageError::from)?;
        Ok(Spread { nodes: nodes.len(), tables })
    }
}
