//! The tables, as the macro `rt::table` reads them.

use heck::ToUpperCamelCase;
use relay_runtime::check::{
    ARRAY, BOOLEAN, Expression, INTEGER, Keyword, Literal, NULL, NUMBER, OBJECT, Part, STRING,
    Schema, Table, Target, Text, Types,
};

use super::layout::{CURLY, Layout, ROUND, SQUARE, literal as quoted};

/// A table after a word: the schema alone where nothing refers to a part of it, else each target
/// with its pointer.
pub(super) fn table(name: &str, table: &Table) -> Layout {
    let target =
        |Target(pointer, target): &Target| schema(target).after(&format!("{}: ", quoted(pointer)));
    match &*table.0 {
        [Target(_, root)] => schema(root).after(name),
        targets => Layout::group(name, CURLY, targets.iter().map(target).collect()),
    }
}

fn schema(keywords: &Schema) -> Layout {
    Layout::group("", SQUARE, keywords.iter().map(keyword).collect())
}

fn keyword(keyword: &Keyword) -> Layout {
    let name = &*variant(keyword);
    let argument = |text: String| Layout::word(format!("{name}({text})"));
    match keyword {
        Keyword::Never | Keyword::I64 | Keyword::U64 | Keyword::UniqueItems => {
            argument(String::new())
        }
        Keyword::Ref(index) => argument(index.to_string()),
        Keyword::DynamicRef(anchor, index) => argument(format!("{}, {index}", quoted(anchor))),
        Keyword::Scope(anchors) => {
            let anchor =
                |(name, index): &(Text, u32)| Layout::word(format!("{}: {index}", quoted(name)));
            Layout::group(name, CURLY, anchors.iter().map(anchor).collect())
        }
        Keyword::Type(types) => argument(self::types(*types)),
        Keyword::Const(value) => Layout::group(name, ROUND, vec![literal(value)]),
        Keyword::Enum(values) => Layout::group(name, SQUARE, values.iter().map(literal).collect()),
        Keyword::Minimum(number)
        | Keyword::Maximum(number)
        | Keyword::ExclusiveMinimum(number)
        | Keyword::ExclusiveMaximum(number)
        | Keyword::MultipleOf(number) => argument(quoted(number)),
        Keyword::MinLength(count)
        | Keyword::MaxLength(count)
        | Keyword::MinItems(count)
        | Keyword::MaxItems(count)
        | Keyword::MinProperties(count)
        | Keyword::MaxProperties(count) => argument(count.to_string()),
        Keyword::Items(of)
        | Keyword::AdditionalProperties(of)
        | Keyword::PropertyNames(of)
        | Keyword::UnevaluatedItems(of)
        | Keyword::UnevaluatedProperties(of)
        | Keyword::Not(of) => schema(of).after(name),
        Keyword::Format(format) => argument(format!("{:?}", format.format)),
        Keyword::Pattern(pattern, expression) => Layout::group(
            name,
            ROUND,
            vec![Layout::text(pattern), parts(&expression.parts)],
        ),
        Keyword::PatternProperties(members) => {
            let member = |(pattern, expression, of): &(Text, Expression, Schema)| {
                let pieces = vec![Layout::text(pattern), parts(&expression.parts), schema(of)];
                Layout::group("", ROUND, pieces)
            };
            Layout::group(name, SQUARE, members.iter().map(member).collect())
        }
        Keyword::Contains(of, least, most) => {
            let counts = [least.to_string(), format!("{most:?}")].map(Layout::Word);
            Layout::group(
                name,
                ROUND,
                std::iter::once(schema(of)).chain(counts).collect(),
            )
        }
        Keyword::PrefixItems(schemas)
        | Keyword::AllOf(schemas)
        | Keyword::AnyOf(schemas)
        | Keyword::OneOf(schemas) => {
            Layout::group(name, SQUARE, schemas.iter().map(schema).collect())
        }
        Keyword::Properties(members) | Keyword::DependentSchemas(members) => {
            named(name, members, schema)
        }
        Keyword::Fields(_) => unreachable!("a table that is written has not met a type"),
        Keyword::DependentRequired(members) => named(name, members, |names| {
            Layout::group("", SQUARE, texts(names))
        }),
        Keyword::Required(names) => Layout::group(name, SQUARE, texts(names)),
        Keyword::If(condition, then, otherwise) => {
            Layout::group(name, ROUND, [condition, then, otherwise].map(schema).into())
        }
    }
}

fn parts(list: &[Part]) -> Layout {
    Layout::group("", SQUARE, list.iter().map(part).collect())
}

fn part(part: &Part) -> Layout {
    match part {
        Part::Char(letter) => Layout::word(format!("Char({letter:?})")),
        Part::Class(ranges) => Layout::word(format!("Class({})", quoted(ranges))),
        Part::Repeat(least, most, repeated) => {
            let counts = [least.to_string(), format!("{most:?}")].map(Layout::Word);
            Layout::group(
                "Repeat",
                ROUND,
                counts.into_iter().chain([parts(repeated)]).collect(),
            )
        }
        Part::Sequence(list) => parts(list).after("Sequence"),
        Part::Either(list) => parts(list).after("Either"),
        Part::Ahead(list) => parts(list).after("Ahead"),
        Part::NotAhead(list) => parts(list).after("NotAhead"),
        Part::Behind(list) => parts(list).after("Behind"),
        Part::NotBehind(list) => parts(list).after("NotBehind"),
        Part::Start | Part::End | Part::WordEdge | Part::NoWordEdge => {
            Layout::word(format!("{part:?}()"))
        }
    }
}

/// The variant of a keyword: its name as the schema spells it, in upper case.
fn variant(keyword: &Keyword) -> String {
    match keyword {
        Keyword::Never => "Never".into(),
        Keyword::Ref(_) => "Ref".into(),
        Keyword::DynamicRef(..) => "DynamicRef".into(),
        Keyword::Scope(_) => "Scope".into(),
        Keyword::I64 => "I64".into(),
        Keyword::U64 => "U64".into(),
        keyword => keyword.name().to_upper_camel_case(),
    }
}

fn literal(value: &Literal) -> Layout {
    match value {
        Literal::Null => Layout::word("null"),
        Literal::Bool(value) => Layout::word(value.to_string()),
        Literal::Number(number) => Layout::word(format!("({})", quoted(number))),
        Literal::String(text) => Layout::text(text),
        Literal::Array(items) => Layout::group("", SQUARE, items.iter().map(literal).collect()),
        Literal::Object(members) => named("", members, literal),
    }
}

fn types(types: Types) -> String {
    let names = [
        (NULL, "NULL"),
        (BOOLEAN, "BOOLEAN"),
        (INTEGER, "INTEGER"),
        (NUMBER, "NUMBER"),
        (STRING, "STRING"),
        (ARRAY, "ARRAY"),
        (OBJECT, "OBJECT"),
    ];
    let names: Vec<_> = names
        .iter()
        .filter(|(bit, _)| types & bit != 0)
        .map(|(_, name)| *name)
        .collect();
    names.join(" | ")
}

fn named<T>(name: &str, members: &[(Text, T)], layout: impl Fn(&T) -> Layout) -> Layout {
    let member = |(name, value): &(Text, T)| layout(value).after(&format!("{}: ", quoted(name)));
    Layout::group(name, CURLY, members.iter().map(member).collect())
}

fn texts(names: &[Text]) -> Vec<Layout> {
    names.iter().map(|name| Layout::text(name)).collect()
}
