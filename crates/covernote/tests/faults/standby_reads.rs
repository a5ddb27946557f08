//! Lists from a standby: while it follows, while it lags, and while there is no primary.

use std::time::{Duration, Instant};

use service::clock::Clock;

use crate::bodies;
use crate::cluster::Cluster;
use crate::http::Request;
use crate::load::{PROPOSALS, QUOTE};
use crate::partner::Partner;
use crate::site::{Site, address};

/// Path of the list of today's proposals.
fn list() -> String {
    let today = covernote::wiring::SystemClock.now();
    format!("{PROPOSALS}?created_from={}", domain::date::day_of(today))
}

impl Partner {
    /// Whether the list has a proposal.
    fn lists(&self, proposal: &str) -> bool {
        let answer = self.ask(&Request::get(list()));
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.text().contains(proposal)
    }

    #[track_caller]
    fn lists_soon(&self, proposal: &str) {
        let asked = Instant::now();
        while !self.lists(proposal) {
            assert!(asked.elapsed() < Duration::from_secs(10), "it is not listed");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

#[test]
fn lists_are_read_from_an_up_to_date_standby_and_still_work_without_the_primary() {
    let primary = Cluster::start();
    primary.database("covernote");
    let standby = primary.standby();
    let reads = [("COVERNOTE_DATABASE_READS", "standby".to_owned())];
    let database = primary.url_with(&standby, "covernote");
    let mut site = Site::without_partner(tempfile::tempdir().expect("a folder"), Some(&database), reads);
    site.add_partner();
    let server = site.server();
    let token = site.token(&server);
    let partner = Partner { server: address(&server), token };

    let first = partner.proposes();
    partner.lists_soon(&first);
    let sessions = "select count(*) from pg_stat_activity where application_name = 'covernote'";
    assert_ne!(standby.say("postgres", sessions), "0", "the standby was read from");

    // A standby that lags is not read, so the list has the latest writes.
    standby.say("postgres", "select pg_wal_replay_pause()");
    std::thread::sleep(Duration::from_secs(7));
    let second = partner.proposes();
    assert!(partner.lists(&second), "the primary has it");
    standby.say("postgres", "select pg_wal_replay_resume()");
    partner.lists_soon(&second);

    // Without a standby, everything works.
    standby.stop();
    primary.say("postgres", "alter system reset synchronous_standby_names");
    primary.say("postgres", "select pg_reload_conf()");
    assert!(partner.lists(&second));
    let third = partner.proposes();
    assert!(partner.lists(&third));
    standby.start_again();

    // Without a primary, lists work, but nothing can be written.
    let asked = Instant::now();
    while standby.say("covernote", "select count(*) from proposals") != "3" {
        assert!(asked.elapsed() < Duration::from_secs(30), "the standby does not follow");
        std::thread::sleep(Duration::from_millis(20));
    }
    primary.stop();
    partner.lists_soon_without_primary(&third);
    assert!(partner.ask(&Request::post(QUOTE, &bodies::quote())).is_away());
}

impl Partner {
    /// A standby that did not answer is skipped for a while. Until then lists are unavailable, too.
    #[track_caller]
    fn lists_soon_without_primary(&self, proposal: &str) {
        let asked = Instant::now();
        loop {
            let answer = self.ask(&Request::get(list()));
            if answer.status == 200 {
                assert!(answer.text().contains(proposal));
                return;
            }
            assert!(answer.is_away() && asked.elapsed() < Duration::from_secs(15), "{}", answer.text());
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}
