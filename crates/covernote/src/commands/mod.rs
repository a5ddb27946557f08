//! The commands: a file for each command, and helpers that several commands use.

mod backup;
mod catalogue;
mod certify;
mod console;
mod database;
mod demo;
mod demo_work;
mod doctor;
mod event_feed;
pub(crate) mod insurer;
mod keyring;
mod listen;
mod login;
mod message_sender;
mod mock_insurer;
mod new_file;
mod operate;
mod operator;
mod partner_api;
mod process;
mod ready;
mod restore;
mod serve;
mod stop_signal;
mod store_copy;
mod support;
mod trigger;
mod verify;
mod webhook;
mod worker;

use std::future::Future;
use std::pin::Pin;

use clap::{ArgMatches, CommandFactory};

use crate::audit::OperatorCommand;
use crate::cli::{Command, CommandLine, Flags, OperatorVerb, with_examples};
use crate::failure::{Failure, Result};
use crate::output;
use crate::settings::Settings;

/// Runs the command of the command line. If it is about a store, logs its start and end in the log of access.
pub(crate) fn run_audited(command_line: CommandLine, matches: &ArgMatches) -> Result<()> {
    let Some(flags) = flags_of(&command_line.command) else { return run(command_line) };
    // The command itself reports faulty settings.
    let Ok(settings) = settings(flags) else { return run(command_line) };
    let (mut words, mut rest) = (Vec::new(), matches);
    while let Some((word, inner)) = rest.subcommand() {
        words.push(word.to_owned());
        rest = inner;
    }
    let arguments = std::env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned());
    let command = OperatorCommand::of(words, arguments);
    command.begins(&settings)?;
    let outcome = run(command_line);
    command.ended(&settings, outcome.as_ref().err().map_or(0, Failure::code));
    outcome
}

/// Declares the commands, each with its module. Commands of the operators' API have no module. Commands about
/// a store write their start and end to the log of access.
macro_rules! commands {
    (about a store { $($stored:ident $module:ident,)* } acts { $($acted:ident,)* } one act { $($alone:ident,)* } others { $($other:ident $its_module:ident,)* }) => {
        /// The flags of a command that is about a store.
        fn flags_of(command: &Command) -> Option<&Flags> {
            match command {
                Command::Operator(noun) if matches!(noun.verb, OperatorVerb::Team(_)) => None,
                $(Command::$stored(command) => Some(&command.flags),)*
                // The process that runs an operator's action logs it.
                $(Command::$acted(_) => None,)*
                $(Command::$alone(_) => None,)*
                $(Command::$other(_) => None,)*
                Command::Logout(_)
                | Command::Openapi { .. }
                | Command::Completions { .. }
                | Command::Man { .. } => None,
            }
        }

        /// Runs the command of the command line.
        fn run(command_line: CommandLine) -> Result<()> {
            match command_line.command {
                $(Command::$stored(command) => $module::run(command),)*
                $(Command::$acted(noun) => operate::run(noun),)*
                $(Command::$alone(one) => operate::send(one.act.into(), &one.flags, one.printing),)*
                $(Command::$other(command) => $its_module::run(command),)*
                Command::Logout(command) => login::run_logout(command),
                Command::Openapi { operators } => {
                    output::json(&if operators { operators::document() } else { web::api::document() });
                    Ok(())
                }
                Command::Completions { shell } => {
                    print_completions(shell);
                    Ok(())
                }
                Command::Man { folder } => clap_mangen::generate_to(with_examples(CommandLine::command()), &folder)
                    .map_err(|cause| Failure::Failed(format!("{}: {cause}", folder.display()))),
            }
        }
    };
}
commands! {
    about a store {
        Keyring keyring,
        Operator operator,
        Verify verify,
        Backup backup,
        Restore restore,
        Database database,
    }
    acts {
        Waiting,
        Partner,
        Quote,
        Proposal,
        Policy,
        Refund,
        Claim,
        Breach,
        Complaint,
        Hold,
        Retention,
        Person,
        Premium,
        Import,
        Deposit,
        Statement,
        Keys,
        Audit,
        Approval,
    }
    one act {
        Today,
    }
    others {
        Webhook webhook,
        Serve serve,
        Worker worker,
        Insurer insurer,
        MockInsurer mock_insurer,
        Doctor doctor,
        Ready ready,
        Support support,
        Certify certify,
        Listen listen,
        Catalogue catalogue,
        Trigger trigger,
        Login login,
    }
}

fn print_completions(shell: clap_complete::Shell) {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut CommandLine::command(), "covernote", &mut script);
    output::data(String::from_utf8_lossy(&script).trim_end());
}

/// Reads the settings of a command that is not a server.
fn settings(flags: &Flags) -> Result<Settings> {
    login::say_that_it_is_ignored();
    Settings::read(flags, Vec::new(), Settings::environment())
}

/// Runs a future to completion on this thread.
fn block_on<T>(future: impl Future<Output = Result<T>>) -> Result<T> {
    let mut done = None;
    let work = async {
        done = Some(future.await);
    };
    block_on_boxed(Box::pin(work))?;
    done.unwrap_or_else(|| Err(Failure::Failed("the command ended without a result".into())))
}

/// Runs a boxed future on a new runtime. It is boxed so that this code is compiled once and not for each
/// command.
fn block_on_boxed(work: Pin<Box<dyn Future<Output = ()> + '_>>) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|cause| Failure::Failed(format!("the runtime cannot start: {cause}")))?;
    runtime.block_on(work);
    Ok(())
}
