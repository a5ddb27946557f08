//! Medians, percentiles and tables.

/// Median, minimum and maximum of some numbers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Spread {
    pub(crate) median: f64,
    pub(crate) least: f64,
    pub(crate) most: f64,
}

impl Spread {
    pub(crate) fn of(numbers: impl IntoIterator<Item = f64>) -> Self {
        let mut numbers: Vec<f64> = numbers.into_iter().collect();
        numbers.sort_by(f64::total_cmp);
        let at = |place: usize| numbers.get(place).copied().unwrap_or(f64::NAN);
        let (middle, last) = (numbers.len() / 2, numbers.len().saturating_sub(1));
        let median = if numbers.len().is_multiple_of(2) {
            (at(middle.saturating_sub(1)) + at(middle)) / 2.0
        } else {
            at(middle)
        };
        Spread { median, least: at(0), most: at(last) }
    }

    /// Text of a ratio: the median, then the minimum and maximum.
    pub(crate) fn as_ratio(self) -> String {
        format!("{:.2} ({:.2} to {:.2})", self.median, self.least, self.most)
    }

    /// Distance between minimum and maximum, in percent of the median.
    pub(crate) fn noise(self) -> f64 {
        (self.most - self.least) / self.median * 100.0
    }
}

/// Percentile of sorted values. `part`: from 0 to 1.
pub(crate) fn percentile(sorted: &[u64], part: f64) -> f64 {
    let place = ((sorted.len() as f64 * part) as usize).min(sorted.len().saturating_sub(1));
    sorted.get(place).map_or(f64::NAN, |value| *value as f64)
}

/// Prints a table in Markdown.
pub(crate) fn print(title: &str, head: &[&str], rows: &[Vec<String>]) {
    let widths: Vec<usize> = (0..head.len())
        .map(|column| {
            let cells = rows.iter().map(|row| row[column].chars().count());
            cells.chain([head[column].chars().count()]).max().unwrap_or(0)
        })
        .collect();
    let line = |cells: &[String]| {
        let cells = cells.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}"));
        println!("| {} |", cells.collect::<Vec<_>>().join(" | "));
    };
    println!("\n{title}\n");
    line(&head.iter().map(|cell| (*cell).to_owned()).collect::<Vec<_>>());
    println!("|{}", "---|".repeat(head.len()));
    rows.iter().for_each(|row| line(row));
    println!();
}
