//! Addresses of servers that start after their address is known, or start again at the same address.

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::atomic::{AtomicU16, Ordering};

/// Ports below those that Linux gives to a program that asks for any free port.
const PORTS: std::ops::Range<u16> = 10_000..32_768;

static NEXT: AtomicU16 = AtomicU16::new(0);

/// An address at which nothing listens, and which no other test gets meanwhile.
pub fn reserved() -> SocketAddr {
    let length = u32::from(PORTS.end - PORTS.start);
    for _ in PORTS {
        let nth = std::process::id().wrapping_mul(101) + u32::from(NEXT.fetch_add(1, Ordering::Relaxed));
        let port = PORTS.start + u16::try_from(nth % length).expect("below the length");
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        if TcpListener::bind(address).is_ok() {
            return address;
        }
    }
    panic!("no port is free");
}
