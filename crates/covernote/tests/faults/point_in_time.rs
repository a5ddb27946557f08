//! Point-in-time recovery of a database with pgBackRest, from a backup and the archived log.

use std::path::PathBuf;
use std::time::Duration;

use crate::check::{ALL, in_store};
use crate::cluster::{Cluster, as_system_user, run};
use crate::journal::Journal;
use crate::load::Load;
use crate::long_or;
use crate::site::Site;

/// Name of the cluster in pgBackRest.
const STANZA: &str = "covernote";

/// A cluster's archive, with the settings of docs/postgres.md.
struct Archive {
    settings: PathBuf,
}

impl Archive {
    fn of(cluster: &Cluster) -> Archive {
        let home = cluster.home();
        let settings = home.join("pgbackrest.conf");
        let at = |name: &str| home.join(name).display().to_string();
        let text = format!(
            "[global]\nrepo1-path={}\nrepo1-retention-full=2\nstart-fast=y\ncompress-type=zst\nlog-path={}\nlock-path={}\n\
             [{STANZA}]\npg1-path={}\npg1-port={}\npg1-socket-path={}\npg1-user=postgres\n",
            at("repository"),
            at("backups-log"),
            at("backups-lock"),
            at("data"),
            cluster.port(),
            home.display()
        );
        std::fs::write(&settings, text).expect("written");
        for folder in ["repository", "backups-log", "backups-lock"] {
            run(as_system_user("mkdir").arg(at(folder)));
        }
        let archive = Archive { settings };
        let push =
            format!("pgbackrest --config={} --stanza={STANZA} archive-push %p", archive.settings.display());
        cluster.say("postgres", &format!("alter system set unix_socket_directories = '{}'", home.display()));
        cluster.say("postgres", "alter system set archive_mode = on");
        cluster.say("postgres", &format!("alter system set archive_command = '{push}'"));
        cluster.restart_immediate();
        archive.says(&["stanza-create"]);
        archive.says(&["check"]);
        archive
    }

    fn says(&self, words: &[&str]) -> String {
        let mut command = as_system_user("pgbackrest");
        command.arg(format!("--config={}", self.settings.display())).arg(format!("--stanza={STANZA}"));
        run(command.args(words))
    }
}

#[test]
fn a_point_in_time_restore_has_all_earlier_writes_and_no_later_quote() {
    let cluster = Cluster::start();
    let mut site = Site::postgres(&cluster.database("covernote"));
    let archive = Archive::of(&cluster);
    let server = site.server();
    let token = site.token(&server);
    let written = |name: &str| {
        let load = Load::start(name, &token, 8);
        load.targets().open(&server.base);
        load.goes_on_for(long_or(5000, 300));
        load.ends()
    };
    let in_the_backup = written("first");
    archive.says(&["--type=full", "backup"]);
    let in_the_log = written("second");
    std::thread::sleep(Duration::from_secs(1));
    let moment = cluster.say("postgres", "select now()");
    std::thread::sleep(Duration::from_secs(1));
    let afterwards = written("third");
    drop(server);
    // Log that is not archived yet would be lost with the machine.
    cluster.say("postgres", "select pg_switch_wal()");
    archive.says(&["check"]);
    cluster.stop();
    archive.says(&[
        "--delta",
        "--type=time",
        &format!("--target={moment}"),
        "--target-action=promote",
        "restore",
    ]);
    cluster.start_again();
    while cluster.say("postgres", "select pg_is_in_recovery()") == "t" {
        std::thread::sleep(Duration::from_millis(50));
    }
    // A server can use the restored store, and it has everything acknowledged before that time.
    drop(site.server());
    let store = site.store();
    let before = Journal::of_all(vec![in_the_backup, in_the_log]);
    let faults = in_store(&store, site.partner(), &before, ALL);
    assert!(faults.is_empty(), "{faults:#?}");
    let lost = in_store(&store, site.partner(), &afterwards, ALL);
    let acknowledged = afterwards.quotes.iter().filter_map(|quote| quote.acknowledged.as_ref());
    let is_lost = |id: &str| lost.iter().any(|fault| fault.contains(id) && fault.contains("is lost"));
    let still_there: Vec<&str> =
        acknowledged.clone().map(|told| told.id.as_str()).filter(|id| !is_lost(id)).collect();
    assert!(acknowledged.count() > 0 && still_there.is_empty(), "written after the moment: {still_there:#?}");
    println!(
        "pgBackRest: restored to a moment: {} writes before it are there, {} after it are not",
        before.acknowledged.len(),
        afterwards.acknowledged.len()
    );
}
