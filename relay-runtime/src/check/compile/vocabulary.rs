//! The keywords of JSON Schema, and where each of them keeps its subschemas.

/// A version of JSON Schema that Relay speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// Draft 2020-12, the default.
    Draft2020_12,
    /// Draft-07.
    Draft07,
}

impl Dialect {
    /// The dialect that a `$schema` names, however it is spelt.
    #[must_use]
    pub fn from_uri(uri: &str) -> Option<Self> {
        let uri = uri.strip_suffix('#').unwrap_or(uri);
        let uri = uri
            .strip_prefix("https://")
            .or_else(|| uri.strip_prefix("http://"))?;
        match uri {
            "json-schema.org/draft/2020-12/schema" => Some(Self::Draft2020_12),
            "json-schema.org/draft-07/schema" => Some(Self::Draft07),
            _ => None,
        }
    }

    /// What people call it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Draft2020_12 => "draft 2020-12",
            Self::Draft07 => "draft-07",
        }
    }
}

/// Where a keyword keeps its subschemas.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holds {
    /// Nowhere.
    Nothing,
    /// Its value is one.
    Schema,
    /// Its value is an array of them.
    List,
    /// Its value is an object of them, by names that are not keywords.
    Map,
    /// Its value is one, or an array of them.
    SchemaOrList,
    /// Its value is an object of them, or of arrays of strings.
    MapOrNames,
}

/// What a subschema is applied to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Applies {
    /// To the very value that the schema is applied to.
    InPlace,
    /// To a member or an element of that value, or to a name or a text in it.
    Within,
    /// To nothing, until a `$ref` leads to it.
    OnDemand,
}

/// A keyword in one dialect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Keyword {
    /// Its name.
    pub name: &'static str,
    /// Where it keeps its subschemas.
    pub holds: Holds,
    /// What those are applied to.
    pub applies: Applies,
}

/// The keyword with a name, if the dialect knows it.
#[must_use]
pub fn keyword(name: &str, dialect: Dialect) -> Option<&'static Keyword> {
    keywords(dialect).find(|keyword| keyword.name == name)
}

/// All keywords of a dialect.
pub fn keywords(dialect: Dialect) -> impl Iterator<Item = &'static Keyword> {
    let own = match dialect {
        Dialect::Draft2020_12 => DRAFT_2020_12,
        Dialect::Draft07 => DRAFT_07,
    };
    COMMON.iter().chain(own)
}

const fn plain(name: &'static str) -> Keyword {
    holding(name, Holds::Nothing, Applies::OnDemand)
}

const fn holding(name: &'static str, holds: Holds, applies: Applies) -> Keyword {
    Keyword {
        name,
        holds,
        applies,
    }
}

const COMMON: &[Keyword] = &[
    plain("$schema"),
    plain("$id"),
    plain("$ref"),
    plain("$comment"),
    // Either name is used under either dialect, and a `$ref` reaches both.
    holding("$defs", Holds::Map, Applies::OnDemand),
    holding("definitions", Holds::Map, Applies::OnDemand),
    plain("title"),
    plain("description"),
    plain("default"),
    plain("examples"),
    plain("readOnly"),
    plain("writeOnly"),
    plain("type"),
    plain("enum"),
    plain("const"),
    plain("multipleOf"),
    plain("maximum"),
    plain("exclusiveMaximum"),
    plain("minimum"),
    plain("exclusiveMinimum"),
    plain("maxLength"),
    plain("minLength"),
    plain("pattern"),
    plain("format"),
    plain("contentEncoding"),
    plain("contentMediaType"),
    plain("maxItems"),
    plain("minItems"),
    plain("uniqueItems"),
    plain("maxProperties"),
    plain("minProperties"),
    plain("required"),
    holding("properties", Holds::Map, Applies::Within),
    holding("patternProperties", Holds::Map, Applies::Within),
    holding("additionalProperties", Holds::Schema, Applies::Within),
    holding("propertyNames", Holds::Schema, Applies::Within),
    holding("contains", Holds::Schema, Applies::Within),
    holding("allOf", Holds::List, Applies::InPlace),
    holding("anyOf", Holds::List, Applies::InPlace),
    holding("oneOf", Holds::List, Applies::InPlace),
    holding("not", Holds::Schema, Applies::InPlace),
    holding("if", Holds::Schema, Applies::InPlace),
    holding("then", Holds::Schema, Applies::InPlace),
    holding("else", Holds::Schema, Applies::InPlace),
];

const DRAFT_2020_12: &[Keyword] = &[
    plain("$anchor"),
    plain("$dynamicAnchor"),
    plain("$dynamicRef"),
    plain("$vocabulary"),
    plain("deprecated"),
    plain("maxContains"),
    plain("minContains"),
    plain("dependentRequired"),
    holding("dependentSchemas", Holds::Map, Applies::InPlace),
    holding("prefixItems", Holds::List, Applies::Within),
    holding("items", Holds::Schema, Applies::Within),
    holding("unevaluatedItems", Holds::Schema, Applies::Within),
    holding("unevaluatedProperties", Holds::Schema, Applies::Within),
    holding("contentSchema", Holds::Schema, Applies::Within),
];

const DRAFT_07: &[Keyword] = &[
    holding("items", Holds::SchemaOrList, Applies::Within),
    holding("additionalItems", Holds::Schema, Applies::Within),
    holding("dependencies", Holds::MapOrNames, Applies::InPlace),
];
