//! The files beside the pages: stylesheet, icon, and what the reference page runs.

/// A file as it is served.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Asset {
    pub(crate) content_type: &'static str,
    pub(crate) body: &'static [u8],
    /// How the body is compressed.
    pub(crate) encoding: Option<&'static str>,
}

const SCRIPT: &str = "text/javascript; charset=utf-8";

/// The file of this name.
pub(crate) fn of(name: &str) -> Option<Asset> {
    let (content_type, body, encoding): (_, &'static [u8], _) = match name {
        "style.css" => ("text/css; charset=utf-8", include_bytes!("../assets/style.css"), None),
        "icon.svg" => ("image/svg+xml", include_bytes!("../assets/icon.svg"), None),
        "reference.js" => (SCRIPT, include_bytes!("../assets/reference.js"), None),
        "redoc.js" => (SCRIPT, include_bytes!("../vendor/redoc/redoc.standalone.js.gz"), Some("gzip")),
        _ => return None,
    };
    Some(Asset { content_type, body, encoding })
}
