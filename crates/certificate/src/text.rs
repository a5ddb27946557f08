//! Text layout: turns characters into glyphs, and glyphs into lines.

use std::{ops::Range, rc::Rc};

use harfrust::{Direction, Script, ShapeOptions, UnicodeBuffer, script};
use krilla::text::{GlyphId, KrillaGlyph};

use crate::face::{Face, Typeface};
use crate::style::{BODY, Style};

/// Text as glyphs in one style. Each glyph has the byte range of the characters that it shows.
pub(crate) struct Shaped {
    pub(crate) text: String,
    pub(crate) glyphs: Vec<KrillaGlyph>,
    /// Typeface of each glyph.
    pub(crate) typefaces: Vec<Typeface>,
    pub(crate) style: &'static Style,
}

#[derive(Clone)]
pub(crate) struct Line {
    pub(crate) shaped: Rc<Shaped>,
    pub(crate) glyphs: Range<usize>,
}

/// Removes what cannot be printed: control characters, direction marks, spaces at both ends, and repeated
/// spaces. A line break becomes a space.
pub(crate) fn tidy(text: &str) -> String {
    let mut tidied = String::with_capacity(text.len());
    for character in text.trim().chars() {
        if character.is_whitespace() && character != '\u{a0}' {
            if !tidied.ends_with(' ') {
                tidied.push(' ');
            }
        } else if is_printable(character) {
            tidied.push(in_typeface(character));
        }
    }
    tidied.truncate(tidied.trim_end().len());
    tidied
}

/// Whether the typefaces have all characters of a text that would be printed.
pub fn can_print(text: &str) -> bool {
    let is_plain = |c: char| matches!(c, ' '..='~');
    if text.chars().all(is_plain) {
        return true;
    }
    shape(tidy(text), &BODY).glyphs.iter().all(|glyph| glyph.glyph_id.to_u32() != 0)
}

/// Breaks a text into lines of at most `width` points. Lines break at spaces. A word that is wider than a
/// line breaks between syllables or letters. A text without printable characters gives no lines.
pub(crate) fn lines(text: &str, style: &'static Style, width: f32) -> Vec<Line> {
    let shaped = Rc::new(shape(tidy(text), style));
    let mut lines = Vec::new();
    let mut start = 0;
    while start < shaped.glyphs.len() {
        let end = shaped.line_end(start, width / style.size);
        lines.push(Line { shaped: Rc::clone(&shaped), glyphs: start..end });
        start = end;
    }
    lines
}

impl Line {
    /// Width of the line in points, without a space at its end.
    pub(crate) fn width(&self) -> f32 {
        let glyphs = &self.shaped.glyphs[self.glyphs.clone()];
        let seen = match glyphs.last() {
            Some(last) if self.shaped.is_space(last) => &glyphs[..glyphs.len() - 1],
            _ => glyphs,
        };
        seen.iter().map(|glyph| glyph.x_advance).sum::<f32>() * self.shaped.style.size
    }
}

impl Shaped {
    /// Index after the last glyph of a line that begins at glyph `start` and is at most `width` ems wide. The
    /// line includes the space after its last word, which may exceed the width.
    fn line_end(&self, start: usize, width: f32) -> usize {
        let mut used = 0.0;
        let mut after_space = None;
        for (index, glyph) in self.glyphs.iter().enumerate().skip(start) {
            if self.is_space(glyph) {
                after_space = Some(index + 1);
            }
            used += glyph.x_advance;
            if used > width && !self.is_space(glyph) {
                return after_space.unwrap_or_else(|| self.cluster_start(index, start));
            }
        }
        self.glyphs.len()
    }

    /// First glyph of the cluster that contains the glyph `index`. A cluster (glyphs that belong together)
    /// is never split. If the cluster begins the line, returns the first glyph after the cluster instead, so
    /// that no line is empty.
    fn cluster_start(&self, index: usize, line_start: usize) -> usize {
        let cluster = self.glyphs[index].text_range.start;
        let first =
            (line_start..index).rev().take_while(|&at| self.glyphs[at].text_range.start == cluster).last();
        match first.unwrap_or(index) {
            first if first > line_start => first,
            _ => (index..self.glyphs.len())
                .find(|&at| self.glyphs[at].text_range.start != cluster)
                .unwrap_or(self.glyphs.len()),
        }
    }

