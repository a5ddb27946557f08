//! covernote, the insurance partner service: command line, settings, wiring. The clock with the randomness of the system enters
//! here.

pub mod address;
pub mod cli;
pub mod failure;
pub mod settings;
pub mod wiring;

mod commands;
mod lock;
mod logs;
mod output;
mod progress;

use std::process::ExitCode;

use clap::Parser;

/// Runs the program on its command line.
pub fn run() -> ExitCode {
    logs::hide_panics();
    let command_line = cli::CommandLine::parse();
    match commands::run(command_line) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            output::message(&format!("covernote: {failure}"));
            ExitCode::from(failure.code())
        }
    }
}
