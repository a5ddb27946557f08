//! Values of a sandbox that always do the same (D97).

use std::time::Duration;

/// What the numbers of policies begin with by which nobody is insured.
pub const TEST_NUMBERS: &str = "TEST";

/// How late a premium comes that comes late.
pub const LATE_BY: Duration = Duration::from_hours(3 * 24);

/// Declares words that do something in a sandbox, with what they do.
macro_rules! test_values {
    ($(#[$of_all:meta])* $name:ident { $($value:ident = $word:literal: $does:literal;)* }) => {
        $(#[$of_all])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $name {
            $(#[doc = $does] $value),*
        }

        impl $name {
            /// Every one.
            pub const ALL: &'static [Self] = &[$($name::$value),*];

            /// As it is written, in capitals or not.
            pub const fn word(self) -> &'static str {
                match self { $($name::$value => $word),* }
            }

            /// What it does, as a sentence.
            pub const fn does(self) -> &'static str {
                match self { $($name::$value => $does),* }
            }

            /// The one that the first word of a text is.
            pub fn of(text: &str) -> Option<Self> {
                let first = text.split_whitespace().next()?;
                Self::ALL.iter().copied().find(|value| first.eq_ignore_ascii_case(value.word()))
            }
        }
    };
}

test_values! {
    /// A first name of a proposer.
    TestName {
        Refer = "Testrefer": "The proposal is referred: it stays undecided until somebody decides it.";
        Reject = "Testreject": "The insurer rejects the proposal.";
        Late = "Testlate": "The premium comes three days late.";
        Short = "Testshort": "The premium that comes is one rupee short.";
    }
}

test_values! {
    /// What becomes of one insurer that is asked for prices.
    TestInsurer {
        Slow = "Testslow": "The first insurer does not answer in time.";
        Fails = "Testfail": "The first insurer fails.";
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_value_is_the_first_word_whatever_its_capitals() {
        assert_eq!(TestName::of("Testrefer"), Some(TestName::Refer)); // D97
        assert_eq!(TestName::of("TESTREJECT Kumar"), Some(TestName::Reject));
        for other in ["", " ", "Test", "Testreferral", "Kumar Testlate"] {
            assert_eq!(TestName::of(other), None, "{other:?}");
        }
        assert_eq!(TestInsurer::of("testslow"), Some(TestInsurer::Slow));
    }
}
