//! The fields of a form, by which an answer is checked.

use serde_json::{Map, Value};

use crate::check::{Format, count};

/// The fields of a form.
pub(crate) struct Fields<'a>(pub(super) Vec<Field<'a>>);

pub(super) struct Field<'a> {
    pub(super) name: &'a str,
    pub(super) required: bool,
    pub(super) kind: Kind<'a>,
}

pub(super) enum Kind<'a> {
    Text {
        min: u64,
        max: u64,
        format: Option<Format>,
    },
    Number {
        whole: bool,
        min: f64,
        max: f64,
    },
    Boolean,
    Choice(Vec<&'a str>),
    Choices {
        from: Vec<&'a str>,
        min: u64,
        max: u64,
    },
}

impl Fields<'_> {
    /// Checks what a user has filled in, or says what is wrong with which field. An integer that
    /// is written as `5.0` becomes `5`.
    pub(crate) fn check(&self, content: &mut Map<String, Value>) -> Result<(), String> {
        for Field {
            name,
            required,
            kind,
        } in &self.0
        {
            match content.get_mut(*name) {
                Some(value) => kind
                    .check(value)
                    .map_err(|what| format!("\"{name}\" must be {what}"))?,
                None if *required => return Err(format!("\"{name}\" is missing")),
                None => {}
            }
        }
        Ok(())
    }
}

impl Kind<'_> {
    /// Says what the value should be, if it is not that. An integer that is written as `5.0`
    /// becomes `5`.
    pub(super) fn check(&self, value: &mut Value) -> Result<(), String> {
        if !self.fits(value) {
            return Err(self.words());
        }
        if let Self::Number { whole: true, .. } = self
            && let Some(number) = value.as_f64().filter(|_| value.is_f64())
        {
            *value = integer(number).ok_or("an integer of 64 bits")?;
        }
        Ok(())
    }

    fn fits(&self, value: &Value) -> bool {
        match self {
            Self::Text { min, max, format } => value.as_str().is_some_and(|text| {
                within(*min, text.chars().count(), *max)
                    && format.is_none_or(|format| format.fits(text))
            }),
            Self::Number { whole, min, max } => value.as_f64().is_some_and(|number| {
                (*min..=*max).contains(&number) && (!whole || number.fract() == 0.0)
            }),
            Self::Boolean => value.is_boolean(),
            Self::Choice(from) => value.as_str().is_some_and(|choice| from.contains(&choice)),
            Self::Choices { from, min, max } => strings(value).is_some_and(|chosen| {
                within(*min, chosen.len(), *max)
                    && chosen.iter().all(|choice| from.contains(choice))
            }),
        }
    }

    /// What a value should be.
    fn words(&self) -> String {
        match self {
            Self::Text { min, max, format } => {
                let of = format.map(|format| format!(" of the format {}", format.name()));
                let of = of.unwrap_or_default();
                format!("a text{of}{}", range(*min, *max, "character"))
            }
            Self::Number { whole, min, max } => number_words(*whole, *min, *max),
            Self::Boolean => "true or false".into(),
            Self::Choice(from) => format!("one of {from:?}"),
            Self::Choices { from, min, max } => {
                format!("a list of {from:?}{}", range(*min, *max, "item"))
            }
        }
    }
}

pub(super) fn strings(value: &Value) -> Option<Vec<&str>> {
    value.as_array()?.iter().map(Value::as_str).collect()
}

fn within(min: u64, count: usize, max: u64) -> bool {
    u64::try_from(count).is_ok_and(|count| (min..=max).contains(&count))
}

/// A whole number that some writer gave a fraction of zero.
fn integer(number: f64) -> Option<Value> {
    // The decimal text of a whole f64 is exact, and parses where it fits.
    let text = format!("{number:.0}");
    text.parse::<i64>()
        .map(Value::from)
        .or_else(|_| text.parse::<u64>().map(Value::from))
        .ok()
}

fn range(min: u64, max: u64, of: &str) -> String {
    match (min, max) {
        (0, u64::MAX) => String::new(),
        (min, u64::MAX) => format!(" of at least {}", count(min, of)),
        (0, max) => format!(" of at most {}", count(max, of)),
        (min, max) => format!(" of {min} to {}", count(max, of)),
    }
}

fn number_words(whole: bool, min: f64, max: f64) -> String {
    let kind = if whole { "an integer" } else { "a number" };
    let mut words = kind.to_owned();
    if min.is_finite() {
        words.push_str(&format!(" from {min}"));
    }
    if max.is_finite() {
        words.push_str(&format!(" up to {max}"));
    }
    words
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(property: &Value, answer: &Value) -> Result<Value, String> {
        let schema = json!({"type": "object", "properties": {"a": property}});
        let mut content = Map::from_iter([("a".to_owned(), answer.clone())]);
        Fields::read(&schema).unwrap().check(&mut content)?;
        Ok(content["a"].take())
    }

    #[test]
    fn a_text_has_its_format() {
        for (format, good, bad) in [
            ("email", "ada@example.com", "not a mail"),
            ("uri", "https://example.com/", "example"),
            ("date", "2026-02-28", "2026-02-29"),
            ("date-time", "2026-02-28T12:00:00Z", "2026-02-28 12:00"),
        ] {
            let property = json!({"type": "string", "format": format, "maxLength": 30});
            assert_eq!(check(&property, &json!(good)), Ok(json!(good)));
            let wanted =
                format!("\"a\" must be a text of the format {format} of at most 30 characters");
            assert_eq!(check(&property, &json!(bad)), Err(wanted));
        }
    }

    #[test]
    fn a_whole_number_becomes_an_integer() {
        let property = json!({"type": "integer"});
        for (answer, read) in [
            (json!(5.0), json!(5)),
            (json!(-0.0), json!(0)),
            (json!(u64::MAX), json!(u64::MAX)),
        ] {
            assert_eq!(check(&property, &answer), Ok(read));
        }
        let refused = check(&property, &json!(1e30));
        assert_eq!(refused, Err("\"a\" must be an integer of 64 bits".into()));
    }
}
