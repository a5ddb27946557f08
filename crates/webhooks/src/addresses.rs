//! Rules that say to which IP addresses webhooks may connect.
//!
//! They may connect to public addresses, and to networks that the operator allows.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::LazyLock;

use ipnet::IpNet;

/// Networks outside the public Internet, as listed in the registries of special-purpose addresses (RFC 6890
/// and its successors).
const CLOSED: &[&str] = &[
    "0.0.0.0/8",
    "10.0.0.0/8",
    "100.64.0.0/10",
    "127.0.0.0/8",
    "169.254.0.0/16",
    "172.16.0.0/12",
    "192.0.0.0/24",
    "192.0.2.0/24",
    "192.88.99.0/24",
    "192.168.0.0/16",
    "198.18.0.0/15",
    "198.51.100.0/24",
    "203.0.113.0/24",
    "224.0.0.0/4",
    "240.0.0.0/4",
    "2001::/23",
    "2001:db8::/32",
    "2002::/16",
    "3fff::/20",
];

/// Public IPv6 addresses. Webhooks may not connect to any other IPv6 address.
const PUBLIC_V6: &str = "2000::/3";

/// Addresses of cloud metadata services, from which a machine reads its own secrets. Even the operator cannot
/// allow them.
const METADATA: &[&str] = &[
    "169.254.0.0/16",
    "100.100.100.200/32",
    "168.63.129.16/32",
    "192.0.0.192/32",
    "fd00:ec2::/32",
    "fd20:ce::/32",
];

/// IPv6 networks whose addresses end with an IPv4 address.
const WITH_V4_AT_THE_END: &[&str] = &["64:ff9b::/96", "64:ff9b:1::/48", "::/96"];

fn networks(texts: &[&str]) -> Vec<IpNet> {
    texts.iter().map(|text| text.parse().expect("a network")).collect()
}

/// Why a connection to an address is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refused {
    /// The address is not public, and the operator has not allowed its network.
    NotPublic,
    /// The address belongs to a cloud's metadata service.
    Metadata,
    /// The connection is plain HTTP, which is allowed only in networks that the operator allowed.
    PlainHttp,
}

impl fmt::Display for Refused {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(match self {
            Refused::NotPublic => "the address is not on the public Internet",
            Refused::Metadata => "the address is a cloud metadata service",
            Refused::PlainHttp => {
                "plain http is allowed only for networks that the operator allowed: use https"
            }
        })
    }
}

impl std::error::Error for Refused {}

/// Rules that say to which addresses webhooks may connect.
#[derive(Debug, Clone, Default)]
pub struct AddressRules {
    allowed: Vec<IpNet>,
}

impl AddressRules {
    /// Creates rules that also allow these networks, such as `127.0.0.1/32`.
    ///
    /// # Errors
    /// The first text that is not a network or an address.
    pub fn opening<'t>(networks: impl IntoIterator<Item = &'t str>) -> Result<Self, String> {
        let parsed = networks.into_iter().map(|text| {
            let text = text.trim();
            text.parse::<IpNet>()
                .or_else(|_| text.parse::<IpAddr>().map(IpNet::from))
                .map_err(|_| text.to_owned())
        });
        Ok(AddressRules { allowed: parsed.collect::<Result<_, _>>()? })
    }

    /// Whether the operator allowed the network of an address.
    fn is_opened(&self, address: IpAddr) -> bool {
        self.allowed.iter().any(|network| network.contains(&address))
    }

    /// Checks whether a connection to an address is allowed, with or without TLS.
    ///
    /// # Errors
    /// [`Refused`] if the connection is forbidden.
    pub fn judge(&self, address: IpAddr, with_tls: bool) -> Result<(), Refused> {
        let address = address.to_canonical();
        if is_metadata(address) {
            return Err(Refused::Metadata);
        }
        match (self.is_opened(address), with_tls) {
            (true, _) => Ok(()),
            (false, _) if !is_public(address) => Err(Refused::NotPublic),
            (false, false) => Err(Refused::PlainHttp),
            (false, true) => Ok(()),
        }
    }
}

fn is_metadata(address: IpAddr) -> bool {
    static METADATA_NETWORKS: LazyLock<Vec<IpNet>> = LazyLock::new(|| networks(METADATA));
    static ENDS: LazyLock<Vec<IpNet>> = LazyLock::new(|| networks(WITH_V4_AT_THE_END));
    let is_it = |address: IpAddr| METADATA_NETWORKS.iter().any(|network| network.contains(&address));
    is_it(address)
        || match address {
            IpAddr::V6(six) if ENDS.iter().any(|network| network.contains(&address)) => {
                is_it(v4_at_the_end(six).into())
            }
            _ => false,
        }
}

