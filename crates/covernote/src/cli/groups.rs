//! The commands in groups, as `covernote --help` lists them.

use std::fmt::Write;

use clap::Command;

/// Each group with its commands. Every command is in one group.
pub const GROUPS: &[(&str, &[&str])] = &[
    ("Serve", &["serve", "worker", "doctor", "ready"]),
    ("Sell", &["today", "waiting", "quote", "proposal", "policy", "claim", "complaint"]),
    ("Money", &["premium", "deposit", "refund", "statement"]),
    ("Partners", &["partner", "webhook"]),
    ("Catalogue", &["catalogue", "insurer", "mock-insurer"]),
    ("Store", &["backup", "restore", "verify", "import", "keyring", "keys", "database", "support"]),
    (
        "Team and records",
        &["operator", "login", "logout", "approval", "audit", "person", "breach", "hold", "retention"],
    ),
    ("Develop", &["listen", "trigger", "certify", "openapi", "completions"]),
];

/// Returns the command, whose help then lists the subcommands in groups.
pub fn grouped(command: Command) -> Command {
    let mut list = String::new();
    for (group, names) in GROUPS {
        let _ = write!(list, "\n\n{group}:");
        for subcommand in names.iter().filter_map(|name| command.find_subcommand(name)) {
            let about = subcommand.get_about().map(ToString::to_string).unwrap_or_default();
            let _ = write!(list, "\n  {:<14}{about}", subcommand.get_name());
        }
    }
    command.help_template(format!(
        "{{about-with-newline}}\nUsage: covernote <COMMAND>{list}\n\n'covernote help COMMAND' explains a command.\n\nOptions:\n{{options}}{{after-help}}"
    ))
}
