//! Bar charts of amounts, repeated as text for screen readers.

use askama::Template;
use askama::filters::HtmlSafe;
use domain::money::Rupees;

/// Width of the drawing, in SVG units. Browsers scale the drawing.
const WIDTH: i64 = 320;

/// Width of the longest bar. The amount is to the right of the bar.
const LONGEST: i64 = 220;

/// Height of a bar and its label.
const ROW: i64 = 46;

/// A bar chart.
#[derive(Template)]
#[template(path = "journey/chart.html")]
pub(crate) struct Chart {
    id: &'static str,
    title: String,
    /// The chart's content as text.
    text: String,
    height: i64,
    bars: Vec<DrawnBar>,
}

/// This is safe because the chart's template escapes all texts.
impl HtmlSafe for Chart {}

/// A bar of a chart, before its position is calculated.
pub(crate) struct Bar {
    pub(crate) label: String,
    pub(crate) amount: Rupees,
    /// Whether the customer chose the value of this bar.
    pub(crate) is_chosen: bool,
}

/// A bar with its position and length in the drawing.
struct DrawnBar {
    label: String,
    amount: String,
    width: i64,
    label_y: i64,
    bar_y: i64,
    amount_x: i64,
    amount_y: i64,
    is_chosen: bool,
}

impl Chart {
    /// Chart with these bars. `None` if there are fewer than two.
    pub(crate) fn of(id: &'static str, title: impl Into<String>, bars: Vec<Bar>) -> Option<Chart> {
        let most = bars.iter().map(|bar| bar.amount.paise()).max().filter(|most| *most > 0)?;
        if bars.len() < 2 {
            return None;
        }
        let text = bars.iter().map(|bar| format!("{}: {}", bar.label, bar.amount.grouped()));
        let text = text.collect::<Vec<_>>().join("; ");
        let height = ROW * i64::try_from(bars.len()).ok()?;
        let drawn_bars = bars.into_iter().zip(0..).map(|(bar, row)| {
            let width = i128::from(bar.amount.paise()) * i128::from(LONGEST) / i128::from(most);
            let width = i64::try_from(width).unwrap_or(LONGEST).max(2);
            let top = ROW * row;
            DrawnBar {
                label: bar.label,
                amount: bar.amount.grouped(),
                width,
                label_y: top + 14,
                bar_y: top + 20,
                amount_x: width + 8,
                amount_y: top + 35,
                is_chosen: bar.is_chosen,
            }
        });
        Some(Chart { id, title: title.into(), text, height, bars: drawn_bars.collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bar(rupees: i64) -> Bar {
        Bar { label: format!("{rupees}"), amount: Rupees::whole(rupees), is_chosen: false }
    }

    #[test]
    fn chart_bars_are_proportional_to_their_amounts_and_repeated_as_text() {
        let chart = Chart::of("c", "Premium", vec![bar(5_000), bar(10_000)]).expect("two bars");
        assert_eq!(chart.bars.iter().map(|bar| bar.width).collect::<Vec<_>>(), [110, 220]);
        assert_eq!(chart.text, "5000: ₹5,000; 10000: ₹10,000");
        let drawn = chart.render().expect("drawn");
        assert!(drawn.contains("₹10,000") && !drawn.contains("style="), "{drawn}");
    }

    #[test]
    fn no_chart_is_drawn_for_one_bar_or_only_zero_amounts() {
        assert!(Chart::of("c", "Premium", vec![bar(5_000)]).is_none());
        assert!(Chart::of("c", "Premium", vec![bar(0), bar(0)]).is_none());
    }
}
