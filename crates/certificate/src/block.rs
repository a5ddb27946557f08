//! Rows of a page, and the strips of which they consist. A strip never breaks between pages.

use std::rc::Rc;

use qrcodegen::QrCode;

use crate::{
    structure::Leaf,
    style::{Ink, Style},
    text::{self, Line},
};

/// Strips that belong together. A page can break between two rows. It can break inside a row only if the row
/// is taller than a page.
#[derive(Default)]
pub(crate) struct StripRow {
    pub(crate) strips: Vec<Strip>,
    /// Space above the row, in points. It is left out at the top of a page.
    pub(crate) space_above: f32,
    /// Whether the row begins a section. If a page has spare room, space is added above such rows.
    pub(crate) begins_section: bool,
    /// Whether no page break is allowed between this row and the next row.
    pub(crate) stays_with_next: bool,
    /// Whether the row has a tinted background.
    pub(crate) is_tinted: bool,
    /// Title of the row in the PDF outline, if any.
    pub(crate) bookmark: Option<&'static str>,
}

/// Part of a row that never breaks between pages. It is as wide as the text area.
#[derive(Default)]
pub(crate) struct Strip {
    pub(crate) height: f32,
    pub(crate) marks: Vec<Mark>,
}

/// Text, line or QR code that is drawn in a strip.
pub(crate) struct Mark {
    /// Distance from the left edge of the text area, in points.
    pub(crate) x: f32,
    /// Distance from the top of the strip, in points. For a line of text, to its baseline; otherwise to the
    /// top of what is drawn.
    pub(crate) y: f32,
    pub(crate) drawing: Drawing,
}

pub(crate) enum Drawing {
    Words {
        line: Line,
        leaf: Leaf,
    },
    /// Text that links to a URL.
    Link {
        line: Line,
        leaf: Leaf,
        address: Rc<str>,
    },
    Rule {
        width: f32,
        ink: Ink,
    },
    Code {
        code: QrCode,
        side: f32,
        leaf: Leaf,
    },
}

impl StripRow {
    pub(crate) fn of(strips: Vec<Strip>) -> StripRow {
        StripRow { strips, ..StripRow::default() }
    }

    pub(crate) fn height(&self) -> f32 {
        self.strips.iter().map(|strip| strip.height).sum()
    }
}

impl Strip {
    pub(crate) fn space(height: f32) -> Strip {
        Strip { height, marks: Vec::new() }
    }

    pub(crate) fn rule(height: f32, ink: Ink) -> Strip {
        let drawing = Drawing::Rule { width: crate::style::TEXT_WIDTH, ink };
        Strip { height, marks: vec![Mark { x: 0.0, y: 0.0, drawing }] }
    }
}

/// Breaks a text into lines. Each line becomes one strip.
pub(crate) fn words(text: &str, style: &'static Style, x: f32, width: f32, leaf: Leaf) -> Vec<Strip> {
    strips(text, style, x, width, |line| Drawing::Words { line, leaf })
}

/// Breaks the text of a link into lines. Each line becomes one strip.
pub(crate) fn link(address: &str, style: &'static Style, x: f32, width: f32, leaf: Leaf) -> Vec<Strip> {
    let target: Rc<str> = address.into();
    strips(address, style, x, width, |line| Drawing::Link { line, leaf, address: Rc::clone(&target) })
}

/// Puts columns side by side: the first strips of all columns become one strip, the second strips the next
/// strip, and so on.
pub(crate) fn beside(columns: Vec<Vec<Strip>>) -> Vec<Strip> {
    let mut rows: Vec<Strip> = Vec::new();
    for column in columns {
        for (index, strip) in column.into_iter().enumerate() {
            match rows.get_mut(index) {
                Some(row) => {
                    row.height = row.height.max(strip.height);
                    row.marks.extend(strip.marks);
                }
                None => rows.push(strip),
            }
        }
    }
    rows
}

/// Stacks strips into one strip, so that no page break is possible between them.
pub(crate) fn stack(strips: Vec<Strip>) -> Strip {
    let mut stacked = Strip::default();
    for strip in strips {
        let top = stacked.height;
        stacked.marks.extend(strip.marks.into_iter().map(|mark| Mark { y: mark.y + top, ..mark }));
        stacked.height += strip.height;
    }
    stacked
}

fn strips(
    text: &str,
    style: &'static Style,
    x: f32,
    width: f32,
    draw: impl Fn(Line) -> Drawing,
) -> Vec<Strip> {
    // The baseline leaves room for marks above and below Devanagari letters.
    let baseline = style.leading / 2.0 + style.size * 0.31;
    text::lines(text, style, width)
        .into_iter()
        .map(|line| Strip {
            height: style.leading,
            marks: vec![Mark { x, y: baseline, drawing: draw(line) }],
        })
        .collect()
}
