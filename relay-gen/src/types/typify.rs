//! What typify is exact on: enumerations of strings whose values differ as identifiers.

use std::collections::HashSet;

use schemars::schema::{InstanceType, Schema, SchemaObject};
use typify_impl::{TypeDetails, TypeEnumVariant, TypeSpace};

/// The names that typify gives the variants of an enumeration, in the order of its values; `None`
/// where it would panic for two values that come to one identifier, or has nothing to go by.
pub(super) fn variants(name: &str, values: &[String]) -> Option<Vec<String>> {
    if !are_distinct(values) {
        return None;
    }
    let schema = SchemaObject {
        instance_type: Some(InstanceType::String.into()),
        enum_values: Some(values.iter().map(|value| value.as_str().into()).collect()),
        ..SchemaObject::default()
    };
    let mut space = TypeSpace::default();
    let id = space
        .add_type_with_name(&Schema::Object(schema), Some(name.into()))
        .ok()?;
    let shaped = space.get_type(&id).ok()?;
    let TypeDetails::Enum(shaped) = shaped.details() else {
        return None;
    };
    let names = shaped
        .variants()
        .map(|(name, variant)| matches!(variant, TypeEnumVariant::Simple).then(|| name.into()));
    names
        .collect::<Option<Vec<_>>>()
        .filter(|names| names.len() == values.len())
}

/// Stricter than typify: values that differ in letters and digits alone, whatever their case, stay
/// different however they are cased. A digit at the start gets an `X` from typify.
fn are_distinct(values: &[String]) -> bool {
    let mut seen = HashSet::new();
    values.iter().all(|value| {
        let letters: String = value.chars().filter(char::is_ascii_alphanumeric).collect();
        let plain =
            value.is_ascii() && letters.starts_with(|first: char| first.is_ascii_alphabetic());
        plain && seen.insert(letters.to_ascii_lowercase())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(values: &[&str]) -> Option<Vec<String>> {
        let values: Vec<_> = values.iter().map(|value| (*value).to_owned()).collect();
        variants("Order", &values)
    }

    #[test]
    fn typify_names_what_differs() {
        assert_eq!(named(&["asc", "top-down"]).unwrap(), ["Asc", "TopDown"]);
    }

    #[test]
    fn what_typify_would_panic_on_is_not_handed_over() {
        for values in [
            &["=", "!="][..],
            &["asc", "ASC"],
            &["a b", "a-b"],
            &[""],
            &["é"],
            &["1a", "x1a"],
        ] {
            assert_eq!(named(values), None, "{values:?}");
        }
    }
}
