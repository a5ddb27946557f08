//! Files that the pages load: stylesheet, icon, scripts.

use std::sync::LazyLock;

use bytes::Bytes;

use crate::etag;

#[derive(Debug)]
pub(crate) struct Asset {
    name: &'static str,
    pub(crate) content_type: &'static str,
    pub(crate) body: Bytes,
    /// Value of `Content-Encoding`, if the body is compressed.
    pub(crate) encoding: Option<&'static str>,
    pub(crate) etag: String,
}

/// Icon of every page, as SVG.
pub const ICON: &str = include_str!("../assets/icon.svg");

const SCRIPT: &str = "text/javascript; charset=utf-8";

/// All files that the pages load, with their ETags.
static ASSETS: LazyLock<[Asset; 5]> = LazyLock::new(|| {
    let asset = |name, content_type, body: &'static [u8], encoding| Asset {
        name,
        content_type,
        body: Bytes::from_static(body),
        encoding,
        etag: etag::of(body),
    };
    let redoc = include_bytes!("../vendor/redoc/redoc.standalone.js.gz");
    [
        asset("style.css", "text/css; charset=utf-8", include_bytes!("../assets/style.css"), None),
        asset("icon.svg", "image/svg+xml", ICON.as_bytes(), None),
        asset("copy.js", SCRIPT, include_bytes!("../assets/copy.js"), None),
        asset("reference.js", SCRIPT, include_bytes!("../assets/reference.js"), None),
        asset("redoc.js", SCRIPT, redoc, Some("gzip")),
    ]
});

pub(crate) fn of(name: &str) -> Option<&'static Asset> {
    ASSETS.iter().find(|asset| asset.name == name)
}
