//! Examples in the help of the commands: they run beside a demo, as pasted.

use std::process::Command as Process;

use clap::CommandFactory;
use covernote::cli::{CommandLine, EXAMPLES};

use crate::support::program::{Server, built, without_settings};

/// Commands whose examples run until somebody stops them, or need another machine, a console, PostgreSQL or a file.
/// Their flags are checked alone.
pub(crate) const NOT_RUN: &[&str] = &[
    "serve",
    "worker",
    // A demo has no quote with a known id.
    "quote",
    // It refuses a data folder of a demo.
    "doctor",
    "insurer",
    "mock-insurer",
    "import",
    "database",
    "login",
    "logout",
    "listen",
    "certify",
];

#[test]
fn every_visible_command_has_examples_and_every_example_parses() {
    let command = CommandLine::command();
    let visible = command.get_subcommands().filter(|subcommand| !subcommand.is_hide_set());
    for name in visible.map(clap::Command::get_name).filter(|name| *name != "help") {
        assert!(EXAMPLES.iter().any(|(there, _)| *there == name), "{name} has no examples");
    }
    for (name, lines) in EXAMPLES {
        for line in *lines {
            let line = line.split(" > ").next().expect("a command");
            let words: Vec<String> = line
                .split('"')
                .enumerate()
                .flat_map(|(nth, part)| match nth % 2 {
                    0 => part.split_whitespace().map(str::to_owned).collect(),
                    _ => vec![part.to_owned()],
                })
                .collect();
            assert_eq!((words[0].as_str(), words[1].as_str()), ("covernote", *name), "{line}");
            let parsed = CommandLine::command().try_get_matches_from(words);
            assert!(parsed.is_ok(), "{line}: {}", parsed.unwrap_err());
        }
    }
}

#[test]
fn the_examples_in_the_help_succeed_beside_a_demo_server() {
    let here = tempfile::tempdir().expect("a folder");
    let bin = here.path().join("bin");
    std::fs::create_dir(&bin).expect("a folder");
    std::os::unix::fs::symlink(built(), bin.join("covernote")).expect("a link");
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").expect("a path"));
    let demo = Server::start(here.path(), &["--demo"]);
    for (name, lines) in EXAMPLES.iter().filter(|(name, _)| !NOT_RUN.contains(name)) {
        for line in *lines {
            // The demo of this test has another port than the examples.
            let line = match *name {
                "trigger" if !line.ends_with("--list") => format!("{line} --url {}", demo.base),
                _ => (*line).to_owned(),
            };
            let mut shell = Process::new("bash");
            without_settings(shell.current_dir(here.path()).env("PATH", &path).args(["-c", &line]));
            shell.env("COVERNOTE_LISTEN", demo.base.trim_start_matches("http://"));
            let output = shell.output().expect("bash starts");
            assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
        }
    }
}

#[test]
fn the_help_of_a_command_ends_with_its_examples() {
    let here = tempfile::tempdir().expect("a folder");
    for (name, lines) in EXAMPLES {
        let output = crate::support::program::run(here.path(), &[name, "--help"]);
        let help = crate::support::program::stdout(&output);
        let end = help.trim_end().rsplit("\n\n").next().expect("a paragraph");
        assert!(end.starts_with("Examples beside 'covernote serve --demo'"), "{name}: {end}");
        let said: String = end.split_whitespace().collect();
        for line in *lines {
            assert!(said.contains(&line.split_whitespace().collect::<String>()), "{name}: {end}");
        }
    }
}
