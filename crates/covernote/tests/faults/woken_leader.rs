//! A primary that was frozen and replaced, and wakes up. It still acts as the primary, without the later
//! writes. Unlike Patroni, nothing stops it here.

use std::time::Duration;

use crate::cluster::Cluster;
use crate::frozen::Frozen;
use crate::http::Request;
use crate::load::PROPOSAL;
use crate::partner::Partner;
use crate::program::Server;
use crate::site::{Site, address, end_of};

/// Within this time, a server without requests notices by its own work that the primary was replaced.
const FOUND_WITHIN: Duration = Duration::from_secs(15);

/// A pair of PostgreSQL servers, in the order of the address.
struct Pair {
    first: Cluster,
    second: Cluster,
    site: Site,
    servers: Vec<Server>,
}

impl Pair {
    fn start() -> Pair {
        let first = Cluster::start();
        first.database("covernote");
        let second = first.standby();
        let site = Site::postgres(&first.url_with(&second, "covernote"));
        Pair { first, second, site, servers: Vec::new() }
    }

    fn partner(&mut self) -> Partner {
        let server = self.site.server();
        let token = self.site.token(&server);
        let partner = Partner { server: address(&server), token };
        self.servers.push(server);
        partner
    }

    /// Freezes the first server, and promotes the second.
    fn replace(&self) -> Frozen {
        let frozen = self.first.freeze();
        self.second.promote();
        frozen
    }
}

/// Sends many requests at once, so that the server opens several database connections.
fn opens_connections(partner: &Partner) {
    std::thread::scope(|scope| {
        for _ in 0..16 {
            scope.spawn(|| (0..8).for_each(|_| drop(partner.proposes())));
        }
    });
}

/// Number of reads, of 32 at once, that find a proposal.
fn reads_that_find(partner: &Partner, proposal: &str) -> usize {
    let reads = || {
        let answer = partner.ask(&Request::get(format!("{PROPOSAL}/{proposal}/status")));
        usize::from(answer.status == 200)
    };
    std::thread::scope(|scope| {
        let reading: Vec<_> = (0..32).map(|_| scope.spawn(reads)).collect();
        reading.into_iter().map(|read| read.join().expect("it ends")).sum()
    })
}

#[test]
fn a_server_that_wrote_to_the_new_primary_does_not_read_from_the_old_one() {
    let mut pair = Pair::start();
    let partner = pair.partner();
    opens_connections(&partner);
    let frozen = pair.replace();
    let proposal = partner.proposes();
    drop(frozen);
    assert_eq!(reads_that_find(&partner, &proposal), 32);
    // The old primary is not used, either, if the new one is gone.
    pair.second.stop();
    let read = Request::get(format!("{PROPOSAL}/{proposal}/status"));
    assert!(partner.ask(&read).is_away());
}

#[test]
fn an_idle_server_does_not_read_from_the_old_primary_after_a_failover() {
    let mut pair = Pair::start();
    let (asked, idle) = (pair.partner(), pair.partner());
    opens_connections(&idle);
    let frozen = pair.replace();
    let proposal = asked.proposes();
    std::thread::sleep(FOUND_WITHIN);
    drop(frozen);
    assert_eq!(reads_that_find(&idle, &proposal), 32);
}

#[test]
fn a_command_does_not_read_from_the_old_primary_even_if_it_is_first_in_the_address() {
    let mut pair = Pair::start();
    let partner = pair.partner();
    let frozen = pair.replace();
    let proposal = partner.proposes();
    drop(frozen);
    for _ in 0..5 {
        let mut show = pair.site.program();
        show.args(["proposal", "show", &proposal]);
        let shown = end_of(show);
        assert!(shown.status.success(), "{}", String::from_utf8_lossy(&shown.stderr));
    }
}
