//! The schema of a form: one level of properties that any client can show.

use serde_json::{Map, Value};

/// The fields of a form.
pub(crate) struct Fields<'a>(Vec<Field<'a>>);

struct Field<'a> {
    name: &'a str,
    required: bool,
    kind: Kind<'a>,
}

enum Kind<'a> {
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

/// The keywords of every property.
const COMMON: [&str; 4] = ["type", "title", "description", "default"];

impl<'a> Fields<'a> {
    /// Reads the schema, or says why it is none of a form.
    pub(crate) fn read(schema: &'a Value) -> Result<Self, String> {
        if schema["type"] != "object" {
            return Err("its root must be `\"type\": \"object\"`".into());
        }
        let Some(properties) = schema["properties"].as_object() else {
            return Err("it needs `properties`".into());
        };
        let required: Vec<&str> = match schema.get("required") {
            None => Vec::new(),
            Some(names) => strings(names).ok_or("`required` must be a list of names")?,
        };
        if let Some(name) = required
            .iter()
            .find(|name| !properties.contains_key(**name))
        {
            return Err(format!("`required` names \"{name}\", which is no property"));
        }
        let fields = properties.iter().map(|(name, property)| {
            let kind = kind(property).map_err(|what| format!("the property \"{name}\" {what}"))?;
            Ok(Field {
                name,
                required: required.contains(&name.as_str()),
                kind,
            })
        });
        fields.collect::<Result<_, String>>().map(Self)
    }

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

fn kind(property: &Value) -> Result<Kind<'_>, String> {
    let members = property.as_object().ok_or("must be an object")?;
    let text = |name: &str| members.get(name).and_then(Value::as_str);
    let (kind, known): (_, &[&str]) = match text("type") {
        Some("string") if members.contains_key("oneOf") => (
            Kind::Choice(titled(&members["oneOf"], "oneOf")?),
            &["oneOf"],
        ),
        Some("string") if members.contains_key("enum") => {
            (Kind::Choice(listed(property)?), &["enum", "enumNames"])
        }
        Some("string") => {
            let (min, max) = (
                count(property, "minLength", 0)?,
                count(property, "maxLength", u64::MAX)?,
            );
            (
                Kind::Text { min, max },
                &["minLength", "maxLength", "format"],
            )
        }
        Some(number @ ("number" | "integer")) => {
            let min = bound(property, "minimum", f64::NEG_INFINITY)?;
            let max = bound(property, "maximum", f64::INFINITY)?;
            let whole = number == "integer";
            (Kind::Number { whole, min, max }, &["minimum", "maximum"])
        }
        Some("boolean") => (Kind::Boolean, &[]),
        Some("array") => (choices(property)?, &["items", "minItems", "maxItems"]),
        _ => {
            return Err(
                "must have a `type`: string, number, integer, boolean, or array of choices".into(),
            );
        }
    };
    match members
        .keys()
        .find(|key| !COMMON.contains(&key.as_str()) && !known.contains(&key.as_str()))
    {
        Some(other) => Err(format!(
            "has the keyword `{other}`, which clients need not know in a form; beside {} it may have {}",
            COMMON.join(", "),
            if known.is_empty() {
                "none".to_owned()
            } else {
                known.join(", ")
            }
        )),
        None => Ok(kind),
    }
}

fn choices(property: &Value) -> Result<Kind<'_>, String> {
    let items = &property["items"];
    let from = match items.get("anyOf") {
        Some(options) => titled(options, "anyOf")?,
        None => listed(items).map_err(|what| format!("has `items` that {what}"))?,
    };
    Ok(Kind::Choices {
        from,
        min: count(property, "minItems", 0)?,
        max: count(property, "maxItems", u64::MAX)?,
    })
}

fn listed(schema: &Value) -> Result<Vec<&str>, String> {
    strings(&schema["enum"]).ok_or_else(|| "must have an `enum`: a list of strings".into())
}

fn titled<'a>(options: &'a Value, name: &str) -> Result<Vec<&'a str>, String> {
    let options = options.as_array().map(Vec::as_slice).unwrap_or_default();
    let choices: Option<Vec<&str>> = options
        .iter()
        .map(|option| option["title"].as_str().and(option["const"].as_str()))
        .collect();
    choices
        .filter(|choices| !choices.is_empty())
        .ok_or_else(|| format!("must have in `{name}` a list of {{\"const\": …, \"title\": …}}"))
}

fn strings(value: &Value) -> Option<Vec<&str>> {
    value.as_array()?.iter().map(Value::as_str).collect()
}

fn count(property: &Value, name: &str, absent: u64) -> Result<u64, String> {
    match property.get(name) {
        None => Ok(absent),
        Some(value) => value
            .as_u64()
            .ok_or_else(|| format!("must have a whole number as its `{name}`")),
    }
}

fn bound(property: &Value, name: &str, absent: f64) -> Result<f64, String> {
    match property.get(name) {
        None => Ok(absent),
        Some(value) => value
            .as_f64()
            .ok_or_else(|| format!("must have a number as its `{name}`")),
    }
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
