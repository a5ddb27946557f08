//! The templates of a credit-protection quote's items, and the sentences of those that have no price.

use arc_swap::ArcSwap;
use domain::quote::NotPriced;

use crate::template::{Template, json};

/// The templates of a credit-protection variant's item.
pub(crate) struct CreditTemplates {
    /// With a price.
    pub(crate) priced: Template,
    /// Without one.
    pub(crate) not_priced: Template,
    pub(crate) reasons: Reasons,
}

/// Reasons of one variant that are remembered: of its few limits, each gives one, however many ask.
const MOST_REASONS: usize = 8;

/// Why a variant had no price, with the JSON of the sentence.
#[derive(Default)]
pub(crate) struct Reasons(ArcSwap<Vec<(NotPriced, Box<[u8]>)>>);

impl Reasons {
    /// Writes the sentence of a reason.
    pub(crate) fn write(&self, to: &mut Vec<u8>, reason: &NotPriced) {
        let known = self.0.load();
        if let Some((_, sentence)) = known.iter().find(|(known, _)| known == reason) {
            return to.extend_from_slice(sentence);
        }
        let begin = to.len();
        json(to, &reason.to_string());
        // What others say in their own words may be something else each time.
        let is_ours = !matches!(reason, NotPriced::InsurerRefused(_) | NotPriced::Rider(_));
        if is_ours && known.len() < MOST_REASONS {
            let sentence: Box<[u8]> = to[begin..].into();
            self.0.rcu(|known| {
                let mut known = Vec::clone(known);
                known.push((reason.clone(), sentence.clone()));
                known
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_written_as_it_reads_however_often_and_few_are_remembered() {
        let reasons = Reasons::default();
        let asked = |number: u16| match number % 3 {
            0 => NotPriced::Age { least: 18, most: 60 + number },
            1 => NotPriced::Rider(format!("\"{number}\"")),
            _ => NotPriced::InsurerRefused(format!("Not {number}.")),
        };
        for reason in (0..60).chain(0..60).map(asked) {
            let mut written = vec![b' '];
            reasons.write(&mut written, &reason);
            let sentence = serde_json::to_string(&reason.to_string()).expect("serialises");
            assert_eq!(String::from_utf8(written).expect("UTF-8"), format!(" {sentence}"));
        }
        let known = reasons.0.load();
        assert_eq!(known.len(), MOST_REASONS);
        assert!(known.iter().all(|(reason, _)| matches!(reason, NotPriced::Age { .. })));
    }
}
