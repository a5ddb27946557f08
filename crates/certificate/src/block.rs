//! Rows and strips: what pages are stacked from.

use std::rc::Rc;

use qrcodegen::QrCode;

use crate::{
    structure::Leaf,
    style::{Ink, Style},
    text::{self, Line},
};

/// Strips that belong together. Pages break between rows; inside one only when it is taller than a page.
#[derive(Default)]
pub(crate) struct Row {
    pub(crate) strips: Vec<Strip>,
    /// Space above, unless the row begins a page.
    pub(crate) space_above: f32,
    /// Whether the row begins a section, so that spare room may be added above it.
    pub(crate) begins_section: bool,
    /// Whether a page may not break between this row and the next.
    pub(crate) stays_with_next: bool,
    /// Whether the row stands on the tint.
    pub(crate) is_tinted: bool,
    /// The row's title in the document's outline.
    pub(crate) bookmark: Option<&'static str>,
}

/// A piece of a row over the whole width of the text, never broken.
#[derive(Default)]
pub(crate) struct Strip {
    pub(crate) height: f32,
    pub(crate) marks: Vec<Mark>,
}

/// Something drawn in a strip.
pub(crate) struct Mark {
    /// From the left edge of the text.
    pub(crate) x: f32,
    /// From the top of the strip: of a line of text to its baseline, of anything else to its top.
    pub(crate) y: f32,
    pub(crate) drawing: Drawing,
}

/// What can be drawn.
pub(crate) enum Drawing {
    Words {
        line: Line,
        leaf: Leaf,
    },
    /// Words that lead to an address.
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

impl Row {
    pub(crate) fn of(strips: Vec<Strip>) -> Row {
        Row { strips, ..Row::default() }
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

/// A text in lines, one strip each.
pub(crate) fn words(text: &str, style: &'static Style, x: f32, width: f32, leaf: Leaf) -> Vec<Strip> {
    strips(text, style, x, width, |line| Drawing::Words { line, leaf })
}

/// A text that leads to an address, in lines, one strip each.
pub(crate) fn link(address: &str, style: &'static Style, x: f32, width: f32, leaf: Leaf) -> Vec<Strip> {
    let target: Rc<str> = address.into();
    strips(address, style, x, width, |line| Drawing::Link { line, leaf, address: Rc::clone(&target) })
}

/// Puts columns beside each other: the first strips of all of them become one strip, and so on.
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

/// Stacks strips into one that never breaks.
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
    // The baseline leaves room for the marks above and below Devanagari letters.
    let baseline = style.leading / 2.0 + style.size * 0.31;
    text::lines(text, style, width)
        .into_iter()
        .map(|line| Strip {
            height: style.leading,
            marks: vec![Mark { x, y: baseline, drawing: draw(line) }],
        })
        .collect()
}
