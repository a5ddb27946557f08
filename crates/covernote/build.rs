//! Tells the program from which commit it is built. A build without git takes it from `COVERNOTE_COMMIT`, such as
//! "0a13c6be 2026-11-28". A build for tests does not know its commit: a new commit would repeat it.

use std::env;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=COVERNOTE_COMMIT");
    let is_release = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let commit = env::var("COVERNOTE_COMMIT").ok().or_else(|| is_release.then(commit).flatten());
    let version = env!("CARGO_PKG_VERSION");
    let full = commit.map_or(version.to_owned(), |commit| format!("{version} ({commit})"));
    // `cargo run` passes this variable to the program, which reads names that begin with COVERNOTE_ as settings.
    println!("cargo:rustc-env=BUILT_VERSION={full}");
}

/// The commit that is checked out, with its date.
fn commit() -> Option<String> {
    if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"]) {
        println!("cargo:rerun-if-changed={log}");
    }
    let commit = git(&["describe", "--always", "--dirty", "--exclude=*", "--abbrev=8"])?;
    Some(format!("{commit} {}", git(&["show", "--no-patch", "--format=%cs", "HEAD"])?))
}

/// What git says, in one line.
fn git(arguments: &[&str]) -> Option<String> {
    let done = Command::new("git").args(arguments).output().ok().filter(|done| done.status.success())?;
    Some(String::from_utf8(done.stdout).ok()?.trim().to_owned())
}
