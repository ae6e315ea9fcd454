//! The fields of a form, by which an answer is checked.

use serde_json::{Map, Value};

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
    /// Says what the value should be, if it is not that.
    fn check(&self, value: &mut Value) -> Result<(), String> {
        match self {
            Self::Text { min, max } => match value.as_str() {
                Some(text) if within(*min, text.chars().count(), *max) => Ok(()),
                _ => Err(format!("a text{}", range(*min, *max, "characters"))),
            },
            Self::Number { whole, min, max } => match value.as_f64() {
                Some(number)
                    if (*min..=*max).contains(&number) && (!whole || number.fract() == 0.0) =>
                {
                    if *whole && !value.is_i64() && !value.is_u64() {
                        *value = integer(number).ok_or("an integer of 64 bits")?;
                    }
                    Ok(())
                }
                _ => Err(number_words(*whole, *min, *max)),
            },
            Self::Boolean if value.is_boolean() => Ok(()),
            Self::Boolean => Err("true or false".into()),
            Self::Choice(from) => match value.as_str() {
                Some(choice) if from.contains(&choice) => Ok(()),
                _ => Err(format!("one of {from:?}")),
            },
            Self::Choices { from, min, max } => match strings(value) {
                Some(chosen)
                    if within(*min, chosen.len(), *max)
                        && chosen.iter().all(|choice| from.contains(choice)) =>
                {
                    Ok(())
                }
                _ => Err(format!("a list of {from:?}{}", range(*min, *max, "items"))),
            },
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
        (min, u64::MAX) => format!(" of at least {min} {of}"),
        (0, max) => format!(" of at most {max} {of}"),
        (min, max) => format!(" of {min} to {max} {of}"),
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
