//! Ratios of pairs that were measured one after the other.

use std::fmt;

/// The ratios of a figure, of all rounds. It prints as the median, with the least and the greatest.
#[derive(Debug, Clone, Default)]
pub struct Ratios(Vec<f64>);

impl Ratios {
    /// Adds what one round gave: a measured value and that of the baseline.
    pub fn add(&mut self, measured: f64, baseline: f64) {
        self.0.push(measured / baseline);
        self.0.sort_by(f64::total_cmp);
    }

    /// The one in the middle; between the middle two, where there are two. Not a number without any.
    #[must_use]
    pub fn median(&self) -> f64 {
        let (low, high) = (self.0.len().saturating_sub(1) / 2, self.0.len() / 2);
        match (self.0.get(low), self.0.get(high)) {
            (Some(low), Some(high)) => low.midpoint(*high),
            _ => f64::NAN,
        }
    }

    /// The least: what is left of the noise of a shared machine, where each run is the same work.
    #[must_use]
    pub fn least(&self) -> f64 {
        self.0.first().copied().unwrap_or(f64::NAN)
    }
}

impl fmt::Display for Ratios {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let median = short(self.median());
        match (self.0.first(), self.0.last()) {
            (Some(least), Some(greatest)) if self.0.len() > 1 => {
                write!(f, "{median} ({}-{})", short(*least), short(*greatest))
            }
            _ => f.write_str(&median),
        }
    }
}

/// A ratio with as many digits as mean something.
fn short(ratio: f64) -> String {
    if ratio < 10.0 {
        format!("{ratio:.2}")
    } else {
        format!("{ratio:.0}")
    }
}

#[cfg(test)]
mod tests {
    use super::Ratios;

    #[test]
    fn the_median_is_the_middle_and_the_range_is_round_it() {
        let mut ratios = Ratios::default();
        assert_eq!(ratios.to_string(), "NaN");
        ratios.add(3.0, 1.0);
        assert_eq!(ratios.to_string(), "3.00");
        ratios.add(2.0, 2.0);
        assert_eq!(ratios.to_string(), "2.00 (1.00-3.00)");
        ratios.add(50.0, 1.0);
        assert_eq!(ratios.to_string(), "3.00 (1.00-50)");
    }
}
