//! The commands, one file for each noun.

mod backup;
mod catalogue;
mod demo;
mod doctor;
pub(crate) mod import;
mod insurer;
mod keyring;
mod keys;
mod mock_insurer;
mod partner;
mod process;
mod proposal;
mod proposal_health;
mod quote;
mod quote_health;
mod restore;
mod serve;
mod store_copy;
mod worker;

use std::future::Future;

use clap::CommandFactory;
use service::Service;

use crate::cli::{Command, CommandLine, Flags};
use crate::failure::Failure;
use crate::output;
use crate::settings::Settings;
use crate::wiring::{needs_store, open_service};

/// Runs the command of the command line.
pub(crate) fn run(command_line: CommandLine) -> Result<(), Failure> {
    match command_line.command {
        Command::Serve(serve) => serve::run(&serve),
        Command::Worker(worker) => worker::run(&worker),
        Command::Partner(partner) => partner::run(partner),
        Command::Catalogue(catalogue) => catalogue::run(catalogue),
        Command::Quote(quote) => quote::run(quote),
        Command::Proposal(proposal) => proposal::run(proposal),
        Command::Import(import) => import::run(import),
        Command::Keys(keys) => keys::run(keys),
        Command::Keyring(keyring) => keyring::run(keyring),
        Command::Backup(backup) => backup::run(backup),
        Command::Restore(restore) => restore::run(restore),
        Command::Insurer(insurer) => insurer::run(insurer),
        Command::MockInsurer(mock) => mock_insurer::run(mock),
        Command::Doctor(doctor) => doctor::run(&doctor),
        Command::Openapi => {
            output::json(&web::api::document());
            Ok(())
        }
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut CommandLine::command(), "covernote", &mut script);
            output::data(String::from_utf8_lossy(&script).trim_end());
            Ok(())
        }
    }
}

/// The settings of a command that does not serve.
fn settings(flags: &Flags) -> Result<Settings, Failure> {
    Settings::read(flags, Vec::new(), Settings::environment())
}

/// Runs a command on the service in the settings. The store must exist.
fn on_service<Work, Done>(flags: &Flags, work: Work) -> Result<(), Failure>
where
    Work: FnOnce(Service) -> Done,
    Done: Future<Output = Result<(), Failure>>,
{
    let settings = settings(flags)?;
    block_on(async {
        needs_store(&settings).await?;
        work(open_service(&settings).await?).await
    })
}

/// Runs a command on the service in the settings. The store is created if it does not exist.
fn on_new_service<Work, Done>(flags: &Flags, work: Work) -> Result<(), Failure>
where
    Work: FnOnce(Service) -> Done,
    Done: Future<Output = Result<(), Failure>>,
{
    let settings = settings(flags)?;
    block_on(async { work(open_service(&settings).await?).await })
}

/// Runs a future to completion on this thread.
fn block_on<T>(future: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.map_err(|cause| Failure::Failed(format!("the runtime cannot start: {cause}")))?.block_on(future)
}
