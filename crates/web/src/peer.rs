//! Network address of a client, for limits by address.

use std::net::{IpAddr, Ipv6Addr};
use std::str::FromStr;

use axum::http::HeaderMap;
use ipnet::IpNet;

/// Address of a client: an IPv4 address, or the first 64 bits of an IPv6 address. These 64 bits belong to one
/// household or machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Peer(IpAddr);

impl Peer {
    /// Address of requests that did not come over the network.
    pub(crate) const UNKNOWN: Peer = Peer(IpAddr::V6(Ipv6Addr::UNSPECIFIED));

    pub(crate) fn of(address: IpAddr) -> Self {
        Peer(match address.to_canonical() {
            IpAddr::V6(address) => {
                let network = u128::from(address) & !u128::from(u64::MAX);
                IpAddr::V6(Ipv6Addr::from(network))
            }
            address => address,
        })
    }
}

impl std::fmt::Display for Peer {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            IpAddr::V6(network) => write!(to, "{network}/64"),
            address => address.fmt(to),
        }
    }
}

/// Marks a request on a connection beyond the limit. Only probes are answered on such a connection.
#[derive(Clone)]
pub(crate) struct OnlyProbes;

/// Proxies whose `X-Forwarded-For` is trusted.
#[derive(Debug, Clone, Default)]
pub struct TrustedProxies(Vec<IpNet>);

impl FromStr for TrustedProxies {
    type Err = String;

    /// Parses addresses and networks such as `10.0.0.0/8`, separated by commas. Empty text means none.
    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
        let parse = |part: &str| {
            let network = part.parse::<IpNet>().ok();
            let network = network.or_else(|| part.parse::<IpAddr>().ok().map(IpNet::from));
            network.ok_or_else(|| format!("{part:?} is neither an address nor a network such as 10.0.0.0/8"))
        };
        parts.map(parse).collect::<Result<_, _>>().map(TrustedProxies)
    }
}

impl TrustedProxies {
    pub(crate) fn contains(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.0.iter().any(|network| network.contains(&address))
    }

    /// Address of the client behind a connection: the last address in `X-Forwarded-For` that is not a trusted
    /// proxy. Addresses before it may be forged.
    pub(crate) fn client(&self, peer: Peer, headers: &HeaderMap) -> Peer {
        if self.0.is_empty() || !self.contains(peer.0) {
            return peer;
        }
        let lines = headers.get_all("x-forwarded-for").iter().rev();
        let noted =
            lines.filter_map(|line| line.to_str().ok()).flat_map(|line| line.rsplit(',').map(str::trim));
        for text in noted {
            match address_of(text) {
                Some(address) if self.contains(address) => {}
                Some(address) => return Peer::of(address),
                None => break,
            }
        }
        peer
    }
}

/// Parses an address in the forms that proxies write: alone, with a port, or in brackets.
fn address_of(text: &str) -> Option<IpAddr> {
    let bare = text.strip_prefix('[').and_then(|rest| rest.split(']').next()).unwrap_or(text);
    bare.parse().ok().or_else(|| text.parse::<std::net::SocketAddr>().ok().map(|address| address.ip()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(trusted: &str, peer: &str, noted: &[&'static str]) -> Peer {
        let mut headers = HeaderMap::new();
        for line in noted {
            headers.append("x-forwarded-for", axum::http::HeaderValue::from_static(line));
        }
        let peer = Peer::of(peer.parse().expect("an address"));
        trusted.parse::<TrustedProxies>().expect("networks").client(peer, &headers)
    }

    fn peer(text: &str) -> Peer {
        Peer::of(text.parse().expect("an address"))
    }

    #[test]
    fn a_forwarded_address_is_used_only_if_it_comes_from_a_trusted_proxy() {
        assert_eq!(client("", "192.0.2.1", &["198.51.100.7"]), peer("192.0.2.1"));
        assert_eq!(client("10.0.0.0/8", "192.0.2.1", &["198.51.100.7"]), peer("192.0.2.1"));
        assert_eq!(client("10.0.0.0/8", "10.1.1.1", &["198.51.100.7"]), peer("198.51.100.7"));
    }

    #[test]
    fn the_client_is_the_last_forwarded_address_that_is_not_a_trusted_proxy() {
        let made_up = "203.0.113.9, 198.51.100.7, 10.2.2.2";
        assert_eq!(client("10.0.0.0/8", "10.1.1.1", &[made_up]), peer("198.51.100.7"));
        assert_eq!(
            client("10.0.0.0/8", "10.1.1.1", &["203.0.113.9", "198.51.100.7:4711"]),
            peer("198.51.100.7")
        );
        assert_eq!(client("10.0.0.0/8", "10.1.1.1", &["198.51.100.7, nonsense"]), peer("10.1.1.1"));
    }

    #[test]
    fn an_ipv6_network_of_64_bits_is_one_client() {
        assert_eq!(peer("2001:db8:1:2:3:4:5:6"), peer("2001:db8:1:2::9"));
        assert_ne!(peer("2001:db8:1:2::9"), peer("2001:db8:1:3::9"));
        assert_eq!(peer("::ffff:192.0.2.1"), peer("192.0.2.1"));
    }

    #[test]
    fn a_malformed_network_of_trusted_proxies_is_named_in_the_error() {
        let fault = "10.0.0.0/8, here".parse::<TrustedProxies>().expect_err("no network");
        assert!(fault.contains("\"here\""), "{fault}");
    }
}
