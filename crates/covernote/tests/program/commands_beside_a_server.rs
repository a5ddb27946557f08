//! Commands beside a server that hangs, is killed, starts, or has lost its socket (D118, D138).

use std::fs::{self, File};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::support::program::{Server, program, run, stderr, stdout};

const SOCKET: &str = "covernote-data/run/operator.sock";

fn signal(child: &Child, signal: Signal) {
    let id = i32::try_from(child.id()).expect("a process id");
    kill_process(Pid::from_raw(id).expect("a process id"), signal).expect("sent");
}

fn begun(mut command: Command) -> Child {
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts")
}

/// Number of complaints of the register.
fn complaints(here: &Path) -> usize {
    let listed = run(here, &["complaint", "list", "--all", "--json"]);
    assert_eq!(listed.status.code(), Some(0), "{}", stderr(&listed));
    let listed: Value = serde_json::from_str(&stdout(&listed)).expect("JSON");
    listed["complaints"].as_array().expect("complaints").len()
}

const COMPLAINS: [&str; 8] = ["complaint", "add", "--kind", "CLAIM", "--from", "Asha Rao", "--text", "Late"];

#[test]
fn commands_beside_a_hanging_server_end_with_an_error_message() {
    let here = tempfile::tempdir().expect("a folder");
    let server = Server::start(here.path(), &[]);
    signal(&server.child, Signal::STOP);
    let commands: [&[&str]; 5] = [&["doctor"], &["today"], &["verify"], &["policy", "list"], &COMPLAINS];
    let began = Instant::now();
    let all = commands.map(|arguments| {
        let mut command = program(here.path());
        command.args(arguments);
        (arguments, begun(command))
    });
    // Support collects what can be had.
    let support = run(here.path(), &["support", "--out", "support.zip"]);
    assert_eq!(support.status.code(), Some(0), "{}", stderr(&support));
    for (arguments, child) in all {
        let ended = child.wait_with_output().expect("its end");
        let said = stderr(&ended) + &stdout(&ended);
        assert!(said.contains("it sent nothing for 30 seconds, and hangs"), "{arguments:?}: {said}");
        assert_ne!(ended.status.code(), Some(0), "{arguments:?}: {said}");
    }
    assert!(began.elapsed() < Duration::from_secs(120), "they took {:?}", began.elapsed());
    signal(&server.child, Signal::CONT);
    let listed = run(here.path(), &["policy", "list"]);
    assert_eq!(listed.status.code(), Some(0), "{}", stderr(&listed));
}

#[test]
fn a_command_whose_answer_was_lost_is_sent_again_but_executed_only_once() {
    let here = tempfile::tempdir().expect("a folder");
    let mut server = Server::start(here.path(), &[]);
    for round in 1..=3 {
        signal(&server.child, Signal::STOP);
        let mut command = program(here.path());
        command.args(COMPLAINS);
        let child = begun(command);
        // The request waits in the socket of the server, which is killed.
        std::thread::sleep(Duration::from_millis(500));
        server.kill();
        server = Server::start(here.path(), &[]);
        let ended = child.wait_with_output().expect("its end");
        assert_eq!(ended.status.code(), Some(0), "{}", stderr(&ended));
        assert!(stderr(&ended).contains("The request is sent again"), "{}", stderr(&ended));
        assert_eq!(complaints(here.path()), round);
    }
}

#[test]
fn a_server_recreates_its_removed_socket_and_logs_it() {
    let here = tempfile::tempdir().expect("a folder");
    let server = Server::start(here.path(), &["--metrics-listen", "127.0.0.1:0"]);
    for _ in 0..2 {
        fs::remove_file(here.path().join(SOCKET)).expect("removed");
        let listed = run(here.path(), &["policy", "list"]);
        assert_eq!(listed.status.code(), Some(0), "{}", stderr(&listed));
        server.says("was removed, and is there again");
    }
    fs::remove_dir_all(here.path().join("covernote-data/run")).expect("removed");
    let listed = run(here.path(), &["policy", "list"]);
    assert_eq!(listed.status.code(), Some(0), "{}", stderr(&listed));
}

#[test]
fn a_command_that_holds_the_command_lock_does_not_delay_the_start_of_a_server() {
    let here = tempfile::tempdir().expect("a folder");
    drop(Server::start(here.path(), &[]));
    // As a long command holds it.
    let held = File::create(here.path().join("covernote-data/command.lock")).expect("a file");
    held.lock().expect("locked");
    let server = Server::start(here.path(), &[]);
    let listed = run(here.path(), &["policy", "list"]);
    assert_eq!(listed.status.code(), Some(0), "{}", stderr(&listed));
    drop((held, server));
}

#[test]
fn a_server_can_start_while_commands_run_continuously() {
    let here = tempfile::tempdir().expect("a folder");
    let mut server = Server::start(here.path(), &[]);
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                while !over.load(Ordering::Relaxed) {
                    let listed = run(here.path(), &["policy", "list"]);
                    assert_eq!(listed.status.code(), Some(0), "{}", stderr(&listed));
                }
            });
        }
        for _ in 0..3 {
            server.kill();
            server = Server::start(here.path(), &[]);
        }
        over.store(true, Ordering::Relaxed);
    });
    drop(server);
}
