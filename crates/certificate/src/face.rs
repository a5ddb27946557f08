//! Typefaces: Mukta for Latin, Devanagari and the rupee sign; Noto Sans for other Indian scripts.

use std::sync::OnceLock;

use harfrust::{Direction, FontRef, Script, ShapePlan, ShaperData, script};
use krilla::text::Font;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Weight {
    Regular,
    SemiBold,
}

/// Declares the typefaces, each with its font files and scripts.
macro_rules! typefaces {
    ($($name:ident { $regular:literal, $bold:literal, [$($script:ident),*] })*) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Typeface { $($name),* }

        impl Typeface {
            /// Typeface for a script. Mukta for unknown scripts.
            pub(crate) fn of(script: Script) -> Typeface {
                match script {
                    $($(script::$script => Typeface::$name,)*)*
                    _ => Typeface::Mukta,
                }
            }

            fn file(self, weight: Weight) -> &'static [u8] {
                match (self, weight) {
                    $(
                        (Typeface::$name, Weight::Regular) => include_bytes!(concat!("../third_party/fonts/", $regular)),
                        (Typeface::$name, Weight::SemiBold) => include_bytes!(concat!("../third_party/fonts/", $bold)),
                    )*
                }
            }

            fn scripts(self) -> &'static [Script] {
                match self { $(Typeface::$name => &[$(script::$script),*],)* }
            }

            /// Cell that holds one weight of the typeface. The font is parsed on first use.
            fn kept(self, weight: Weight) -> &'static OnceLock<Face> {
                match (self, weight) {
                    $(
                        (Typeface::$name, Weight::Regular) => { static FACE: OnceLock<Face> = OnceLock::new(); &FACE }
                        (Typeface::$name, Weight::SemiBold) => { static FACE: OnceLock<Face> = OnceLock::new(); &FACE }
                    )*
                }
            }
        }
    };
}

typefaces! {
    Mukta { "mukta/Mukta-Regular.ttf", "mukta/Mukta-SemiBold.ttf", [LATIN, DEVANAGARI] }
    Bengali { "noto/NotoSansBengali-Regular.ttf", "noto/NotoSansBengali-Bold.ttf", [BENGALI] }
    Gujarati { "noto/NotoSansGujarati-Regular.ttf", "noto/NotoSansGujarati-Bold.ttf", [GUJARATI] }
    Gurmukhi { "noto/NotoSansGurmukhi-Regular.ttf", "noto/NotoSansGurmukhi-Bold.ttf", [GURMUKHI] }
    Kannada { "noto/NotoSansKannada-Regular.ttf", "noto/NotoSansKannada-Bold.ttf", [KANNADA] }
    Malayalam { "noto/NotoSansMalayalam-Regular.ttf", "noto/NotoSansMalayalam-Bold.ttf", [MALAYALAM] }
    Odia { "noto/NotoSansOriya-Regular.ttf", "noto/NotoSansOriya-Bold.ttf", [ORIYA] }
    Tamil { "noto/NotoSansTamil-Regular.ttf", "noto/NotoSansTamil-Bold.ttf", [TAMIL] }
    Telugu { "noto/NotoSansTelugu-Regular.ttf", "noto/NotoSansTelugu-Bold.ttf", [TELUGU] }
}

/// One weight of a typeface, ready for shaping and drawing.
pub(crate) struct Face {
    pub(crate) font: Font,
    pub(crate) shaper: harfrust::Shaper<'static>,
    plans: Vec<(Script, ShapePlan)>,
}

impl Face {
    pub(crate) fn of(typeface: Typeface, weight: Weight) -> &'static Face {
        typeface.kept(weight).get_or_init(|| Face::read(typeface.file(weight), typeface.scripts()))
    }

    /// Prepared shaping plan for a script. If the typeface lacks the script, the plan for the typeface's
    /// first script.
    pub(crate) fn plan(&self, script: Script) -> &ShapePlan {
        let known = self.plans.iter().find(|(known, _)| *known == script);
        &known.unwrap_or(&self.plans[0]).1
    }

    fn read(bytes: &'static [u8], scripts: &[Script]) -> Face {
        let font = Font::new(bytes.into(), 0).expect("a readable font: it is part of this crate");
        let tables = FontRef::new(bytes).expect("a readable font: it is part of this crate");
        // A face lives as long as the program, so the data of its shaper may leak.
        let data: &'static ShaperData = Box::leak(Box::new(ShaperData::new(&tables)));
        let shaper = data.shaper(&tables).build();
        let plan = |script| ShapePlan::new(&shaper, Direction::LeftToRight, Some(script), None, &[]);
        let plans = scripts.iter().map(|script| (*script, plan(*script))).collect();
        Face { font, shaper, plans }
    }
}
