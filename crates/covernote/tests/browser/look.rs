//! How a browser shows a page.

use serde_json::{Value, json};

/// Device, size, zoom and colours of a page, with scripts or without.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Look {
    pub(crate) width: Width,
    pub(crate) scripts: bool,
    /// Zoom as in a browser's menu: at 2.0, half as many CSS pixels fit.
    pub(crate) zoom: f32,
    /// Whether the device asks for dark colours.
    pub(crate) dark: bool,
}

/// Kind of device, with its width in CSS pixels at zoom 1.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Width {
    /// Touched with a finger. It respects the page's `viewport`.
    Phone(u16),
    /// With mouse and keyboard.
    Desktop(u16),
}

impl Look {
    /// A small phone.
    pub(crate) const PHONE: Look = Look { width: Width::Phone(360), scripts: true, zoom: 1.0, dark: false };
    /// An ordinary screen.
    pub(crate) const DESKTOP: Look = Look { width: Width::Desktop(1280), ..Look::PHONE };

    /// DevTools commands that apply this look to the present page and later pages.
    pub(crate) fn commands(self) -> [(&'static str, Value); 4] {
        let (width, height, fine, phone) = match self.width {
            Width::Phone(width) => (width, 740, 2.0, true),
            Width::Desktop(width) => (width, 800, 1.0, false),
        };
        let in_css_pixels = |length: u16| (f32::from(length) / self.zoom).round();
        let metrics = json!({
            "width": in_css_pixels(width),
            "height": in_css_pixels(height),
            "deviceScaleFactor": fine * self.zoom,
            "mobile": phone,
        });
        let scheme = if self.dark { "dark" } else { "light" };
        [
            ("Emulation.setDeviceMetricsOverride", metrics),
            ("Emulation.setTouchEmulationEnabled", json!({ "enabled": phone })),
            (
                "Emulation.setEmulatedMedia",
                json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] }),
            ),
            ("Emulation.setScriptExecutionDisabled", json!({ "value": !self.scripts })),
        ]
    }
}
