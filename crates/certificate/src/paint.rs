//! Draws pages, and returns them as the bytes of a PDF.

use krilla::{
    Document, SerializeSettings,
    action::{Action, LinkAction},
    annotation::{Annotation, LinkAnnotation, Target},
    configure::{Accessibility, ConfigurationBuilder},
    destination::XyzDestination,
    geom::{Path, PathBuilder, Point, Rect, Transform},
    metadata::{Metadata, TextDirection},
    outline::{Outline, OutlineNode},
    page::PageSettings,
    paint::{Fill, FillRule, Stroke},
    surface::Surface,
    tagging::{Artifact, ArtifactType, ContentTag, SpanTag},
    text::KrillaGlyph,
};
use qrcodegen::QrCode;

use crate::{
    block::{Drawing, Mark},
    error::RenderError,
    face::{Face, Typeface},
    pages::{self, Page},
    sheet::Sheet,
    structure::DrawnLeaves,
    style::{
        self, FOOT_BASELINE, FRAME_INSET, HEAD_BASELINE, Ink, MARGIN, PAGE_HEIGHT, PAGE_WIDTH, Style,
        TEXT_WIDTH,
    },
    text::{self, Line, Shaped},
};

/// Glyph that stands for a character that the typeface lacks. It is an empty box.
const MISSING: u32 = 0;

/// Word that is printed across each page of a specimen.
const SPECIMEN: &str = "SPECIMEN";
const SPECIMEN_ANGLE: f32 = -54.0;

/// Metadata of a PDF document.
pub(crate) struct Imprint<'a> {
    pub(crate) title: &'static str,
    pub(crate) number: &'a str,
    pub(crate) author: &'a str,
    pub(crate) specimen: bool,
}

/// Draws the rows of a sheet on pages, and writes the PDF document.
pub(crate) fn paint(sheet: Sheet, imprint: &Imprint<'_>) -> Result<Vec<u8>, RenderError> {
    let Sheet { rows, structure } = sheet;
    let pages = pages::paginate(rows);
    let mut drawn = structure.nothing_drawn();
    let mut outline = Outline::new();
    let mut document = Document::new_with(settings()?);
    for (index, page) in pages.iter().enumerate() {
        for (top, title) in &page.bookmarks {
            let destination = XyzDestination::new(index, Point::from_xy(MARGIN, *top));
            outline.push_child(OutlineNode::new((*title).to_owned(), destination));
        }
        let frame = Frame { imprint, page: index + 1, pages: pages.len() };
        paint_page(&mut document, page, &frame, &mut drawn)?;
    }
    document.set_outline(outline);
    document.set_tag_tree(structure.tag_tree(&drawn));
    document.set_metadata(metadata(imprint));
    document.finish().map_err(|error| RenderError::Pdf(error.to_string()))
}

/// Data for the parts that repeat on every page.
struct Frame<'a> {
    imprint: &'a Imprint<'a>,
    page: usize,
    pages: usize,
}

/// Settings for PDF/UA-1, the standard for screen readers. PDF/A is not possible: it requires a creation
/// date, and this crate has no clock.
fn settings() -> Result<SerializeSettings, RenderError> {
    let configuration = ConfigurationBuilder::new()
        .with_accessibility_validator(Accessibility::UA1)
        .finish()
        .map_err(|_| RenderError::Pdf("no version of PDF fits PDF/UA-1".to_owned()))?;
    Ok(SerializeSettings { configuration, ..SerializeSettings::default() })
}

fn metadata(imprint: &Imprint<'_>) -> Metadata {
    let number = text::tidy(imprint.number);
    Metadata::new()
        .title(format!("{} {number}", imprint.title))
        .authors(vec![text::tidy(imprint.author)])
        .creator("covernote".to_owned())
        .language("en".to_owned())
        .text_direction(TextDirection::LeftToRight)
        .document_id(number)
}

