//! Rows of a document, which are built together with the structure for screen readers.

use std::num::NonZeroU16;

use krilla::tagging::{TableHeaderScope, Tag, TagKind};
use qrcodegen::{QrCode, QrCodeEcc, QrSegment, Version};

use crate::{
    block::{self, Drawing, Mark, Strip, StripRow},
    error::RenderError,
    structure::{Branch, Structure},
    style::{self, Ink, Style, TEXT_WIDTH},
    text,
};

/// Width and height of the QR code in points, and width of its column. It has room for about 40 modules of
/// 0.75 mm.
const CODE_SIDE: f32 = 86.0;
/// Largest QR code version that is still readable at this size: 93 modules of 0.33 mm.
const LARGEST_VERSION: u8 = 19;

/// Rows and structure of a whole document.
#[derive(Default)]
pub(crate) struct Sheet {
    pub(crate) rows: Vec<StripRow>,
    pub(crate) structure: Structure,
}

/// Label and value. A fact with an empty value is not printed.
pub(crate) type Fact<'a> = (&'a str, &'a str);

pub(crate) struct Column {
    pub(crate) title: &'static str,
    /// Share of the table's width. The shares of all columns add up to 1 or less.
    pub(crate) part: f32,
}

impl Sheet {
    /// Adds the letterhead. On the left are the texts, which include `title`. On the right is the QR code of
    /// `check_address`, if that is not empty.
    pub(crate) fn letterhead(
        &mut self,
        texts: &[(&str, &'static Style)],
        title: &'static str,
        check_address: &str,
    ) -> Result<(), RenderError> {
        let width = TEXT_WIDTH - CODE_SIDE - style::GUTTER;
        let mut strips = Vec::new();
        for (text, style) in texts.iter().filter(|(text, _)| is_shown(text)) {
            let leaf = self.structure.leaf();
            let tag = if **style == style::TITLE { heading_tag(1, title) } else { Tag::P.into() };
            self.structure.push(tag, vec![Branch::Leaf(leaf)]);
            if **style == style::TITLE {
                strips.push(Strip::space(style::ABOVE_TITLE));
            }
            strips.extend(block::words(text, style, 0.0, width, leaf));
        }
        let code = self.check(check_address)?;
        let text_height: f32 = strips.iter().map(|strip| strip.height).sum();
        if text_height < code.height {
            strips.push(Strip::space(code.height - text_height));
        }
        match strips.first_mut() {
            Some(first) => first.marks.extend(code.marks),
            None => strips.push(code),
        }
        self.rows.push(StripRow { bookmark: Some(title), ..StripRow::of(strips) });
        Ok(())
    }

    /// Adds the heading of a section. At least one row must follow.
    pub(crate) fn heading(&mut self, title: &'static str) {
        let leaf = self.structure.leaf();
        self.structure.push(heading_tag(2, title), vec![Branch::Leaf(leaf)]);
        let mut strips = vec![Strip::rule(4.5, Ink::Line)];
        strips.extend(block::words(title, &style::HEADING, 0.0, TEXT_WIDTH, leaf));
        strips.push(Strip::space(1.5));
        self.rows.push(StripRow {
            space_above: style::SECTION_GAP,
            begins_section: true,
            stays_with_next: true,
            bookmark: Some(title),
            ..StripRow::of(strips)
        });
    }

    /// Adds the key facts: one row with a tinted background and large values.
    pub(crate) fn key_facts(&mut self, facts: &[Fact<'_>]) {
        let shown: Vec<Fact<'_>> = facts.iter().copied().filter(|fact| is_shown(fact.1)).collect();
        let widths = widths(&vec![1.0; shown.len()], TEXT_WIDTH - 2.0 * style::GUTTER);
        let mut cells = self.fact_row(&shown, &widths, style::GUTTER, &style::KEY_FACT);
        cells.insert(0, Strip::space(7.0));
        cells.push(Strip::space(6.0));
        self.rows.push(StripRow {
            space_above: style::SECTION_GAP,
            begins_section: true,
            is_tinted: true,
            ..StripRow::of(cells)
        });
    }

    /// Adds facts in columns. `parts` are the columns' shares of the text width.
    pub(crate) fn facts(&mut self, parts: &[f32], facts: &[Fact<'_>]) {
        let widths = widths(parts, TEXT_WIDTH);
        let shown: Vec<Fact<'_>> = facts.iter().copied().filter(|fact| is_shown(fact.1)).collect();
        for (index, row) in shown.chunks(parts.len()).enumerate() {
            let strips = self.fact_row(row, &widths, 0.0, &style::BODY);
            self.rows
                .push(StripRow { space_above: if index == 0 { 0.0 } else { 3.0 }, ..StripRow::of(strips) });
        }
    }

    /// Adds a table. Its first row has the titles of the columns.
    pub(crate) fn table(&mut self, columns: &[Column], rows: &[Vec<&str>]) {
        let titles: Vec<&str> = columns.iter().map(|column| column.title).collect();
        let head = || Tag::TH(TableHeaderScope::Column).into();
        let (strips, cells) = self.table_row(columns, &titles, &style::LABEL, head);
        self.rows.push(StripRow { stays_with_next: true, ..StripRow::of(strips) });
        let mut branches = vec![Branch::group(Tag::TR, cells)];
        for (index, row) in rows.iter().enumerate() {
            let (strips, cells) = self.table_row(columns, row, &style::BODY, || Tag::TD.into());
            branches.push(Branch::group(Tag::TR, cells));
            self.rows
                .push(StripRow { space_above: if index == 0 { 0.0 } else { 2.0 }, ..StripRow::of(strips) });
        }
        self.structure.push(Tag::Table, branches);
    }

    /// Adds notes. Each has a label on the left and a text on the right.
    pub(crate) fn notes(&mut self, notes: &[Fact<'_>], label_width: f32) {
        for (index, (label, text)) in notes.iter().filter(|note| is_shown(note.1)).enumerate() {
            let (label_leaf, text_leaf) = (self.structure.leaf(), self.structure.leaf());
            let strips = block::beside(vec![
                block::words(label, &style::NOTE_LABEL, 0.0, label_width - style::GUTTER, label_leaf),
                block::words(text, &style::NOTE, label_width, TEXT_WIDTH - label_width, text_leaf),
            ]);
            self.structure.push(Tag::P, vec![Branch::Leaf(label_leaf), Branch::Leaf(text_leaf)]);
            self.rows
                .push(StripRow { space_above: if index == 0 { 0.0 } else { 1.5 }, ..StripRow::of(strips) });
        }
    }

    /// Puts facts side by side. Each has its label above its value.
    fn fact_row(
        &mut self,
        facts: &[Fact<'_>],
        widths: &[f32],
        left: f32,
        value_style: &'static Style,
    ) -> Vec<Strip> {
        let mut columns = Vec::new();
        let mut x = left;
        for ((label, value), width) in facts.iter().zip(widths) {
            let (label_leaf, value_leaf) = (self.structure.leaf(), self.structure.leaf());
            self.structure.push(Tag::P, vec![Branch::Leaf(label_leaf), Branch::Leaf(value_leaf)]);
            // Stacked, so that a label of several lines does not push its value below the other columns.
            let mut column = vec![block::stack(block::words(label, &style::LABEL, x, *width, label_leaf))];
            column.extend(block::words(value, value_style, x, *width, value_leaf));
            columns.push(column);
            x += width + style::GUTTER;
        }
        block::beside(columns)
    }

    /// Builds a row of a table: its strips, and its cells in the structure for screen readers.
    fn table_row(
        &mut self,
        columns: &[Column],
        cells: &[&str],
        style: &'static Style,
        tag: impl Fn() -> TagKind,
    ) -> (Vec<Strip>, Vec<Branch>) {
        let mut texts = Vec::new();
        let mut branches = Vec::new();
        let mut x = 0.0;
        for (column, cell) in columns.iter().zip(cells) {
            let leaf = self.structure.leaf();
            branches.push(Branch::group(tag(), vec![Branch::Leaf(leaf)]));
            let width = TEXT_WIDTH * column.part;
            texts.push(block::words(cell, style, x, width - style::GUTTER, leaf));
            x += width;
        }
        (block::beside(texts), branches)
    }

    /// Builds the QR code with its URL below, for the right column of the letterhead.
    fn check(&mut self, address: &str) -> Result<Strip, RenderError> {
        if !is_shown(address) {
            return Ok(Strip::default());
        }
        // Printed and scanned URL must have the same characters.
        let address = text::tidy(address);
        let (segments, largest) = (QrSegment::make_segments(&address), Version::new(LARGEST_VERSION));
        let code =
            QrCode::encode_segments_advanced(&segments, QrCodeEcc::Medium, Version::MIN, largest, None, true)
                .map_err(|_| RenderError::CheckAddressTooLong)?;
        let left = TEXT_WIDTH - CODE_SIDE;
        let (code_leaf, label_leaf, link_leaf) =
            (self.structure.leaf(), self.structure.leaf(), self.structure.leaf());
        let alternative = "QR code of the address at which this certificate can be checked".to_owned();
        self.structure.push(Tag::Figure(Some(alternative)), vec![Branch::Leaf(code_leaf)]);
        self.structure.push(Tag::P, vec![Branch::Leaf(label_leaf)]);
        self.structure.push(Tag::P, vec![Branch::group(Tag::Link, vec![Branch::Leaf(link_leaf)])]);

        let drawing = Drawing::Code { code, side: CODE_SIDE, leaf: code_leaf };
        let mut strips =
            vec![Strip { height: CODE_SIDE + 3.0, marks: vec![Mark { x: left, y: 0.0, drawing }] }];
        strips.extend(block::words("Check this certificate", &style::CHECK, left, CODE_SIDE, label_leaf));
        strips.extend(block::link(&address, &style::ADDRESS, left, CODE_SIDE, link_leaf));
        Ok(block::stack(strips))
    }
}

/// Whether a text has printable characters.
pub(crate) fn is_shown(text: &str) -> bool {
    !text::tidy(text).is_empty()
}

/// Widths of columns that share `width`, with gutters between them.
fn widths(parts: &[f32], width: f32) -> Vec<f32> {
    let gutters = style::GUTTER * parts.len().saturating_sub(1) as f32;
    let whole: f32 = parts.iter().sum();
    parts.iter().map(|part| (width - gutters) * part / whole).collect()
}

fn heading_tag(level: u16, title: &str) -> TagKind {
    let level = NonZeroU16::new(level).unwrap_or(NonZeroU16::MIN);
    Tag::Hn(level, Some(title.to_owned())).into()
}
