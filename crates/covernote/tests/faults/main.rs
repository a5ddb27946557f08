//! Durability of written records during failures: kills, stops, a full disk, failed syncs, power cuts.
//!
//! Clients write over HTTP to the built program and record its answers. Then a checker reads everything back
//! from a new server and from the store, record by record: no acknowledged record is lost, none is
//! duplicated, none is incomplete. `docs/reliability.md` has the guarantees and the figures.
//!
//! `cargo test` runs the short form. The long one is run by hand and prints its figures:
//! `COVERNOTE_FAULTS=long cargo test --release -p covernote --test faults -- --nocapture --test-threads 1`
#![allow(unreachable_pub, dead_code, reason = "a test binary")]
#![allow(clippy::print_stdout, reason = "the long form tells its figures")]

#[path = "../../../storage/tests/support/address.rs"]
mod address;
#[path = "../support/authenticator.rs"]
mod authenticator;
#[path = "../support/bodies.rs"]
mod bodies;
#[path = "../support/clock.rs"]
mod clock;
#[path = "../support/program.rs"]
mod program;

mod check;
mod cluster;
mod dice;
mod frozen;
mod http;
mod journal;
mod load;
mod partner;
mod patroni;
mod policy_model;
mod shim;
mod site;
mod trace;

mod alerts;
mod bulk;
mod deliveries;
mod failed_sync;
mod failover;
mod full_disk;
mod kill;
mod one_order;
mod point_in_time;
mod postgres;
mod power_cut;
mod standby_reads;
mod stop;
mod team;
mod twins;
mod woken_leader;

/// Whether the long form runs.
fn long() -> bool {
    match std::env::var("COVERNOTE_FAULTS").as_deref() {
        Err(_) => false,
        Ok("long") => true,
        Ok(other) => panic!("COVERNOTE_FAULTS is {other:?}; say long, or leave it out"),
    }
}

/// `long_form` in the long form, otherwise `short_form`.
fn long_or<T>(long_form: T, short_form: T) -> T {
    if long() { long_form } else { short_form }
}