fn paint_page(
    document: &mut Document,
    content: &Page,
    frame: &Frame<'_>,
    drawn: &mut DrawnLeaves,
) -> Result<(), RenderError> {
    let settings = PageSettings::from_wh(PAGE_WIDTH, PAGE_HEIGHT)
        .ok_or_else(|| RenderError::Pdf("a page has no size".to_owned()))?;
    let mut page = document.start_page_with(settings);

    // A link is an annotation of its page. In the structure it must precede its words.
    for (top, mark) in marks(content) {
        if let Drawing::Link { line, leaf, address } = &mark.drawing
            && let Some(link) = link(line, MARGIN + mark.x, top + mark.y, address)
        {
            drawn.add(*leaf, page.add_tagged_annotation(link));
        }
    }

    let mut surface = page.surface();
    paint_frame(&mut surface, content, frame);
    for (top, mark) in marks(content) {
        let (x, y) = (MARGIN + mark.x, top + mark.y);
        match &mark.drawing {
            Drawing::Words { line, leaf } | Drawing::Link { line, leaf, .. } => {
                for piece in pieces(line) {
                    drawn.add(*leaf, surface.start_tagged(piece.tag()));
                    piece.paint(&mut surface, x, y);
                    surface.end_tagged();
                }
            }
            Drawing::Rule { width, ink } => {
                artifact(&mut surface, ArtifactType::Layout, |surface| {
                    fill(surface, rectangle(x, y, *width, 0.6).and_then(rectangle_path), *ink);
                });
            }
            Drawing::Code { code, side, leaf } => {
                drawn.add(*leaf, surface.start_tagged(ContentTag::Other));
                paint_code(&mut surface, code, *side, x, y);
                surface.end_tagged();
            }
        }
    }
    surface.finish();
    page.finish();
    Ok(())
}

/// Clickable area over a line of text that links to a URL.
fn link(line: &Line, x: f32, baseline: f32, address: &str) -> Option<Annotation> {
    let Style { size, leading, .. } = *line.shaped.style;
    let area = rectangle(x, baseline - size, line.width(), leading)?;
    let target = Target::Action(Action::Link(LinkAction::new(address.to_owned())));
    Some(Annotation::new_link(LinkAnnotation::new(area, target), Some("Check this certificate".to_owned())))
}

fn marks(page: &Page) -> impl Iterator<Item = (f32, &Mark)> {
    page.strips.iter().flat_map(|(top, strip)| strip.marks.iter().map(|mark| (*top, mark)))
}

/// Draws SPECIMEN across a page. Screen readers skip this word, and read the notice at the document's start
/// instead.
fn paint_specimen(surface: &mut Surface<'_>) {
    artifact(surface, ArtifactType::Page, |surface| {
        for line in text::lines(SPECIMEN, &style::SPECIMEN, PAGE_HEIGHT) {
            let (x, y) = (PAGE_WIDTH / 2.0, PAGE_HEIGHT / 2.0);
            surface.push_transform(&Transform::from_rotate_at(SPECIMEN_ANGLE, x, y));
            paint_line(surface, &line, x - line.width() / 2.0, y + style::SPECIMEN.size / 3.0);
            surface.pop();
        }
    });
}

/// Draws the frame, the tinted areas, the page header (except on the first page) and the footer.
fn paint_frame(surface: &mut Surface<'_>, content: &Page, frame: &Frame<'_>) {
    artifact(surface, ArtifactType::Layout, |surface| {
        for (top, bottom) in &content.tints {
            fill(
                surface,
                rectangle(MARGIN, *top, TEXT_WIDTH, bottom - top).and_then(rectangle_path),
                Ink::Tint,
            );
        }
        for (inset, width) in [(FRAME_INSET, 1.1), (FRAME_INSET + 3.2, 0.4)] {
            let (across, down) = (PAGE_WIDTH - 2.0 * inset, PAGE_HEIGHT - 2.0 * inset);
            stroke(
                surface,
                rectangle(inset, inset, across, down).and_then(rectangle_path),
                width,
                Ink::Accent,
            );
        }
    });
    if frame.imprint.specimen {
        paint_specimen(surface);
    }
    let number = format!("{} {}", frame.imprint.title, frame.imprint.number);
    if frame.page > 1 {
        artifact(surface, ArtifactType::Header, |surface| paint_plain(surface, &number, HEAD_BASELINE));
    }
    artifact(surface, ArtifactType::Footer, |surface| {
        if frame.page == 1 {
            paint_plain(surface, &number, FOOT_BASELINE);
        }
        let count = format!("Page {} of {}", frame.page, frame.pages);
        for line in text::lines(&count, &style::FOOT, TEXT_WIDTH) {
            let x = PAGE_WIDTH - MARGIN - line.width();
            paint_line(surface, &line, x, FOOT_BASELINE);
        }
    });
}

/// Draws the first line of a text at the left edge. Page header and footer have room for one line only; the
/// letterhead has the full text.
fn paint_plain(surface: &mut Surface<'_>, text: &str, baseline: f32) {
    const WIDTH: f32 = TEXT_WIDTH - 80.0;
    if let Some(line) = text::lines(text, &style::FOOT, WIDTH).first() {
        paint_line(surface, line, MARGIN, baseline);
    }
}

fn paint_line(surface: &mut Surface<'_>, line: &Line, x: f32, baseline: f32) {
    for piece in pieces(line) {
        piece.paint(surface, x, baseline);
    }
}

