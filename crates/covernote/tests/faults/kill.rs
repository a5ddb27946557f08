//! Repeated kills (-9) under load.

use std::time::{Duration, Instant};

use crate::check::check;
use crate::dice::Dice;
use crate::load::Load;
use crate::long_or;
use crate::program::is_sound;
use crate::site::Site;

#[test]
fn kills_under_load_neither_lose_nor_duplicate_nor_split_records() {
    let (kills, writes) = long_or((200, 1000), (12, 60));
    let mut site = Site::sqlite();
    let mut server = site.server();
    let load = Load::with_operator("kill", &site.token(&server), 16, site.operator());
    let mut dice = Dice::new(1);
    let (started, mut slowest) = (Instant::now(), Duration::ZERO);
    for _ in 0..kills {
        let target = load.targets().open(&server.base);
        load.goes_on_for(writes);
        // Under load, the kill hits any step of a request, however slow the machine is.
        std::thread::sleep(Duration::from_micros(dice.below(50_000)));
        target.is_killed();
        server.kill();
        load.targets().close(&target);
        let again = Instant::now();
        server = site.server();
        slowest = slowest.max(again.elapsed());
    }
    load.targets().open(&server.base);
    let journal = load.ends();
    let took = started.elapsed();
    drop(server);
    check(&mut site, &journal);
    is_sound(site.folder());
    assert!(journal.acknowledged.len() as u64 >= kills * writes);
    let policies = site.store().ids("policies", "policy_id").expect("readable").len();
    assert!(policies as u64 > kills, "only {policies} policies were issued: there was no load");
    println!(
        "SQLite: {kills} kills, {} acknowledged writes in {took:.0?} ({policies} policies), {} cut, {} sent again: 0 lost, 0 doubled, 0 half; listening again within {slowest:.0?}",
        journal.acknowledged.len(),
        journal.cut,
        journal.retried,
    );
}
