//! Checks the `Host` header: exactly one, and for the demo only a name of this machine.

use axum::http::{HeaderValue, Request, Version, header};

use crate::app::App;
use crate::error::{Problem, Result};

/// Checks the `Host` header of a request.
///
/// # Errors
/// V4000 if an HTTP/1.1 request has no `Host` header or several (RFC 9112), or if a request to the demo names
/// another host. The check of the name stops a website that points its own name to this machine (DNS
/// rebinding).
pub(crate) fn judge<B>(app: &App, request: &Request<B>) -> Result<()> {
    let host = one_host(request)?;
    let is_demo = app.journey().is_some_and(|site| site.demo.is_some());
    let Some(host) = host.filter(|_| is_demo) else { return Ok(()) };
    if host.to_str().is_ok_and(is_of_this_machine) {
        Ok(())
    } else {
        Err(Problem::fault("Host", "The demo answers only to 127.0.0.1 and localhost."))
    }
}

/// The `Host` header of a request, which HTTP/2 may leave out.
///
/// # Errors
/// V4000 if an HTTP/1.1 request has no `Host` header or several (RFC 9112).
pub fn one_host<B>(request: &Request<B>) -> Result<Option<&HeaderValue>> {
    let mut hosts = request.headers().get_all(header::HOST).iter();
    let host = hosts.next();
    if hosts.next().is_some() || host.is_none() && request.version() == Version::HTTP_11 {
        return Err(Problem::fault("Host", "Send exactly one Host header."));
    }
    Ok(host)
}

/// Whether `host`, with or without port, is localhost or a loopback address.
fn is_of_this_machine(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.rsplit_once(':').map_or(host, |(name, _)| name),
    };
    name.eq_ignore_ascii_case("localhost")
        || name.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_loopback_names_and_addresses_count_as_this_machine() {
        for host in ["localhost", "localhost:8080", "127.0.0.1:8080", "127.0.0.2", "[::1]:8080", "LOCALHOST"]
        {
            assert!(is_of_this_machine(host), "{host}");
        }
        for host in ["", "evil.example", "evil.example:8080", "localhost.evil.example", "10.0.0.1", "[::2]"] {
            assert!(!is_of_this_machine(host), "{host}");
        }
    }
}
