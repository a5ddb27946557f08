//! Validation of a partner's web addresses, which appear in response headers or redirect customers.

use url::{Host, Url};

/// Validates the origin of a web page that may show the hosted journey in a frame.
///
/// # Errors
/// If the address is invalid: what it must be.
pub(crate) fn validate_origin(text: &str) -> Result<(), String> {
    let url = parse(text)?;
    let origin = url.origin().ascii_serialization();
    if origin == text {
        return Ok(());
    }
    // The text has more than an origin: a path, a user name or a default port.
    Err(format!("Must be only scheme, host and port, without a slash at its end: {origin}"))
}

/// Validates an address to which the hosted journey may redirect a customer.
///
/// # Errors
/// If the address is invalid: what it must be.
pub(crate) fn validate_return_url(text: &str) -> Result<(), String> {
    let url = parse(text)?;
    if url.fragment().is_some() {
        return Err("Must not have a part after #, which would hide the session's id.".into());
    }
    if !text.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err("Must be plain ASCII. Percent-encode other characters.".into());
    }
    Ok(())
}

/// Parses an address that has a host. It must be https; http is accepted on this machine only.
fn parse(text: &str) -> Result<Url, String> {
    let url = Url::parse(text).map_err(|fault| format!("Must be a web address ({fault})."))?;
    let host = url.host().ok_or("Must have a host.")?;
    let loopback = match &host {
        Host::Domain(name) => *name == "localhost",
        Host::Ipv4(address) => address.is_loopback(),
        Host::Ipv6(address) => address.is_loopback(),
    };
    if url.scheme() != "https" && !(url.scheme() == "http" && loopback) {
        return Err("Must be https. http is accepted on this machine only.".into());
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("Must not have a user name.".into());
    }
    // A parsed host may have more characters than a host name, and some of them could end the header value.
    let plain =
        |name: &str| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.'));
    if let Host::Domain(name) = host
        && !plain(name)
    {
        return Err("Must have a valid host name. Give each host separately, without *.".into());
    }
    Ok(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_has_only_a_scheme_a_host_and_a_port() {
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
        let fault = validate_origin("https://app.example/").expect_err("a slash");
        assert!(fault.ends_with("without a slash at its end: https://app.example"), "{fault}");
    }

    #[test]
    fn a_return_address_must_be_an_https_or_loopback_url_without_a_fragment() {
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
