//! covernote, the insurance partner service: command line, settings, wiring.
//!
//! Other crates get clock and randomness as parameters. This crate passes the system's clock and randomness.

mod address;
pub mod cli;
pub mod failure;
pub mod settings;
pub mod wiring;

mod audit;
mod commands;
mod demo_folder;
mod erasure_journal;
mod lock;
mod machine;
mod operator_file;
mod operator_socket;
mod otlp;
mod output;
mod progress;
mod scanner;
mod supervisor;
mod verification;

use std::process::ExitCode;
use std::time::Duration;

use clap::{CommandFactory, FromArgMatches};

/// Longest wait until the last message is written.
const LONGEST_MESSAGE: Duration = Duration::from_secs(5);

/// Runs the program on its command line.
pub fn run() -> ExitCode {
    system::logs::hide_panics();
    let matches = cli::grouped(cli::with_examples(cli::CommandLine::command())).get_matches();
    let command_line = cli::CommandLine::from_arg_matches(&matches).unwrap_or_else(|fault| fault.exit());
    match commands::run_audited(command_line, &matches) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            let code = failure.code();
            // A stalled reader of stderr must not keep the process from ending.
            let said = move || output::message(&format!("covernote: {failure}"));
            system::logs::within(LONGEST_MESSAGE, said);
            ExitCode::from(code)
        }
    }
}
