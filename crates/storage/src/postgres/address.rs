//! The address of a PostgreSQL server, as the operator writes it.

use std::time::Duration;

use tokio_postgres::Config;
use tokio_postgres::config::{Host, TargetSessionAttrs};

use super::fault::CONNECTING;
use super::tls;

/// Idle time after which the system checks that the other side of a connection is still there (TCP
/// keepalive).
const SILENCE: Duration = Duration::from_secs(30);

/// Longest time that sent bytes may stay unacknowledged before the system ends a connection.
const UNCONFIRMED: Duration = Duration::from_secs(10);

/// Whether a setting is the address of a PostgreSQL server.
pub fn is_postgres(text: &str) -> bool {
    text.starts_with("postgres://") || text.starts_with("postgresql://")
}

/// Reads an address such as `postgres://user:password@host:5432/database`. An address with standbys has
/// several hosts. Connections go to the host that takes writes, even if the address sets
/// `target_session_attrs`.
///
/// # Errors
/// A message about what is wrong. It never contains the address, because that may have a password.
pub(crate) fn parse(text: &str) -> Result<Config, String> {
    if text.contains("sslmode=verify-") || text.contains("sslrootcert=") {
        return Err(
            "write sslmode=require instead of sslmode=verify-full, sslmode=verify-ca and sslrootcert: it checks the server's certificate and name. If the system does not know the certificate's issuer, set SSL_CERT_FILE to a file with that issuer's certificate".into(),
        );
    }
    let mut config: Config = text.parse().map_err(|fault: tokio_postgres::Error| {
        let cause = std::error::Error::source(&fault).map_or_else(|| fault.to_string(), ToString::to_string);
        format!("must be an address such as postgres://user:password@host:5432/database: {cause}")
    })?;
    if config.get_hosts().is_empty() {
        return Err("must name a host, as in postgres://user:password@host:5432/database".into());
    }
    if config.get_user().is_none() {
        return Err("must name a user, as in postgres://user:password@host:5432/database".into());
    }
    tls::decide(&mut config);
    config.target_session_attrs(TargetSessionAttrs::ReadWrite);
    if config.get_connect_timeout().is_none() {
        config.connect_timeout(CONNECTING);
    }
    if config.get_application_name().is_none() {
        config.application_name("covernote");
    }
    config.keepalives_idle(SILENCE);
    if config.get_tcp_user_timeout().is_none() {
        config.tcp_user_timeout(UNCONFIRMED);
    }
    Ok(config)
}

/// Splits the configuration of an address into one configuration for each host.
pub(crate) fn each_host(config: &Config) -> Vec<Config> {
    let ports = config.get_ports();
    let of_host = |(place, host): (usize, &Host)| {
        let mut one = Config::new();
        match host {
            Host::Tcp(name) => one.host(name),
            Host::Unix(folder) => one.host_path(folder),
        };
        if let Some(address) = config.get_hostaddrs().get(place) {
            one.hostaddr(*address);
        }
        // A single port applies to all hosts.
        if let Some(port) = ports.get(place).or(ports.first()) {
            one.port(*port);
        }
        config.get_user().map(|user| one.user(user));
        config.get_password().map(|password| one.password(password));
        config.get_dbname().map(|name| one.dbname(name));
        config.get_options().map(|options| one.options(options));
        config.get_application_name().map(|name| one.application_name(name));
        config.get_connect_timeout().map(|limit| one.connect_timeout(*limit));
        config.get_tcp_user_timeout().map(|limit| one.tcp_user_timeout(*limit));
        one.ssl_mode(config.get_ssl_mode()).ssl_negotiation(config.get_ssl_negotiation());
        one.channel_binding(config.get_channel_binding());
        one.keepalives_idle(config.get_keepalives_idle());
        one.target_session_attrs(config.get_target_session_attrs());
        one
    };
    config.get_hosts().iter().enumerate().map(of_host).collect()
}

#[cfg(test)]
mod tests {
    use tokio_postgres::config::SslMode;

    use super::*;

    #[test]
    fn a_malformed_database_address_is_reported_without_its_password() {
        for text in [
            "postgres://u:hush@host:port/db",
            "postgres://u:hush@host/db?nonsense=1",
            "postgres://u:hush@/db",
            "postgres://host/db",
        ] {
            let refused = parse(text).expect_err(text);
            assert!(refused.contains("postgres://user:password@host"), "{refused}");
            assert!(!refused.contains("hush"), "{refused}");
        }
    }

    #[test]
    fn unsupported_tls_modes_are_refused_with_the_setting_to_use_instead() {
        for query in ["sslmode=verify-full", "sslmode=verify-ca", "sslmode=require&sslrootcert=/ca.pem"] {
            let refused = parse(&format!("postgres://u:hush@db.example/db?{query}")).expect_err(query);
            assert!(refused.contains("sslmode=require") && refused.contains("SSL_CERT_FILE"), "{refused}");
            assert!(!refused.contains("hush"), "{refused}");
        }
    }

    #[test]
    fn a_remote_server_is_reached_over_tls_unless_its_address_disables_tls() {
        let mode = |text: &str| parse(text).expect("an address").get_ssl_mode();
        assert_eq!(mode("postgres://u@127.0.0.1/db"), SslMode::Disable);
        assert_eq!(mode("postgres://u@localhost/db"), SslMode::Disable);
        assert_eq!(mode("postgres://u@db.example/db"), SslMode::Require);
        assert_eq!(mode("postgres://u@localhost,db.example/db"), SslMode::Require);
        assert_eq!(mode("postgres://u@db.example/db?sslmode=disable"), SslMode::Disable);
    }

    #[test]
    fn each_host_of_an_address_gets_its_own_port_and_all_other_options() {
        let config =
            parse("postgres://u:hush@a:1,b:2/db?sslmode=disable&connect_timeout=7").expect("an address");
        let hosts = each_host(&config);
        let told: Vec<_> = hosts
            .iter()
            .map(|one| (one.get_hosts().to_vec(), one.get_ports().to_vec(), one.get_target_session_attrs()))
            .collect();
        let writes = TargetSessionAttrs::ReadWrite;
        let host = |name: &str, port| (vec![Host::Tcp(name.into())], vec![port], writes);
        assert_eq!(told, [host("a", 1), host("b", 2)]);
        for one in &hosts {
            assert_eq!((one.get_user(), one.get_password()), (Some("u"), Some(&b"hush"[..])));
            assert_eq!((one.get_dbname(), one.get_ssl_mode()), (Some("db"), SslMode::Disable));
            assert_eq!(one.get_connect_timeout().map(|limit| limit.as_secs()), Some(7));
        }
        let one_port = parse("postgres://u@a,b:9/db").map(|config| each_host(&config));
        assert!(one_port.is_ok_and(|hosts| hosts.len() == 2));
    }

    #[test]
    fn only_a_server_that_accepts_writes_is_used() {
        for text in ["postgres://u@a,b/db", "postgres://u@a,b/db?target_session_attrs=any"] {
            let config = parse(text).expect("an address");
            assert_eq!(config.get_target_session_attrs(), TargetSessionAttrs::ReadWrite);
        }
    }
}
