//! The typeface: Mukta, which has Latin, Devanagari and the rupee sign.

use std::sync::LazyLock;

use harfrust::{Direction, FontRef, Script, ShapePlan, ShaperData, script};
use krilla::text::Font;

const REGULAR: &[u8] = include_bytes!("../third_party/fonts/mukta/Mukta-Regular.ttf");
const SEMI_BOLD: &[u8] = include_bytes!("../third_party/fonts/mukta/Mukta-SemiBold.ttf");

/// How heavy the type is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Weight {
    Regular,
    SemiBold,
}

/// One weight of the typeface, ready for shaping and drawing.
pub(crate) struct Face {
    pub(crate) font: Font,
    pub(crate) shaper: harfrust::Shaper<'static>,
    latin: ShapePlan,
    devanagari: ShapePlan,
}

impl Face {
    pub(crate) fn of(weight: Weight) -> &'static Face {
        static REGULAR_FACE: LazyLock<Face> = LazyLock::new(|| Face::read(REGULAR));
        static SEMI_BOLD_FACE: LazyLock<Face> = LazyLock::new(|| Face::read(SEMI_BOLD));
        match weight {
            Weight::Regular => &REGULAR_FACE,
            Weight::SemiBold => &SEMI_BOLD_FACE,
        }
    }

    /// The prepared shaping of a script; whatever is not Devanagari is shaped like Latin.
    pub(crate) fn plan(&self, script: Script) -> &ShapePlan {
        if script == script::DEVANAGARI { &self.devanagari } else { &self.latin }
    }

    fn read(bytes: &'static [u8]) -> Face {
        let font = Font::new(bytes.into(), 0).expect("a readable font: it is part of this crate");
        let tables = FontRef::new(bytes).expect("a readable font: it is part of this crate");
        // A face lives as long as the program, and so may what its shaper refers to.
        let data: &'static ShaperData = Box::leak(Box::new(ShaperData::new(&tables)));
        let shaper = data.shaper(&tables).build();
        let plan = |script| ShapePlan::new(&shaper, Direction::LeftToRight, Some(script), None, &[]);
        let (latin, devanagari) = (plan(script::LATIN), plan(script::DEVANAGARI));
        Face { font, shaper, latin, devanagari }
    }
}
