//! Numbers and strings.

use super::super::decimal::Decimal;
use super::super::pattern::{Expression, TooMuchWork};
use super::super::table::Keyword;
use super::super::value::characters;
use super::super::words;
use super::{Checker, Found, MAX_STEPS};

impl<'t> Checker<'t> {
    /// Keywords for numbers; says whether the keyword was one.
    pub(super) fn number(&mut self, keyword: &Keyword, text: &str, found: &mut Found) -> bool {
        let held = match keyword {
            Keyword::I64 => (i128::from(i64::MIN), i128::from(i64::MAX)),
            // What is below zero, the minimum forbids.
            Keyword::U64 => (i128::MIN, i128::from(u64::MAX)),
            _ => return self.bounded(keyword, text, found),
        };
        if !fits_integer(text, held.0, held.1) {
            let mut unheld = Vec::new();
            let (most, came) = (held.1, words::shortened(text));
            let wanted = if held.0 == i128::MIN {
                format!("of at most {most}")
            } else {
                format!("from {} to {most}", held.0)
            };
            self.broken(
                &mut unheld,
                "type",
                &format_args!("must be an integer {wanted}, but is {came}"),
            );
            self.unheld = self.unheld.take().or(unheld.pop());
        }
        true
    }

    fn bounded(&mut self, keyword: &Keyword, text: &str, found: &mut Found) -> bool {
        let compared = |bound: &str| Decimal::compare(text, bound);
        let wanted = match keyword {
            Keyword::Minimum(bound) if compared(bound).is_lt() => {
                format!("at least {}", &**bound)
            }
            Keyword::Maximum(bound) if compared(bound).is_gt() => {
                format!("at most {}", &**bound)
            }
            Keyword::ExclusiveMinimum(bound) if compared(bound).is_le() => {
                format!("more than {}", &**bound)
            }
            Keyword::ExclusiveMaximum(bound) if compared(bound).is_ge() => {
                format!("less than {}", &**bound)
            }
            Keyword::MultipleOf(step)
                if !Decimal::parse(text).is_multiple_of(&Decimal::parse(step)) =>
            {
                format!("a multiple of {}", &**step)
            }
            _ => return false,
        };
        self.broken(
            found,
            keyword.name(),
            &format_args!("must be {wanted}, but is {}", words::shortened(text)),
        );
        true
    }

    /// Keywords for strings; says whether the keyword was one.
    pub(super) fn string(&mut self, keyword: &Keyword, text: &str, found: &mut Found) -> bool {
        if let Keyword::Format(format) = keyword {
            if !format.fits(text) {
                let (name, came) = (format.format.name(), words::quoted(text));
                self.broken(
                    found,
                    "format",
                    &format_args!("must be of the format {name}, but is {came}"),
                );
            }
            return true;
        }
        if let Keyword::Pattern(pattern, expression) = keyword {
            if !self.matches(expression, text) {
                let message = format!(
                    "must match the pattern {}, but is {}",
                    &**pattern,
                    words::quoted(text)
                );
                self.broken(found, "pattern", &message);
            }
            return true;
        }
        let wanted = match keyword {
            Keyword::MinLength(least) if characters(text) < *least => {
                format!("at least {}", words::count(*least, "character"))
            }
            Keyword::MaxLength(most) if characters(text) > *most => {
                format!("at most {}", words::count(*most, "character"))
            }
            _ => return false,
        };
        self.broken(
            found,
            keyword.name(),
            &format_args!("must have {wanted}, but has {}", characters(text)),
        );
        true
    }

    pub(super) fn matches(&mut self, expression: &Expression, text: &str) -> bool {
        let mut left = MAX_STEPS.saturating_sub(self.steps);
        let matches = expression.is_match(text, &mut left);
        self.steps = MAX_STEPS - left;
        matches.unwrap_or_else(|TooMuchWork| {
            self.exceed("pattern", "its pattern takes too many steps");
            false
        })
    }
}

/// Whether the number is no integer at all (then `type` speaks) or lies in the range.
fn fits_integer(text: &str, least: i128, most: i128) -> bool {
    let number = Decimal::parse(text);
    !number.is_integer()
        || number
            .to_i128()
            .is_some_and(|value| (least..=most).contains(&value))
}
