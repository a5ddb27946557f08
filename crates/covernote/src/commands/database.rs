//! `covernote database`: creates a store, and distributes its tables over database servers (D106).

use std::path::Path;

use serde_json::json;
use storage::Postgres;

use super::{block_on, settings};
use crate::cli::{Database, DatabaseVerb, Flags};
use crate::failure::{Failure, Result};
use crate::wiring::{Engine, create_store, engine, has_store, make_folder};
use crate::{lock, output};

pub(super) fn run(Database { verb, flags }: Database) -> Result<()> {
    match verb {
        DatabaseVerb::Create { json } => create(&flags, json),
        DatabaseVerb::Distribute { shards, json } => distribute(&flags, shards, json),
    }
}

fn create(flags: &Flags, as_json: bool) -> Result<()> {
    let settings = settings(flags)?;
    let folder = Path::new(&settings.data);
    let place = match engine(&settings)? {
        Engine::Sqlite => settings.data.clone(),
        Engine::Postgres(_) => "the database".to_owned(),
    };
    make_folder(folder)?;
    let _held = match engine(&settings)? {
        Engine::Sqlite => Some(lock::acquire_for_command(folder)?),
        Engine::Postgres(_) => None,
    };
    block_on(async {
        if has_store(&settings).await? {
            return Err(Failure::Failed(format!("there is a store in {place} already")));
        }
        create_store(&settings).await?.close().await?;
        let keyring = settings.keyring_source().to_string();
        if as_json {
            output::json(&json!({ "created": place, "keyring": keyring }));
        }
        output::message(&format!("a new, empty store was created in {place}, with the keyring {keyring}"));
        Ok(())
    })
}

fn distribute(flags: &Flags, shards: u16, as_json: bool) -> Result<()> {
    let Engine::Postgres(database) = engine(&settings(flags)?)? else {
        return Err(Failure::Configuration(
            "database: the store is SQLite, and only a PostgreSQL database with Citus can distribute its tables".into(),
        ));
    };
    let spread = block_on(async { Ok(Postgres::spread(&database, shards).await?) })?;
    if as_json {
        output::json(&json!({ "nodes": spread.nodes, "tables": spread.tables }));
    }
    output::message(&match spread.tables.len() {
        0 => "every table is already distributed".to_owned(),
        tables => format!("{tables} tables were distributed over {} nodes", spread.nodes),
    });
    Ok(())
}
