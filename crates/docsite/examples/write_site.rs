//! Writes all pages into a folder, to view them in a browser.
//!
//! `cargo run -p docsite --example write_site -- FOLDER`.

use std::fs;
use std::path::{Path, PathBuf};

use docsite::{ErrorCode, Facts, Site};

/// Error codes of the API, in the form in which the program passes them.
const CODES: &[ErrorCode] = &[
    ErrorCode { code: "V4000", status: 400, title: "Validation Error" },
    ErrorCode { code: "S4000", status: 400, title: "Invalid State" },
    ErrorCode { code: "A4001", status: 401, title: "Invalid Authentication Credentials" },
    ErrorCode { code: "A4030", status: 403, title: "Insufficient Permission" },
    ErrorCode { code: "R4040", status: 404, title: "Resource Not Found" },
    ErrorCode { code: "R4050", status: 405, title: "Method Not Allowed" },
    ErrorCode { code: "S4090", status: 409, title: "Conflict" },
    ErrorCode { code: "R4100", status: 410, title: "Link Expired" },
    ErrorCode { code: "V4130", status: 413, title: "Payload Too Large" },
    ErrorCode { code: "V4150", status: 415, title: "Unsupported Media Type" },
    ErrorCode { code: "V4220", status: 422, title: "Idempotency Key Reused" },
    ErrorCode { code: "A4290", status: 429, title: "Rate Limit Exceeded" },
    ErrorCode { code: "E5000", status: 500, title: "An unexpected error occurred" },
    ErrorCode { code: "E5030", status: 503, title: "Service Unavailable" },
];

fn main() -> std::io::Result<()> {
    let folder = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| "site".to_owned()));
    let site = Site::new(Facts {
        base_url: "https://api.insurance.example".to_owned(),
        journey_url: Some("https://journey.insurance.example".to_owned()),
        version: env!("CARGO_PKG_VERSION"),
        codes: CODES,
        changelog: include_str!("../../../CHANGELOG.md"),
    });
    for path in site.paths() {
        write(&folder, &format!("docs{path}/index.html"), &site.answer(&path, None).body)?;
    }
    for (name, query) in [("results", "q=webhook+signature"), ("nothing", "q=zzz")] {
        write(&folder, &format!("docs/search/{name}.html"), &site.answer("/search", Some(query)).body)?;
    }
    write(&folder, "404.html", &site.answer("/no-such-page", None).body)?;
    for asset in ["style.css", "icon.svg", "copy.js", "reference.js", "redoc.js"] {
        write(
            &folder,
            &format!("docs/assets/{asset}"),
            &site.answer(&format!("/assets/{asset}"), None).body,
        )?;
    }
    Ok(())
}

fn write(folder: &Path, path: &str, bytes: &[u8]) -> std::io::Result<()> {
    let path = folder.join(path);
    fs::create_dir_all(path.parent().unwrap_or(folder))?;
    fs::write(path, bytes)
}
