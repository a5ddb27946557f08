//! Commands that root runs beside a service that runs as another user.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use covernote::cli::EXAMPLES;
use rustix::process::Signal;

use crate::help_examples::NOT_RUN;
use crate::support::program::{Server, built, stderr, without_settings};

/// The service's user, who exists on no machine.
const SERVICE: u32 = 65_532;

/// A folder of the service, with a copy of the program that every user can execute.
struct Host {
    folder: tempfile::TempDir,
    data: PathBuf,
}

impl Host {
    fn with(data: &str) -> Self {
        assert!(rustix::process::geteuid().is_root(), "this test needs root, as scripts/test has it");
        let folder = tempfile::tempdir().expect("a folder");
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).expect("opened");
        let (bin, data) = (folder.path().join("bin"), folder.path().join(data));
        fs::create_dir(&bin).expect("a folder");
        fs::set_permissions(&bin, fs::Permissions::from_mode(0o755)).expect("opened");
        let program = bin.join("covernote");
        fs::hard_link(built(), &program)
            .or_else(|_| fs::copy(built(), &program).map(|_| ()))
            .expect("a copy");
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("executable");
        fs::create_dir(&data).expect("a folder");
        fs::set_permissions(&data, fs::Permissions::from_mode(0o700)).expect("closed");
        chown(&data, Some(SERVICE), Some(SERVICE)).expect("given");
        Host { folder, data }
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn command(&self) -> Command {
        let mut command = Command::new(self.path().join("bin/covernote"));
        without_settings(command.current_dir(self.path()));
        command
    }

    /// Starts the server as the service's user.
    fn serves(&self, arguments: &[&str]) -> Server {
        let mut command = self.command();
        command.uid(SERVICE).gid(SERVICE);
        command.args(["serve", "--listen", "127.0.0.1:0", "--log-format", "json"]).args(arguments);
        Server::listening(command)
    }

    /// Files of the service that have another owner, or more rights than their keyring.
    fn foreign(&self) -> Vec<String> {
        let (mut folders, mut found) = (vec![self.data.clone()], Vec::new());
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).expect("a folder") {
                let path = entry.expect("an entry").path();
                let meta = fs::symlink_metadata(&path).expect("there");
                if (meta.uid(), meta.gid()) != (SERVICE, SERVICE) || meta.mode() & 0o007 != 0 {
                    found.push(format!("{} {}:{} {:o}", path.display(), meta.uid(), meta.gid(), meta.mode()));
                }
                if meta.is_dir() {
                    folders.push(path);
                }
            }
        }
        found
    }
}

fn stops(mut server: Server) {
    server.signal(Signal::TERM);
    assert!(server.child.wait().expect("its end").success());
}

#[test]
fn the_service_can_still_start_after_root_ran_commands_in_its_data_folder() {
    let host = Host::with("covernote-data");
    let commands: &[&[&str]] = &[
        &["doctor"],
        &["ready"],
        &["today"],
        &["partner", "create", "Acme"],
        &["verify"],
        &["audit", "verify"],
        &["keyring", "add"],
        &["keys", "rotate", "data"],
        &["backup", "copy.db"],
        &["restore", "copy.db", "--drill"],
        &["support", "--out", "support.json"],
        &["retention", "run"],
        &["doctor"],
    ];
    stops(host.serves(&[]));
    for running in [true, false] {
        let server = running.then(|| host.serves(&[]));
        for words in commands {
            // As after midnight: the files of the day do not exist yet.
            let _ = fs::remove_dir_all(host.data.join("audit"));
            let mut command = host.command();
            if let Some(server) = &server {
                command.env("COVERNOTE_LISTEN", server.base.trim_start_matches("http://"));
            }
            let output = command.args(*words).output().expect("it starts");
            let succeeds = running || *words != ["ready"];
            assert_eq!(
                output.status.success(),
                succeeds,
                "{words:?}, serving {running}: {}",
                stderr(&output)
            );
            assert_eq!(host.foreign(), Vec::<String>::new(), "after {words:?}");
        }
        if let Some(server) = server {
            stops(server);
        }
        for file in ["copy.db", "support.json"] {
            fs::remove_file(host.path().join(file)).expect("a command made it");
        }
        stops(host.serves(&[]));
    }
}

#[test]
fn the_demo_can_still_start_after_root_ran_the_examples_of_the_help() {
    let host = Host::with("covernote-demo");
    let demo = host.serves(&["--demo"]);
    let path = format!("{}:{}", host.path().join("bin").display(), std::env::var("PATH").expect("a path"));
    for (_, lines) in EXAMPLES.iter().filter(|(name, _)| !NOT_RUN.contains(name) && *name != "trigger") {
        for line in *lines {
            let mut shell = Command::new("bash");
            without_settings(shell.current_dir(host.path()).env("PATH", &path).args(["-c", line]));
            shell.env("COVERNOTE_LISTEN", demo.base.trim_start_matches("http://"));
            let output = shell.output().expect("bash starts");
            assert!(output.status.success(), "{line}: {}", stderr(&output));
            assert_eq!(host.foreign(), Vec::<String>::new(), "after {line}");
        }
    }
    stops(demo);
    stops(host.serves(&["--demo"]));
}

#[test]
fn a_keyring_that_root_changes_keeps_its_owner_group_and_mode() {
    let host = Host::with("covernote-data");
    let keys = host.path().join("keys");
    fs::create_dir(&keys).expect("a folder");
    fs::set_permissions(&keys, fs::Permissions::from_mode(0o755)).expect("opened");
    let keyring = keys.join("keyring");
    let keyring_text = keyring.display().to_string();
    let run = |words: &[&str]| {
        let output = host.command().args(words).env("COVERNOTE_KEYRING", &keyring_text).output();
        let output = output.expect("it starts");
        assert!(output.status.success(), "{words:?}: {}", stderr(&output));
    };
    let new = host.command().args(["keyring", "new"]).output().expect("it starts");
    fs::write(&keyring, new.stdout).expect("written");
    chown(&keyring, Some(SERVICE), Some(SERVICE)).expect("given");
    fs::set_permissions(&keyring, fs::Permissions::from_mode(0o600)).expect("closed");
    run(&["database", "create"]);
    run(&["keyring", "add"]);
    for name in ["keyring", "keyring.store"] {
        let meta = fs::metadata(keys.join(name)).expect("there");
        assert_eq!((meta.uid(), meta.gid(), meta.mode() & 0o777), (SERVICE, SERVICE, 0o600), "{name}");
    }
}
