//! Addresses of a partner that browsers are told of: judged whole, since they stand in headers and lead customers away.

use url::{Host, Url};

/// Judges the origin of a web page that may frame the journey.
///
/// # Errors
/// What is wrong with it, as the end of a sentence.
pub fn validate_origin(text: &str) -> Result<(), String> {
    let url = parse(text)?;
    let origin = url.origin().ascii_serialization();
    if origin == text {
        return Ok(());
    }
    // What follows would be told by the address as it was parsed: an origin is its beginning and nothing more.
    Err(format!("an origin is scheme, host and port alone, without a slash at its end: {origin}"))
}

/// Judges an address that a customer may be sent back to.
///
/// # Errors
/// What is wrong with it, as the end of a sentence.
pub fn validate_return_url(text: &str) -> Result<(), String> {
    let url = parse(text)?;
    if url.fragment().is_some() {
        return Err("what follows # would swallow the session's id".into());
    }
    if !text.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err("an address is written in plain ASCII, everything else percent-encoded".into());
    }
    Ok(())
}

/// An address with a host of its own: https, or http on this machine.
fn parse(text: &str) -> Result<Url, String> {
    let url = Url::parse(text).map_err(|fault| format!("it is no web address ({fault})"))?;
    let host = url.host().ok_or("it names no host")?;
    let loopback = match &host {
        Host::Domain(name) => *name == "localhost",
        Host::Ipv4(address) => address.is_loopback(),
        Host::Ipv6(address) => address.is_loopback(),
    };
    if url.scheme() != "https" && !(url.scheme() == "http" && loopback) {
        return Err("https is wanted, or http on this machine alone".into());
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("an address of this kind has no user name".into());
    }
    // Hosts may hold more than names do, and what is put into a header must not end there what it is put into.
    let plain =
        |name: &str| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.'));
    if let Host::Domain(name) = host
        && !plain(name)
    {
        return Err("its host is no host's name; each host is named by itself, without *".into());
    }
    Ok(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_is_scheme_host_and_port_alone() {
        for good in
            ["https://app.example", "https://app.example:8443", "http://localhost:3000", "http://[::1]:80"]
        {
            // Port 80 is http's own: browsers leave it out, and so must the origin.
            assert_eq!(validate_origin(good).is_ok(), !good.ends_with(":80"), "{good}");
        }
        for bad in [
            "https://app.example/",
            "https://app.example/x",
            "https://*.app.example",
            "https://a.example;script-src",
            "https://user@app.example",
            "http://app.example",
            "http://localhost.evil.example",
            "https://App.example",
            "https://app.example:443",
            "app.example",
            "https://",
            "data:text/html,x",
            "https://a.example https://b.example",
        ] {
            assert!(validate_origin(bad).is_err(), "{bad}");
        }
        let told = validate_origin("https://app.example/").expect_err("a slash");
        assert!(told.ends_with("without a slash at its end: https://app.example"), "{told}");
    }

    #[test]
    fn a_return_address_is_a_whole_web_address() {
        for good in ["https://app.example/done?x=1", "https://app.example", "http://127.0.0.1:8080/demo"] {
            assert_eq!(validate_return_url(good), Ok(()), "{good}");
        }
        for bad in [
            "https://app.example/#done",
            "myapp://done",
            "http://app.example/",
            "/done",
            "javascript:alert(1)",
        ] {
            assert!(validate_return_url(bad).is_err(), "{bad}");
        }
    }
}
