//! `covernote keyring`: the wrapping keys, without which nobody can read the store.

use serde_json::json;
use service::Service;
use storage::{Keyring, KeyringSource};

use super::{block_on, settings};
use crate::cli::{Flags, KeyringCommand, KeyringVerb};
use crate::failure::{Failure, Result};
use crate::output;
use crate::wiring::{CatalogueUse, OsRandom, needs_store, open_service};

pub(super) fn run(KeyringCommand { verb, flags }: KeyringCommand) -> Result<()> {
    match verb {
        KeyringVerb::New => {
            output::data(Keyring::fresh(&OsRandom::default()).to_text().trim_end());
            Ok(())
        }
        KeyringVerb::List { json } => list(&flags, json),
        KeyringVerb::Add => add(&flags),
        KeyringVerb::Rewrap => rewrap(&flags),
        KeyringVerb::Remove { number } => remove(&flags, number),
    }
}

fn list(flags: &Flags, as_json: bool) -> Result<()> {
    let keyring = Keyring::read(settings(flags)?.keyring_source())?;
    on_store(flags, async |service| {
        let needed = service.keys.wrapping_keys().await?;
        let state = |number: u32| if needed.contains(&number) { "in use" } else { "not needed" };
        if as_json {
            let keys: Vec<_> = keyring
                .numbers()
                .map(|number| json!({ "number": number, "in_use": needed.contains(&number) }))
                .collect();
            output::json(&json!({ "keys": keys }));
        } else {
            let row = |number: u32| vec![number.to_string(), state(number).to_owned()];
            output::table(&["number", "state"], keyring.numbers().map(row).collect());
        }
        Ok(())
    })
}

fn add(flags: &Flags) -> Result<()> {
    let source = settings(flags)?.keyring_source();
    let file = file(&source, "add a line that 'covernote keyring new' prints, with the next number")?;
    let mut keyring = Keyring::read(&source)?;
    let number = keyring.add(&OsRandom::default());
    keyring.replace(file)?;
    output::message(&format!(
        "{source}: key {number} was added. Copy the file to every machine that reads it, and to a safe place; then run \
         'covernote keyring rewrap'"
    ));
    Ok(())
}

fn rewrap(flags: &Flags) -> Result<()> {
    on_store(flags, async |service| {
        let changed = service.keys.rewrap().await?;
        output::message(&format!("{changed} keys of the store were wrapped with the keyring's newest key"));
        Ok(())
    })
}

fn remove(flags: &Flags, number: u32) -> Result<()> {
    let source = settings(flags)?.keyring_source();
    file(&source, "remove the line of this key")?;
    on_store(flags, async |service| {
        if service.keys.wrapping_keys().await?.contains(&number) {
            return Err(Failure::Failed(format!(
                "the store needs key {number}: run 'covernote keyring rewrap' first"
            )));
        }
        let mut keyring = Keyring::read(&source)?;
        if !keyring.remove(number) {
            return Err(Failure::Failed(format!(
                "{source}: the keyring has no key {number}, or it has no other key"
            )));
        }
        keyring.replace(file(&source, "")?)?;
        output::message(&format!(
            "{source}: key {number} was removed. Backups made before 'keyring rewrap' cannot be read without this key"
        ));
        Ok(())
    })
}

/// Path of the keyring's file. If the keyring is not in a file, the error tells the operator to `do_this` at
/// the keyring's source.
fn file<'s>(source: &'s KeyringSource, do_this: &str) -> Result<&'s std::path::Path> {
    let refuse = || {
        Failure::Configuration(format!(
            "the keyring is not in a file, but {source}: do this there yourself: {do_this}"
        ))
    };
    source.file().ok_or_else(refuse)
}

/// Opens the service on the store in the settings, and runs `work` on it. The store must exist.
fn on_store<Work, Done>(flags: &Flags, work: Work) -> Result<()>
where
    Work: FnOnce(Service) -> Done,
    Done: Future<Output = Result<()>>,
{
    let settings = settings(flags)?;
    block_on(async {
        needs_store(&settings).await?;
        work(open_service(&settings, CatalogueUse::None).await?).await
    })
}
