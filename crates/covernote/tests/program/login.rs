//! Sign-in at the console by a command line on another machine (D120).

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::support::address::reserved;
use crate::support::console::{Authenticator, Console, Twist};
use crate::support::demo::DATA;
use crate::support::program::{Server, program, run, stderr, stdout};

/// A command of a user whose home folder is `here`.
fn of_user(here: &Path, words: &[&str]) -> Command {
    let mut command = program(here);
    command.args(words).env("HOME", here).env_remove("XDG_CONFIG_HOME");
    command
}

fn done(command: &mut Command) -> Output {
    command.output().expect("it runs")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_command_works_at_a_remote_server_only_while_its_user_is_signed_in() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    let free = reserved().port();
    fs::write(here.join("console.toml"), format!("console_listen = \"127.0.0.1:{free}\"\n"))
        .expect("written");
    let _server = Server::start(here, &["--demo", "--config", "console.toml"]);
    let console = Console::at(format!("http://localhost:{free}"));
    let invite = ["operator", "invite", "Meera", "--role", "claims", "--config", "console.toml"];
    let invited = run(here, &[&invite[..], &DATA[..]].concat());
    let link = stdout(&invited).trim().to_owned();
    assert!(link.starts_with(&console.base), "{link}: {}", stderr(&invited));
    let mut authenticator = Authenticator::new(&console);
    let session = console.enrols(&link, &mut authenticator).await;

    let list = ["claim", "list", "--json", "--server", &console.base];
    let early = done(&mut of_user(here, &list));
    assert_eq!(early.status.code(), Some(78), "{}", stderr(&early));
    assert!(stderr(&early).contains("covernote login"), "{}", stderr(&early));

    let login = ["login", "--server", &console.base];
    let mut login = of_user(here, &login).stderr(Stdio::piped()).spawn().expect("it runs");
    let said = BufReader::new(login.stderr.take().expect("piped")).lines().next();
    let said = said.expect("a line").expect("text");
    let code = said.trim().rsplit(' ').next().expect("a code");
    let ceremony = console.ceremony_of_code(code, &session).await;
    let form = authenticator.form(&ceremony, &Twist::default());
    let fields = [&form.pairs()[..], &[("code", code)]].concat();
    let posted = console.post(&format!("{}/device", console.base), &session, &fields).await;
    assert!(posted.page.contains("The command line is signed in."), "{}", posted.page);
    assert!(login.wait().expect("it ends").success());

    let listed = done(&mut of_user(here, &list));
    assert!(stdout(&listed).contains("\"claims\""), "{}", stderr(&listed));
    let refused = done(&mut of_user(here, &["deposit", "list", "--server", &console.base]));
    assert!(stderr(&refused).contains("needs one of these roles"), "{}", stderr(&refused));

    let file = here.join(".config/covernote/credentials.toml");
    assert_eq!(fs::metadata(&file).expect("kept").permissions().mode() & 0o777, 0o600);
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).expect("changed");
    let open = done(&mut of_user(here, &list));
    assert!(stderr(&open).contains("other users can read this file"), "{}", stderr(&open));
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).expect("changed");

    let copied = fs::read_to_string(&file).expect("kept");
    assert!(done(&mut of_user(here, &["logout", "--server", &console.base])).status.success());
    fs::write(&file, copied).expect("written");
    let ended = done(&mut of_user(here, &list));
    assert!(stderr(&ended).contains("or it is no longer valid"), "{}", stderr(&ended));

    let wrong = [("name", "Meera"), ("code", "AAAA-AAAA-AAAA")];
    assert_eq!(console.post(&format!("{}/recovery", console.base), "", &wrong).await.status, 400);
    assert_eq!(console.get(&format!("{}/invitation/nobody", console.base), "").await.0, 400);
    let folder = here.join("covernote-demo/audit");
    let file = fs::read_dir(folder).expect("a folder").next().expect("a file").expect("an entry").path();
    let lines = fs::read_to_string(file).expect("text");
    for way in ["token", "recovery", "invitation/{link}"] {
        let failed = |line: &&str| {
            line.contains("operator_sign_in_failed") && line.contains(&format!("\"way\":\"{way}\""))
        };
        let line = lines.lines().find(failed).unwrap_or_else(|| panic!("{way}: {lines}"));
        assert!(line.contains("\"peer\":\"127.0.0.1\"") && !line.contains("AAAA"), "{line}");
    }
}

#[test]
fn a_remote_server_without_https_is_refused() {
    let here = tempfile::tempdir().expect("a folder");
    for server in ["http://console.example", "http://localhost.evil.example", "http://127.0.0.1@evil.example"]
    {
        let refused = done(&mut of_user(here.path(), &["claim", "list", "--server", server]));
        assert_eq!(refused.status.code(), Some(78));
        assert!(stderr(&refused).contains("must begin with https://"), "{}", stderr(&refused));
    }
}

#[test]
fn commands_for_this_machine_ignore_the_remote_server_setting_and_report_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    let _server = Server::start(here, &["--demo"]);
    let elsewhere = |words: &[&str]| {
        let words = [words, &DATA[..]].concat();
        done(of_user(here, &words).env("COVERNOTE_SERVER", "http://localhost:1"))
    };
    for words in [&["backup", "copy.db"][..], &["support", "--out", "bundle.zip"]] {
        let ended = elsewhere(words);
        assert_eq!(ended.status.code(), Some(0), "{words:?}: {}", stderr(&ended));
        assert!(stderr(&ended).contains("COVERNOTE_SERVER is ignored"), "{words:?}: {}", stderr(&ended));
    }
    let checked = done(of_user(here, &["catalogue", "check"]).env("COVERNOTE_SERVER", "http://localhost:1"));
    assert_eq!(checked.status.code(), Some(0), "{}", stderr(&checked));
    for words in [&["catalogue", "reload"][..], &["verify"]] {
        let refused = elsewhere(words);
        assert!(
            stderr(&refused).contains("covernote login --server http://localhost:1"),
            "{}",
            stderr(&refused)
        );
    }
}
