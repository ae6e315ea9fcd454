//! Schemas with values that are known to be right and wrong.

/// A schema that is the output of a tool, the values that come back as they are, and those that are
/// refused.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) schema: &'static str,
    pub(crate) kept: &'static [&'static str],
    pub(crate) refused: &'static [&'static str],
}

const fn case(
    name: &'static str,
    schema: &'static str,
    kept: &'static [&'static str],
    refused: &'static [&'static str],
) -> Case {
    Case {
        name,
        schema,
        kept,
        refused,
    }
}

/// What typify can't generate.
pub(crate) const FAILURES: &[Case] = &[
    case(
        "default-null",
        r#"{"type":"object","properties":{"a":{"type":"string","default":null}}}"#,
        &["{}", r#"{"a":"x"}"#],
        &[r#"{"a":null}"#],
    ),
    case(
        "default-unfit",
        r#"{"type":"object","properties":{"a":{"type":"integer","minimum":5,"default":"x"}}}"#,
        &["{}", r#"{"a":5}"#],
        &[r#"{"a":4}"#, r#"{"a":"x"}"#],
    ),
    case(
        "enum-signs",
        r#"{"type":"object","properties":{"op":{"enum":["=","!="]}}}"#,
        &[r#"{"op":"="}"#, r#"{"op":"!="}"#],
        &[r#"{"op":"=="}"#, r#"{"op":null}"#],
    ),
    case(
        "enum-letter-case",
        r#"{"type":"object","properties":{"o":{"enum":["asc","ASC"]}}}"#,
        &[r#"{"o":"asc"}"#, r#"{"o":"ASC"}"#],
        &[r#"{"o":"Asc"}"#],
    ),
    case(
        "enum-mixed",
        r#"{"type":"object","properties":{"e":{"enum":["a",1,true]}}}"#,
        &[
            r#"{"e":"a"}"#,
            r#"{"e":1}"#,
            r#"{"e":1.0}"#,
            r#"{"e":true}"#,
        ],
        &[r#"{"e":"1"}"#, r#"{"e":false}"#, r#"{"e":null}"#],
    ),
    case(
        "ref-to-member",
        r##"{"type":"object","properties":{"a":{"type":"integer"},"b":{"$ref":"#/properties/a"}}}"##,
        &[r#"{"a":1,"b":2}"#],
        &[r#"{"b":"x"}"#],
    ),
    case(
        "ref-by-last-segment",
        r##"{"$defs":{"n":{"type":"string"}},"type":"object","properties":{"n":{"type":"integer"},"b":{"$ref":"#/properties/n"}}}"##,
        &[r#"{"n":1,"b":2}"#],
        &[r#"{"b":"x"}"#],
    ),
    case(
        "ref-anchor",
        r##"{"$defs":{"n":{"$anchor":"here","type":"string"}},"type":"object","properties":{"a":{"$ref":"#here"}}}"##,
        &[r#"{"a":"x"}"#],
        &[r#"{"a":1}"#],
    ),
    case(
        "ref-escaped",
        r##"{"$defs":{"a b":{"type":"string"}},"type":"object","properties":{"a":{"$ref":"#/$defs/a%20b"}}}"##,
        &[r#"{"a":"x"}"#],
        &[r#"{"a":1}"#],
    ),
    case(
        "if-then-else",
        r#"{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"if":{"required":["a"]},"then":{"required":["b"]},"else":{"maxProperties":0}}"#,
        &["{}", r#"{"a":"x","b":"y"}"#],
        &[r#"{"a":"x"}"#, r#"{"b":"y"}"#],
    ),
    case(
        "not",
        r#"{"type":"object","properties":{"a":{"type":"string","not":{"const":"no"}}}}"#,
        &[r#"{"a":"yes"}"#],
        &[r#"{"a":"no"}"#],
    ),
    case(
        "untyped-minimum",
        r#"{"type":"object","properties":{"a":{"minimum":3}}}"#,
        &[r#"{"a":3}"#, r#"{"a":"x"}"#, r#"{"a":null}"#],
        &[r#"{"a":2}"#],
    ),
    case(
        "untyped-format",
        r#"{"type":"object","properties":{"a":{"format":"uuid"}}}"#,
        &[r#"{"a":"x"}"#, r#"{"a":{"b":[1]}}"#],
        &[],
    ),
    case(
        "root-patterns",
        r#"{"type":"object","patternProperties":{"^x-":{"type":"integer"}}}"#,
        &["{}", r#"{"x-a":1,"b":"any"}"#],
        &[r#"{"x-a":"y"}"#],
    ),
    case(
        "names-by-pattern",
        r#"{"type":"object","propertyNames":{"pattern":"^[a-z]+$"}}"#,
        &["{}", r#"{"a":{"B":1}}"#],
        &[r#"{"A":1}"#],
    ),
    case(
        "contains",
        r#"{"type":"object","properties":{"a":{"type":"array","contains":{"type":"integer"}}}}"#,
        &[r#"{"a":["x",1]}"#],
        &[r#"{"a":["x"]}"#, r#"{"a":[]}"#],
    ),
    case(
        "both-definitions",
        r##"{"$defs":{"a":{"type":"string"}},"definitions":{"a":{"type":"integer"}},"type":"object","properties":{"a":{"$ref":"#/$defs/a"},"b":{"$ref":"#/definitions/a"}}}"##,
        &[r#"{"a":"x","b":1}"#],
        &[r#"{"a":1}"#, r#"{"b":"x"}"#],
    ),
    case(
        "bounds-as-floats",
        r#"{"type":"object","properties":{"a":{"type":"string","minLength":2.0},"b":{"type":"array","maxItems":5e9}}}"#,
        &[r#"{"a":"xy","b":[1]}"#],
        &[r#"{"a":"x"}"#],
    ),
    case(
        "names-that-collide",
        r#"{"type":"object","properties":{"fooBar":{"type":"integer"},"foo_bar":{"type":"string"},"self":{"type":"integer"},"Self":{"type":"string"}}}"#,
        &[r#"{"fooBar":1,"foo_bar":"a","self":2,"Self":"b"}"#],
        &[r#"{"fooBar":"a"}"#, r#"{"self":"a"}"#],
    ),
    case(
        "title-of-the-root",
        r#"{"title":"T","type":"object","properties":{"a":{"title":"T","type":"object","properties":{"b":{"title":"T","type":"object","properties":{"c":{"type":"integer"}}}}}}}"#,
        &[r#"{"a":{"b":{"c":1}}}"#],
        &[r#"{"a":{"b":{"c":"x"}}}"#],
    ),
];

/// What typify generates, but not as the schema says: bounds, presence and numbers.
pub(crate) const VALUES: &[Case] = &[
    case(
        "const",
        r#"{"type":"object","properties":{"a":{"const":"x"},"n":{"const":1},"o":{"const":{"k":[1]}}}}"#,
        &[r#"{"a":"x","n":1.0,"o":{"k":[1.0]}}"#],
        &[r#"{"a":"y"}"#, r#"{"n":2}"#, r#"{"o":{}}"#],
    ),
    case(
        "enum-of-one-boolean",
        r#"{"type":"object","properties":{"a":{"type":"boolean","enum":[true]}}}"#,
        &[r#"{"a":true}"#],
        &[r#"{"a":false}"#],
    ),
    case(
        "multiple-of",
        r#"{"type":"object","properties":{"a":{"type":"number","multipleOf":0.01}}}"#,
        &[r#"{"a":19.99}"#, r#"{"a":0.07}"#],
        &[r#"{"a":0.005}"#],
    ),
    case(
        "bounds-of-numbers",
        r#"{"type":"object","properties":{"a":{"type":"number","minimum":0.5,"exclusiveMaximum":1},"i":{"type":"integer","maximum":9}}}"#,
        &[r#"{"a":0.5,"i":9}"#],
        &[r#"{"a":0.4}"#, r#"{"a":1}"#, r#"{"i":10}"#],
    ),
    case(
        "bounds-of-arrays",
        r#"{"type":"object","properties":{"a":{"type":"array","minItems":1,"maxItems":2,"uniqueItems":true}}}"#,
        &[r#"{"a":[1]}"#, r#"{"a":[1,"1"]}"#],
        &[r#"{"a":[]}"#, r#"{"a":[1,2,3]}"#, r#"{"a":[1,1.0]}"#],
    ),
    case(
        "bounds-of-objects",
        r#"{"type":"object","minProperties":1,"maxProperties":2}"#,
        &[r#"{"a":1}"#],
        &["{}", r#"{"a":1,"b":1,"c":1}"#],
    ),
    case(
        "dependent",
        r#"{"type":"object","dependentRequired":{"a":["b"]},"dependentSchemas":{"c":{"required":["d"]}}}"#,
        &["{}", r#"{"a":1,"b":2}"#, r#"{"c":1,"d":2}"#],
        &[r#"{"a":1}"#, r#"{"c":1}"#],
    ),
    case(
        "unevaluated",
        r#"{"type":"object","allOf":[{"properties":{"a":{"type":"integer"}}}],"properties":{"t":{"type":"array","prefixItems":[{"type":"integer"}],"unevaluatedItems":false}},"unevaluatedProperties":false}"#,
        &[r#"{"a":1,"t":[1]}"#],
        &[r#"{"b":1}"#, r#"{"t":[1,2]}"#],
    ),
    case(
        "dynamic-ref",
        r##"{"$dynamicAnchor":"node","type":"object","properties":{"v":{"type":"integer"},"next":{"$dynamicRef":"#node"}}}"##,
        &[r#"{"v":1,"next":{"v":2,"next":{}}}"#],
        &[r#"{"next":{"v":"x"}}"#],
    ),
    case(
        "never",
        r#"{"type":"object","properties":{"a":true,"b":false}}"#,
        &[r#"{"a":null}"#],
        &[r#"{"b":1}"#, r#"{"b":null}"#],
    ),
    case(
        "integers",
        r#"{"type":"object","properties":{"a":{"type":"integer"},"u":{"type":"integer","minimum":0}}}"#,
        &[
            r#"{"a":5.0,"u":1e2}"#,
            r#"{"a":9007199254740993,"u":18446744073709551615}"#,
            r#"{"a":-9223372036854775808}"#,
        ],
        &[
            r#"{"a":5.5}"#,
            r#"{"u":-1}"#,
            r#"{"a":18446744073709551615}"#,
        ],
    ),
    case(
        "absent-and-null",
        r#"{"type":"object","properties":{"a":{"type":"string"},"n":{"type":["string","null"]},"r":{"type":["string","null"]}},"required":["r"]}"#,
        &[
            r#"{"r":null}"#,
            r#"{"r":"x","n":null}"#,
            r#"{"r":"x","a":"","n":"y"}"#,
        ],
        &["{}", r#"{"r":null,"a":null}"#],
    ),
    case(
        "empty",
        r#"{"type":"object","properties":{"l":{"type":"array","items":{"type":"string"}},"m":{"type":"object"},"s":{"type":"object","properties":{"x":{"type":"integer"}}}}}"#,
        &["{}", r#"{"l":[],"m":{},"s":{}}"#],
        &[r#"{"l":null}"#],
    ),
];

/// What typify generates, but not as the schema says: members and forms.
pub(crate) const FORMS: &[Case] = &[
    case(
        "open",
        r#"{"type":"object","properties":{"a":{"type":"integer"}},"additionalProperties":true}"#,
        &[r#"{"a":1,"b":[null],"c":{"d":"e"}}"#],
        &[r#"{"a":"x"}"#],
    ),
    case(
        "open-with-schema",
        r#"{"type":"object","properties":{"a":{"type":"integer"}},"additionalProperties":{"type":"string"}}"#,
        &[r#"{"a":1,"b":"x","":"y"}"#],
        &[r#"{"b":1}"#],
    ),
    case(
        "same-title",
        r#"{"type":"object","properties":{"a":{"title":"Same","type":"object","properties":{"x":{"type":"integer"}}},"b":{"title":"Same","type":"object","properties":{"y":{"type":"string"}}}}}"#,
        &[r#"{"a":{"x":1},"b":{"y":"z"}}"#],
        &[r#"{"b":{"y":1}}"#],
    ),
    case(
        "overlapping-one-of",
        r#"{"type":"object","properties":{"v":{"oneOf":[{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]},{"type":"object","properties":{"b":{"type":"integer"}},"required":["b"]}]}}}"#,
        &[
            r#"{"v":{"a":1}}"#,
            r#"{"v":{"b":1}}"#,
            r#"{"v":{"a":"x","b":1}}"#,
        ],
        &[r#"{"v":{"a":1,"b":1}}"#, r#"{"v":{}}"#],
    ),
    case(
        "any-of-both",
        r#"{"type":"object","properties":{"v":{"anyOf":[{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]},{"type":"object","properties":{"b":{"type":"integer"}},"required":["b"]}]}}}"#,
        &[r#"{"v":{"a":1,"b":2}}"#, r#"{"v":{"b":2}}"#],
        &[r#"{"v":{"a":"x"}}"#],
    ),
    case(
        "any-of-scalars",
        r#"{"type":"object","properties":{"v":{"anyOf":[{"type":"string"},{"type":"integer"},{"type":"null"}]}}}"#,
        &[
            r#"{"v":"1"}"#,
            r#"{"v":1}"#,
            r#"{"v":1.0}"#,
            r#"{"v":null}"#,
            "{}",
        ],
        &[r#"{"v":1.5}"#, r#"{"v":[]}"#],
    ),
    case(
        "tuple",
        r#"{"type":"object","properties":{"t":{"type":"array","prefixItems":[{"type":"string"},{"type":"integer"}]},"c":{"type":"array","prefixItems":[{"type":"string"}],"items":{"type":"integer"}}}}"#,
        &[r#"{"t":["a",1,null]}"#, r#"{"t":[]}"#, r#"{"c":["a",1,2]}"#],
        &[r#"{"t":[1]}"#, r#"{"c":["a","b"]}"#],
    ),
    case(
        "format",
        r#"{"type":"object","properties":{"u":{"type":"string","format":"uuid"},"d":{"type":"string","format":"date-time"},"i":{"type":"string","format":"ip"}}}"#,
        &[
            r#"{"u":"6F1C2F6E-8F4A-4B5E-9D6A-0C1D2E3F4A5B","d":"2026-07-28T10:00:00+00:00","i":"::1"}"#,
            r#"{"u":"no","d":"no","i":"no"}"#,
        ],
        &[r#"{"u":1}"#],
    ),
    case(
        "default-unwritten",
        r#"{"type":"object","properties":{"a":{"type":"integer","default":7}}}"#,
        &["{}", r#"{"a":7}"#, r#"{"a":8}"#],
        &[],
    ),
    case(
        "order",
        r#"{"type":"object","properties":{"z":{"type":"integer"},"a":{"type":"integer"},"m":{"type":"integer"}},"required":["m"]}"#,
        &[r#"{"z":1,"a":2,"m":3}"#],
        &[r#"{"z":1}"#],
    ),
];

/// Schemas that are none, which are refused with a place rather than read as something else.
pub(crate) const NO_SCHEMAS: &[(&str, &str)] = &[
    (
        "circle-of-names",
        r##"{"$defs":{"A":{"$ref":"#/$defs/B"},"B":{"$ref":"#/$defs/A"}},"type":"object","properties":{"a":{"$ref":"#/$defs/A"}}}"##,
    ),
    (
        "exclusive-boolean",
        r#"{"type":"object","properties":{"a":{"type":"integer","minimum":1,"exclusiveMinimum":true}}}"#,
    ),
];

/// What the differential tests found.
pub(crate) const FOUND: &[Case] = &[
    case(
        "no-member-named",
        r#"{"type":"object","properties":{"inputs":{"type":"object","properties":{}}}}"#,
        &[r#"{"inputs":{"a":"b"}}"#],
        &[r#"{"inputs":1}"#],
    ),
    case(
        "integer-written-as-float",
        r#"{"type":"object","properties":{"v":{"oneOf":[{"type":"object","properties":{"id":{"type":"integer"}},"required":["id"]},{"type":"object","properties":{"k":{"type":"string"}},"required":["k"]}]}}}"#,
        &[
            r#"{"v":{"id":9223372036854775807.0}}"#,
            r#"{"v":{"id":5.0}}"#,
        ],
        &[r#"{"v":{"id":5.5}}"#],
    ),
    case(
        "large-bound-of-a-number",
        r#"{"type":"object","properties":{"a":{"type":"number","minimum":-9223372036854775808}}}"#,
        &[r#"{"a":-9223372036854775808}"#],
        &[r#"{"a":-1e19}"#],
    ),
];