/// Part of a line in one typeface. Characters that the typeface lacks form separate pieces. They are drawn as
/// empty boxes, because PDF/UA-1 forbids missing glyphs in text.
struct Piece<'a> {
    shaped: &'a Shaped,
    glyphs: &'a [KrillaGlyph],
    typeface: Typeface,
    /// Distance from the start of the line, in points.
    offset: f32,
    is_missing: bool,
}

fn pieces(line: &Line) -> impl Iterator<Item = Piece<'_>> {
    let shaped = &*line.shaped;
    let (mut offset, mut at, end) = (0.0, line.glyphs.start, line.glyphs.end);
    let kind = |at: usize| (is_missing(&shaped.glyphs[at]), shaped.typefaces[at]);
    std::iter::from_fn(move || {
        let start = at;
        let (is_missing, typeface) = (start < end).then(|| kind(start))?;
        at = (start..end).find(|at| kind(*at) != (is_missing, typeface)).unwrap_or(end);
        let glyphs = &shaped.glyphs[start..at];
        let piece = Piece { shaped, glyphs, typeface, offset, is_missing };
        offset += glyphs.iter().map(|glyph| glyph.x_advance).sum::<f32>() * shaped.style.size;
        Some(piece)
    })
}

impl Piece<'_> {
    /// PDF tag of the piece. If the piece is drawn as empty boxes, the tag has the original text.
    fn tag(&self) -> ContentTag<'_> {
        let (first, last) = (&self.glyphs[0], &self.glyphs[self.glyphs.len() - 1]);
        let text = &self.shaped.text[first.text_range.start..last.text_range.end];
        ContentTag::Span(SpanTag::empty().with_actual_text(self.is_missing.then_some(text)))
    }

    fn paint(&self, surface: &mut Surface<'_>, x: f32, baseline: f32) {
        let Style { weight, size, ink, .. } = *self.shaped.style;
        let start = Point::from_xy(snap(x + self.offset), snap(baseline));
        let font = Face::of(self.typeface, weight).font.clone();
        surface.set_fill(Some(fill_of(ink)));
        surface.draw_glyphs(start, self.glyphs, font, &self.shaped.text, size, self.is_missing);
    }
}

fn is_missing(glyph: &KrillaGlyph) -> bool {
    glyph.glyph_id.to_u32() == MISSING
}

fn artifact(surface: &mut Surface<'_>, kind: ArtifactType, paint: impl FnOnce(&mut Surface<'_>)) {
    surface.start_tagged(ContentTag::Artifact(Artifact::with_kind(kind)));
    paint(surface);
    surface.end_tagged();
}

fn fill(surface: &mut Surface<'_>, path: Option<Path>, ink: Ink) {
    let Some(path) = path else { return };
    surface.set_stroke(None);
    surface.set_fill(Some(fill_of(ink)));
    surface.draw_path(&path);
}

fn stroke(surface: &mut Surface<'_>, path: Option<Path>, width: f32, ink: Ink) {
    let Some(path) = path else { return };
    surface.set_fill(None);
    surface.set_stroke(Some(Stroke { paint: ink.colour().into(), width, ..Stroke::default() }));
    surface.draw_path(&path);
    surface.set_stroke(None);
}

fn fill_of(ink: Ink) -> Fill {
    Fill { paint: ink.colour().into(), rule: FillRule::NonZero, ..Fill::default() }
}

fn rectangle(x: f32, y: f32, width: f32, height: f32) -> Option<Rect> {
    Rect::from_xywh(x, y, width, height)
}

fn rectangle_path(rectangle: Rect) -> Option<Path> {
    let mut path = PathBuilder::new();
    path.push_rect(rectangle);
    path.finish()
}

fn paint_code(surface: &mut Surface<'_>, code: &QrCode, side: f32, x: f32, y: f32) {
    let module = side / code.size() as f32;
    surface.push_transform(&Transform::from_row(module, 0.0, 0.0, module, x, y + module / 2.0));
    stroke(surface, code_path(code), 1.0, Ink::Text);
    surface.pop();
}

/// Path of the dark modules of a QR code; a module is one unit wide. Each run of dark modules in a row is a
/// line of that width.
fn code_path(code: &QrCode) -> Option<Path> {
    let mut path = PathBuilder::new();
    let columns: Vec<i32> = (0..code.size()).collect();
    for row in 0..code.size() {
        for run in columns.chunk_by(|a, b| code.get_module(*a, row) == code.get_module(*b, row)) {
            if code.get_module(run[0], row) {
                path.move_to(run[0] as f32, row as f32);
                path.line_to((run[0] as usize + run.len()) as f32, row as f32);
            }
        }
    }
    path.finish()
}

/// Rounds to a quarter of a point. The eye cannot see the difference, and shorter numbers make a smaller file.
fn snap(measure: f32) -> f32 {
    (measure * 4.0).round() / 4.0
}
