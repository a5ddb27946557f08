//! Bank accounts to which an insurer pays customers.

use crate::person::PersonalLine;
use crate::text::FromText;

/// Bank account for refunds. Each field may be missing.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BankAccount {
    /// Id of the bank, in imported records only.
    pub bank_id: Option<PersonalLine>,
    pub account_number: Option<PersonalLine>,
    pub bank_name: Option<PersonalLine>,
    /// Id of the branch, in imported records only.
    pub branch_id: Option<PersonalLine>,
    pub branch_name: Option<PersonalLine>,
    /// Code of the bank branch.
    pub ifsc: Option<Ifsc>,
}

/// Indian Financial System Code (IFSC) of a bank branch: 4 letters, a zero, 6 letters or digits. Stored in
/// capitals.
#[derive(Clone, PartialEq, Eq)]
pub struct Ifsc(String);

impl Ifsc {
    /// The code in plain text.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Restores a stored code without validation.
    pub fn kept(text: String) -> Self {
        Ifsc(text)
    }
}

impl std::fmt::Debug for Ifsc {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.write_str("Ifsc(…)")
    }
}

impl FromText for Ifsc {
    const WANTED: &'static str = "an IFSC: 4 letters, a zero, and 6 letters or digits";
    const PATTERN: Option<&'static str> = Some(r"^\s*[A-Za-z]{4}0[A-Za-z0-9]{6}\s*$");

    fn from_text(text: &str) -> Result<Self, &'static str> {
        let shaped = text.len() == 11
            && text.bytes().enumerate().all(|(at, byte)| match at {
                0..=3 => byte.is_ascii_alphabetic(),
                4 => byte == b'0',
                _ => byte.is_ascii_alphanumeric(),
            });
        if shaped { Ok(Ifsc(text.to_ascii_uppercase())) } else { Err("text that is not an IFSC") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ifsc_needs_the_right_format_and_may_be_in_lower_case() {
        assert_eq!(Ifsc::from_text("icic0000001").map(|code| code.0), Ok("ICIC0000001".into()));
        for bad in ["ICIC1000001", "ICIC000001", "1CIC0000001", "ICIC00000011", "ICIC0 00001"] {
            assert!(Ifsc::from_text(bad).is_err(), "{bad}");
        }
    }
}