fn v4_at_the_end(address: Ipv6Addr) -> Ipv4Addr {
    Ipv4Addr::from((u128::from(address) & u128::from(u32::MAX)) as u32)
}

fn is_public(address: IpAddr) -> bool {
    static CLOSED_NETWORKS: LazyLock<Vec<IpNet>> = LazyLock::new(|| networks(CLOSED));
    static PUBLIC: LazyLock<IpNet> = LazyLock::new(|| PUBLIC_V6.parse().expect("a network"));
    if CLOSED_NETWORKS.iter().any(|network| network.contains(&address)) {
        return false;
    }
    match address {
        IpAddr::V4(_) => true,
        IpAddr::V6(_) => PUBLIC.contains(&address),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Addresses that no server on the Internet has. Each is in a different notation or network.
    const HOSTILE: &[&str] = &[
        "0.0.0.0",
        "0.1.2.3",
        "10.0.0.1",
        "10.255.255.255",
        "100.64.0.1",
        "100.127.255.255",
        "127.0.0.1",
        "127.1.2.3",
        "169.254.169.254",
        "169.254.0.1",
        "172.16.0.1",
        "172.31.255.255",
        "192.0.0.1",
        "192.0.0.192",
        "192.0.2.1",
        "192.88.99.1",
        "192.168.0.1",
        "192.168.255.255",
        "198.18.0.1",
        "198.19.255.255",
        "198.51.100.1",
        "203.0.113.1",
        "224.0.0.1",
        "239.255.255.255",
        "240.0.0.1",
        "255.255.255.255",
        "100.100.100.200",
        "168.63.129.16",
        "::",
        "::1",
        "::127.0.0.1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "::ffff:169.254.169.254",
        "64:ff9b::7f00:1",
        "64:ff9b::a9fe:a9fe",
        "64:ff9b:1::1",
        "100::1",
        "2001::1",
        "2001:10::1",
        "2001:db8::1",
        "2002:7f00:1::1",
        "2002:a9fe:a9fe::1",
        "3fff::1",
        "5f00::1",
        "fc00::1",
        "fd00:ec2::254",
        "fd20:ce::254",
        "fe80::1",
        "fec0::1",
        "ff02::1",
        "ff0e::1",
    ];

    fn address(text: &str) -> IpAddr {
        text.parse().expect("an address")
    }

    #[test]
    fn webhooks_never_connect_to_an_address_that_is_not_public() {
        let rules = AddressRules::default();
        assert!(HOSTILE.len() > 43);
        for hostile in HOSTILE {
            assert!(rules.judge(address(hostile), true).is_err(), "{hostile}");
        }
        for public in
            ["8.8.8.8", "1.1.1.1", "172.32.0.1", "100.63.255.255", "2606:4700::1111", "2a00:1450::1"]
        {
            assert_eq!(rules.judge(address(public), true), Ok(()), "{public}");
            assert_eq!(rules.judge(address(public), false), Err(Refused::PlainHttp), "{public}");
        }
    }

    #[test]
    fn an_operator_can_open_any_networks_except_cloud_metadata_addresses() {
        let rules = AddressRules::opening(["0.0.0.0/0", "::/0"]).expect("networks");
        for hostile in HOSTILE {
            let judged = rules.judge(address(hostile), false);
            match judged {
                Ok(()) => assert!(!is_metadata(address(hostile).to_canonical()), "{hostile}"),
                Err(why) => assert_eq!(why, Refused::Metadata, "{hostile}"),
            }
        }
        let metadata = HOSTILE.iter().filter(|text| rules.judge(address(text), true).is_err()).count();
        assert_eq!(metadata, 9, "the addresses of metadata in the list");
        let opened = AddressRules::opening(["127.0.0.1/32", " 10.0.0.0/8", "::1"]).expect("networks");
        assert_eq!(opened.judge(address("127.0.0.1"), false), Ok(()));
        assert_eq!(opened.judge(address("::ffff:10.1.2.3"), false), Ok(()));
        assert_eq!(opened.judge(address("::1"), false), Ok(()));
        assert_eq!(opened.judge(address("127.0.0.2"), false), Err(Refused::NotPublic));
        assert_eq!(AddressRules::opening(["127.0.0.1/33"]).map(|_| ()), Err("127.0.0.1/33".to_owned()));
    }
}