    fn is_space(&self, glyph: &KrillaGlyph) -> bool {
        &self.text[glyph.text_range.clone()] == " "
    }
}

fn shape(text: String, style: &'static Style) -> Shaped {
    let (mut glyphs, mut typefaces) = (Vec::with_capacity(text.len()), Vec::with_capacity(text.len()));
    for run in script_runs(&text) {
        let typeface = Typeface::of(run.1);
        shape_run(&text, run, Face::of(typeface, style.weight), &mut glyphs);
        typefaces.resize(glyphs.len(), typeface);
    }
    Shaped { text, glyphs, typefaces, style }
}

fn shape_run(text: &str, (run, script): (Range<usize>, Script), face: &Face, glyphs: &mut Vec<KrillaGlyph>) {
    let mut buffer = UnicodeBuffer::new();
    buffer.push_str(&text[run.clone()]);
    buffer.set_script(script);
    buffer.set_direction(Direction::LeftToRight);
    let options = ShapeOptions::new().plan(Some(face.plan(script)));
    let output = face.shaper.shape(buffer, options);

    let em = face.font.units_per_em();
    let first_of_run = glyphs.len();
    for (info, position) in output.glyph_infos().iter().zip(output.glyph_positions()) {
        let start = run.start + info.cluster as usize;
        glyphs.push(KrillaGlyph::new(
            GlyphId::new(info.glyph_id),
            position.x_advance as f32 / em,
            position.x_offset as f32 / em,
            position.y_offset as f32 / em,
            position.y_advance as f32 / em,
            start..run.end,
            None,
        ));
    }
    // A cluster ends where the next one begins.
    let mut end = run.end;
    let mut next_start = run.end;
    for glyph in glyphs[first_of_run..].iter_mut().rev() {
        if glyph.text_range.start != next_start {
            end = next_start;
            next_start = glyph.text_range.start;
        }
        glyph.text_range.end = end;
    }
}

/// Splits a text into runs of one script. Spaces, digits and punctuation join the run before them if its
/// typeface is Mukta, because Mukta has all of them.
fn script_runs(text: &str) -> Vec<(Range<usize>, Script)> {
    let mut runs: Vec<(Range<usize>, Script)> = Vec::new();
    for (at, character) in text.char_indices() {
        let end = at + character.len_utf8();
        match (script_of(character), runs.last_mut()) {
            (None, Some((run, current)))
                if Typeface::of(*current) == Typeface::Mukta || is_shared(character) =>
            {
                run.end = end;
            }
            (Some(script), Some((run, current))) if *current == script => run.end = end,
            (script, _) => runs.push((at..end, script.unwrap_or(script::LATIN))),
        }
    }
    runs
}

fn script_of(character: char) -> Option<Script> {
    match character {
        _ if is_shared(character) => None,
        '\u{900}'..='\u{97f}' | '\u{1cd0}'..='\u{1cff}' | '\u{a8e0}'..='\u{a8ff}' => Some(script::DEVANAGARI),
        '\u{980}'..='\u{9ff}' => Some(script::BENGALI),
        '\u{a00}'..='\u{a7f}' => Some(script::GURMUKHI),
        '\u{a80}'..='\u{aff}' => Some(script::GUJARATI),
        '\u{b00}'..='\u{b7f}' => Some(script::ORIYA),
        '\u{b80}'..='\u{bff}' => Some(script::TAMIL),
        '\u{c00}'..='\u{c7f}' => Some(script::TELUGU),
        '\u{c80}'..='\u{cff}' => Some(script::KANNADA),
        '\u{d00}'..='\u{d7f}' => Some(script::MALAYALAM),
        _ if character.is_alphabetic() => Some(script::LATIN),
        _ => None,
    }
}

/// Whether many scripts share the character: dandas, joiners and the dotted circle.
fn is_shared(character: char) -> bool {
    matches!(character, '\u{964}' | '\u{965}' | '\u{200c}' | '\u{200d}' | '\u{25cc}')
}

/// The character that the typefaces have for a hyphen, apostrophe or quotation mark of word processors.
fn in_typeface(character: char) -> char {
    match character {
        '\u{2010}' | '\u{2011}' | '\u{2212}' | '\u{fe63}' | '\u{ff0d}' => '-',
        '\u{2bc}' | '\u{2032}' | '\u{ff07}' => '\'',
        '\u{2033}' | '\u{ff02}' => '"',
        other => other,
    }
}

