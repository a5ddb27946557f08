//! Zones of pincodes, by pincode prefix.

use domain::person::HomePincode;

/// A zone of pincodes: the position of its name in [`Zones`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Zone(pub(crate) usize);

/// Maps pincodes to zones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Zones {
    names: Vec<String>,
    /// Pincode prefixes, each with its zone. Sorted, without duplicates.
    prefixes: Vec<(String, Zone)>,
    /// Zone of all pincodes that match no prefix. `None`: every pincode matches a prefix.
    rest: Option<Zone>,
}

impl Zones {
    /// Builds the zones from rows with prefix and zone name. The prefix `*` stands for all other pincodes.
    /// Prefixes must differ.
    pub(crate) fn of(rows: impl IntoIterator<Item = (String, String)>) -> Self {
        let mut zones = Zones { names: Vec::new(), prefixes: Vec::new(), rest: None };
        for (prefix, name) in rows {
            let zone = zones.find(&name).unwrap_or_else(|| {
                zones.names.push(name);
                Zone(zones.names.len() - 1)
            });
            if prefix == "*" {
                zones.rest = Some(zone);
            } else {
                zones.prefixes.push((prefix, zone));
            }
        }
        zones.prefixes.sort();
        zones
    }

    /// Zone of a pincode. The longest matching prefix decides.
    pub(crate) fn of_pincode(&self, pincode: &HomePincode) -> Option<Zone> {
        let digits = pincode.reveal();
        let longest = (1..=digits.len()).rev().find_map(|length| self.of_prefix(&digits[..length]));
        longest.or(self.rest)
    }

    pub(crate) fn find(&self, name: &str) -> Option<Zone> {
        self.names.iter().position(|known| known == name).map(Zone)
    }

    pub(crate) fn name(&self, zone: Zone) -> &str {
        &self.names[zone.0]
    }

    /// All zones, in the order in which their names first occur.
    pub(crate) fn all(&self) -> impl Iterator<Item = Zone> + use<> {
        (0..self.names.len()).map(Zone)
    }

    /// Pincode prefixes of these zones. The longest matching prefix decides a pincode's zone. `*` stands for
    /// all other pincodes.
    pub(crate) fn prefixes_of<'z>(&'z self, zones: &'z [Zone]) -> impl Iterator<Item = &'z str> {
        let named = self.prefixes.iter().filter(|(_, zone)| zones.contains(zone));
        let rest = self.rest.filter(|zone| zones.contains(zone)).map(|_| "*");
        named.map(|(prefix, _)| prefix.as_str()).chain(rest)
    }

    /// Shortest prefixes that cover all pincodes without a zone.
    pub(crate) fn missing_prefixes(&self) -> Vec<String> {
        let mut missing = Vec::new();
        if self.rest.is_none() {
            for first in '1'..='9' {
                self.collect_missing(first.to_string(), &mut missing);
            }
        }
        missing
    }

    fn collect_missing(&self, beginning: String, missing: &mut Vec<String>) {
        if self.of_prefix(&beginning).is_some() {
            return;
        }
        // Prefixes are sorted. So the first one at or after `beginning` extends it, if any does.
        let next = self.prefixes.partition_point(|(prefix, _)| *prefix < beginning);
        if self.prefixes.get(next).is_some_and(|(prefix, _)| prefix.starts_with(&beginning)) {
            for digit in '0'..='9' {
                self.collect_missing(format!("{beginning}{digit}"), missing);
            }
        } else {
            missing.push(beginning);
        }
    }

    fn of_prefix(&self, prefix: &str) -> Option<Zone> {
        let position = self.prefixes.binary_search_by(|(known, _)| known.as_str().cmp(prefix));
        position.ok().map(|position| self.prefixes[position].1)
    }
}

#[cfg(test)]
mod tests {
    use domain::text::FromText;

    use super::*;

    fn zones(rows: &[(&str, &str)]) -> Zones {
        Zones::of(rows.iter().map(|(prefix, name)| ((*prefix).to_owned(), (*name).to_owned())))
    }

    fn zone<'z>(zones: &'z Zones, pincode: &str) -> Option<&'z str> {
        let pincode = HomePincode::from_text(pincode).expect("a pincode");
        zones.of_pincode(&pincode).map(|zone| zones.name(zone))
    }

    #[test]
    fn the_longest_matching_prefix_decides_the_zone_of_a_pincode() {
        let zones = zones(&[("*", "3"), ("4", "2"), ("400", "1"), ("400072", "2"), ("41", "1")]);
        for (pincode, name) in
            [("110001", "3"), ("421301", "2"), ("400001", "1"), ("400072", "2"), ("411001", "1")]
        {
            assert_eq!(zone(&zones, pincode), Some(name), "{pincode}");
        }
        assert_eq!(zones.missing_prefixes(), Vec::<String>::new());
    }

    #[test]
    fn prefixes_of_pincodes_without_a_zone_are_reported() {
        let all_but_one = zones(&[
            ("1", "a"),
            ("20", "a"),
            ("21", "a"),
            ("22", "a"),
            ("23", "a"),
            ("24", "b"),
            ("25", "a"),
            ("26", "a"),
            ("27", "a"),
            ("28", "a"),
            ("3", "b"),
            ("4", "b"),
            ("5", "b"),
            ("6", "b"),
            ("7", "b"),
            ("8", "b"),
        ]);
        assert_eq!(all_but_one.missing_prefixes(), ["29", "9"]);
        assert_eq!(zone(&all_but_one, "291000"), None);
        assert_eq!(zone(&all_but_one, "241000"), Some("b"));
    }
}
