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
    let file = file(&source, "a line of 'covernote keyring new' with the next number")?;
    let mut keyring = Keyring::read(&source)?;
    let number = keyring.add(&OsRandom::default());
    keyring.replace(file)?;
    output::message(&format!(
        "{source}: key {number} is added. Copy the file to every machine that reads it, and to your safe; then run \
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
    file(&source, "the line of the key away there")?;
    on_store(flags, async |service| {
        if service.keys.wrapping_keys().await?.contains(&number) {
            return Err(Failure::Failed(format!(
                "the store needs key {number}: run 'covernote keyring rewrap' first"
            )));
        }
        let mut keyring = Keyring::read(&source)?;
        if !keyring.remove(number) {
            return Err(Failure::Failed(format!("{source}: it has no key {number} beside another one")));
        }
        keyring.replace(file(&source, "")?)?;
        output::message(&format!(
            "{source}: key {number} is removed. Backups from before the store was wrapped anew cannot be read without it"
        ));
        Ok(())
    })
}

/// The keyring's file. What else it is kept in is changed where it is kept.
fn file<'s>(source: &'s KeyringSource, do_this: &str) -> Result<&'s std::path::Path> {
    let refuse = || {
        Failure::Configuration(format!(
            "the keyring is not in a file but {source}: put {do_this} there yourself"
        ))
    };
    source.file().ok_or_else(refuse)
}

/// Runs work on the service in the settings. The store must exist.
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
