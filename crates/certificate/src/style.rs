//! Appearance of a certificate: lengths in points, text styles, colours.

use krilla::color::rgb;

use crate::face::Weight;

/// Width of an A4 page.
pub(crate) const PAGE_WIDTH: f32 = 595.28;
/// Height of an A4 page.
pub(crate) const PAGE_HEIGHT: f32 = 841.89;
/// Distance from the page's edge to the frame.
pub(crate) const FRAME_INSET: f32 = 24.0;
/// Width of the left margin and of the right margin of the text.
pub(crate) const MARGIN: f32 = 50.0;
pub(crate) const TEXT_WIDTH: f32 = PAGE_WIDTH - 2.0 * MARGIN;
/// Top of the content on the first page.
pub(crate) const FIRST_TOP: f32 = 44.0;
/// Top of the content on a later page, below the page header.
pub(crate) const LATER_TOP: f32 = 64.0;
/// Bottom of the content on every page.
pub(crate) const BOTTOM: f32 = PAGE_HEIGHT - 48.0;
/// Baseline of the page header on a later page.
pub(crate) const HEAD_BASELINE: f32 = 46.0;
/// Baseline of the page footer.
pub(crate) const FOOT_BASELINE: f32 = PAGE_HEIGHT - 35.0;

/// Space between two columns.
pub(crate) const GUTTER: f32 = 12.0;
/// Space between the insurer's address and the title.
pub(crate) const ABOVE_TITLE: f32 = 10.0;
/// Space above a section.
pub(crate) const SECTION_GAP: f32 = 9.0;
/// Most space that is added above each section if a single page has spare room.
pub(crate) const SECTION_GAP_STRETCH: f32 = 16.0;
/// Most space that is taken away above each section if that saves a page.
pub(crate) const SECTION_GAP_SHRINK: f32 = 6.0;

/// Colours, named by purpose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ink {
    /// Colour of values and text.
    Text,
    /// Colour of labels and small print.
    Quiet,
    /// Colour of headings, rules and the frame.
    Accent,
    /// Colour of fine lines.
    Line,
    /// Background colour of the key facts.
    Tint,
    /// Colour of important notices.
    Warning,
    /// Colour of the word across a specimen's page, which is behind the text.
    Behind,
}

impl Ink {
    pub(crate) fn colour(self) -> rgb::Color {
        match self {
            Ink::Text => rgb::Color::new(0x1d, 0x25, 0x30),
            Ink::Quiet => rgb::Color::new(0x57, 0x62, 0x6f),
            Ink::Accent => rgb::Color::new(0x13, 0x4e, 0x5e),
            Ink::Line => rgb::Color::new(0xc9, 0xd3, 0xd8),
            Ink::Tint => rgb::Color::new(0xf0, 0xf5, 0xf6),
            Ink::Warning => rgb::Color::new(0xa3, 0x1c, 0x1c),
            Ink::Behind => rgb::Color::new(0xf3, 0xd6, 0xd6),
        }
    }
}

#[derive(Debug, PartialEq)]
pub(crate) struct Style {
    pub(crate) weight: Weight,
    pub(crate) size: f32,
    /// Distance between the baselines of two lines. Marks of Devanagari letters need 1.4 times the type size.
    pub(crate) leading: f32,
    pub(crate) ink: Ink,
}

pub(crate) const TITLE: Style =
    Style { weight: Weight::SemiBold, size: 25.0, leading: 33.0, ink: Ink::Accent };
pub(crate) const MARK: Style =
    Style { weight: Weight::SemiBold, size: 14.0, leading: 22.0, ink: Ink::Warning };
pub(crate) const SPECIMEN: Style =
    Style { weight: Weight::SemiBold, size: 140.0, leading: 190.0, ink: Ink::Behind };
pub(crate) const NUMBER: Style =
    Style { weight: Weight::SemiBold, size: 11.5, leading: 16.5, ink: Ink::Text };
pub(crate) const INSURER: Style =
    Style { weight: Weight::SemiBold, size: 11.5, leading: 16.5, ink: Ink::Accent };
pub(crate) const HEADING: Style =
    Style { weight: Weight::SemiBold, size: 10.0, leading: 15.0, ink: Ink::Accent };
pub(crate) const KEY_FACT: Style =
    Style { weight: Weight::SemiBold, size: 12.0, leading: 17.2, ink: Ink::Text };
pub(crate) const BODY: Style = Style { weight: Weight::Regular, size: 9.0, leading: 12.8, ink: Ink::Text };
pub(crate) const LABEL: Style = Style { weight: Weight::Regular, size: 7.5, leading: 10.8, ink: Ink::Quiet };
pub(crate) const NOTE: Style = Style { weight: Weight::Regular, size: 8.0, leading: 11.4, ink: Ink::Text };
pub(crate) const NOTE_LABEL: Style =
    Style { weight: Weight::SemiBold, size: 8.0, leading: 11.4, ink: Ink::Text };
pub(crate) const CHECK: Style =
    Style { weight: Weight::SemiBold, size: 7.0, leading: 10.0, ink: Ink::Accent };
pub(crate) const ADDRESS: Style = Style { weight: Weight::Regular, size: 6.0, leading: 8.2, ink: Ink::Quiet };
pub(crate) const FOOT: Style = Style { weight: Weight::Regular, size: 7.0, leading: 10.0, ink: Ink::Quiet };
