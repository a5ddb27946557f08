//! Test values with fixed effects in the sandbox (D97).

use std::time::Duration;

/// Prefix of test partners' policy numbers. Nobody is insured by these policies.
pub const TEST_NUMBERS: &str = "TEST";

/// Delay of the premium for the test value `Testlate`.
pub const LATE_BY: Duration = Duration::from_hours(3 * 24);

/// Declares test values: words and their effects in the sandbox.
macro_rules! test_values {
    ($(#[$of_all:meta])* $name:ident { $($value:ident = $word:literal: $does:literal;)* }) => {
        $(#[$of_all])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $name {
            $(#[doc = $does] $value),*
        }

        impl $name {
            pub const ALL: &'static [Self] = &[$($name::$value),*];

            /// The test value's word as documented. In input, letter case is ignored.
            pub const fn word(self) -> &'static str {
                match self { $($name::$value => $word),* }
            }

            /// Describes the effect in one sentence.
            pub const fn does(self) -> &'static str {
                match self { $($name::$value => $does),* }
            }

            /// Test value that is the first word of `text`. Letter case is ignored.
            pub fn of(text: &str) -> Option<Self> {
                let first = text.split_whitespace().next()?;
                Self::ALL.iter().copied().find(|value| first.eq_ignore_ascii_case(value.word()))
            }
        }
    };
}

test_values! {
    /// First names of a proposer that have an effect, for test partners only.
    TestName {
        Refer = "Testrefer": "The proposal is referred: it stays undecided until somebody decides it.";
        Reject = "Testreject": "The insurer rejects the proposal.";
        Late = "Testlate": "The premium arrives three days late.";
        Short = "Testshort": "The received premium is one rupee short.";
    }
}

test_values! {
    /// Words that make a simulated insurer fail or answer too late.
    TestInsurer {
        Slow = "Testslow": "The first insurer in the list does not answer in time.";
        Fails = "Testfail": "The first insurer in the list fails to give a price.";
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_value_is_recognized_in_the_first_word_in_any_letter_case() {
        assert_eq!(TestName::of("Testrefer"), Some(TestName::Refer)); // D97
        assert_eq!(TestName::of("TESTREJECT Kumar"), Some(TestName::Reject));
        for other in ["", " ", "Test", "Testreferral", "Kumar Testlate"] {
            assert_eq!(TestName::of(other), None, "{other:?}");
        }
        assert_eq!(TestInsurer::of("testslow"), Some(TestInsurer::Slow));
    }
}
