//! Reading a value from text: what is wanted, and what came instead (D11, D12).

/// A value that has one written form.
pub trait FromText: Sized {
    /// What is wanted, as the object of a sentence: "a date written DD/MM/YYYY".
    const WANTED: &'static str;

    /// A pattern (ECMA 262) that every accepted text matches once trimmed, where one says it well.
    const PATTERN: Option<&'static str> = None;

    /// The accepted words, where the value is one of a list.
    const WORDS: &'static [&'static str] = &[];

    /// Reads a text that is trimmed and not blank.
    ///
    /// # Errors
    /// What kind of thing came, as the subject of a sentence: "text that is not a date". Never the text itself.
    fn from_text(text: &str) -> Result<Self, &'static str>;
}

/// Declares an enumeration of the contract: its variants and their words on the wire.
#[macro_export]
macro_rules! vocabulary {
    ($(#[$doc:meta])* $name:ident, $wanted:literal { $($(#[$vdoc:meta])* $variant:ident = $word:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $name { $(#[doc = concat!("`", $word, "`")] $(#[$vdoc])* $variant),* }

        impl $name {
            /// Every value, in the contract's order.
            pub const ALL: &'static [$name] = &[$($name::$variant),*];

            /// The contract's word for it.
            pub const fn word(self) -> &'static str {
                match self { $($name::$variant => $word),* }
            }
        }

        impl $crate::text::FromText for $name {
            const WANTED: &'static str = $wanted;
            const WORDS: &'static [&'static str] = &[$($word),*];

            fn from_text(text: &str) -> Result<Self, &'static str> {
                match text { $($word => Ok($name::$variant),)* _ => Err("text that is none of the allowed words") }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                to.write_str(self.word())
            }
        }
    };
}
pub use vocabulary;