fn is_printable(character: char) -> bool {
    let directs = matches!(character, '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}');
    // PDF/UA-1 forbids glyphs for U+FEFF and noncharacters.
    let marks_nothing = character == '\u{feff}' || (character as u32) & 0xfffe == 0xfffe;
    !(character.is_control() || directs || marks_nothing)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn printed(text: &str, width: f32) -> Vec<String> {
        let lines = lines(text, &BODY, width);
        lines.iter().map(|line| read(line).trim_end().to_owned()).collect()
    }

    fn read(line: &Line) -> &str {
        let glyphs = &line.shaped.glyphs[line.glyphs.clone()];
        &line.shaped.text[glyphs[0].text_range.start..glyphs[glyphs.len() - 1].text_range.end]
    }

    #[test]
    fn runs_of_spaces_become_one_space_and_control_characters_are_removed() {
        assert_eq!(tidy(" 12,\tMG Road\r\n Pune\u{0}\u{202e} "), "12, MG Road Pune");
        assert_eq!(tidy("\u{feff} \n"), "");
    }

    #[test]
    fn lines_break_at_spaces() {
        assert_eq!(printed("Asha Lakshmi Rao", 36.0), ["Asha", "Lakshmi", "Rao"]);
    }

    #[test]
    fn a_word_wider_than_a_line_is_broken_inside_the_word() {
        assert_eq!(printed("Rao Venkatasubramanian", 50.0), ["Rao", "Venkatasubr", "amanian"]);
    }

    #[test]
    fn a_line_never_breaks_inside_a_syllable() {
        let text = "क्षितिज".repeat(20);
        for line in printed(&text, 30.0) {
            assert!(!line.starts_with(['\u{93f}', '\u{94d}']) && !line.ends_with('\u{94d}'), "{line}");
        }
    }

    #[test]
    fn the_typeface_has_glyphs_for_latin_devanagari_and_the_rupee_sign() {
        let shaped = shape("Zoë आशा श्रीनिवासन ज़्यादा क्षत्रिय ₹1,23,456.78 – 50%".to_owned(), &BODY);
        assert!(shaped.glyphs.iter().all(|glyph| glyph.glyph_id.to_u32() != 0));
    }

    #[test]
    fn latin_and_nine_scripts_of_india_can_be_printed_and_other_scripts_cannot() {
        for text in [
            "முத்து குமார் ஸ்ரீ",
            "রহিম খান, শ্রীকান্ত",
            "ਗੁਰਪ੍ਰੀਤ ਸਿੰਘ",
            "શ્રીકાંત પટેલ ક્ષમા",
            "ଶ୍ରୀକାନ୍ତ ପଟ୍ଟନାୟକ",
            "వెంకట కృష్ణ శ్రీ",
            "ವೆಂಕಟೇಶ್ ಕೃಷ್ಣ",
            "കൃഷ്ണൻ ശ്രീധരൻ 12",
            "Zoë O’Neil-Müller, श्रीमती",
            "Sector\u{2011}5, Plot 4\u{2010}7, 12\u{2032} Road, D\u{2bc}Souza Lane",
        ] {
            assert!(can_print(text), "{text}");
        }
        for text in ["محمد", "משה", "Иван", "Ασπασία", "李雷", "Asha 🙂", "ꯃꯤꯇꯩ"]
        {
            assert!(!can_print(text), "{text}");
        }
    }

    #[test]
    fn a_devanagari_conjunct_is_shaped_into_one_glyph() {
        assert_eq!(shape("क्ष".to_owned(), &BODY).glyphs.len(), 1);
    }

    proptest! {
        #[test]
        fn line_breaks_lose_no_text_and_only_a_single_cluster_may_be_too_wide(text in "[a-zअ-ह\u{94d}\u{93e}\u{93f}\u{947} ,0-9]{0,80}", width in 20.0f32..200.0) {
            let lines = lines(&text, &BODY, width);
            prop_assert_eq!(lines.iter().map(read).collect::<String>(), tidy(&text));
            for line in &lines {
                let glyphs = &line.shaped.glyphs[line.glyphs.clone()];
                let is_one_cluster = glyphs.iter().all(|glyph| glyph.text_range == glyphs[0].text_range);
                prop_assert!(line.width() <= width + 0.01 || is_one_cluster);
            }
        }
    }
}
