//! How a table is written: as its schema reads, one keyword after another.

pub use crate::check::Keyword;
pub use crate::check::List::S;
pub use crate::check::Text::T;
pub use crate::check::{ARRAY, BOOLEAN, INTEGER, NULL, NUMBER, OBJECT, STRING};
pub use crate::check::{Expression, Format, Literal, Part, Table, Target};

/// A table: a schema, a list of keywords; or for each target its pointer and its schema.
///
/// A keyword has its argument in the brackets that suit it: `Type(STRING)`, `Required["name"]`,
/// `Properties{"name": [Type(STRING)]}`, `Items[Type(STRING)]`, `AnyOf[[…], […]]`, `Never()`.
#[doc(hidden)]
#[macro_export]
macro_rules! __relay_table {
    ([$($schema:tt)*]) => { $crate::__relay_table!({"": [$($schema)*]}) };
    ({$($pointer:literal: $schema:tt),* $(,)?}) => {{
        #[allow(unused_imports)]
        use $crate::codegen::table::*;
        Table(S(&[$(Target(T($pointer), $crate::__relay_table!(@schema $schema))),*]))
    }};

    (@schema [$($keyword:ident $argument:tt),* $(,)?]) => {
        S(&[$($crate::__relay_table!(@keyword $keyword $argument)),*])
    };
    (@schemas $keyword:ident [$($schema:tt),* $(,)?]) => {
        Keyword::$keyword(S(&[$($crate::__relay_table!(@schema $schema)),*]))
    };

    (@keyword DynamicRef ($anchor:literal, $target:literal $(,)?)) => { Keyword::DynamicRef(T($anchor), $target) };
    (@keyword Scope {$($anchor:literal: $target:literal),* $(,)?}) => {
        Keyword::Scope(S(&[$((T($anchor), $target)),*]))
    };
    (@keyword Format ($format:ident)) => { Keyword::Format(const { Format::$format.check() }) };
    (@keyword Pattern ($pattern:literal, $parts:tt $(,)?)) => {
        Keyword::Pattern(T($pattern), $crate::__relay_table!(@expression $parts))
    };
    (@keyword PatternProperties [$(($pattern:literal, $parts:tt, $schema:tt $(,)?)),* $(,)?]) => {
        Keyword::PatternProperties(S(&[$((
            T($pattern),
            $crate::__relay_table!(@expression $parts),
            $crate::__relay_table!(@schema $schema),
        )),*]))
    };
    (@keyword Minimum ($bound:literal)) => { Keyword::Minimum(T($bound)) };
    (@keyword Maximum ($bound:literal)) => { Keyword::Maximum(T($bound)) };
    (@keyword ExclusiveMinimum ($bound:literal)) => { Keyword::ExclusiveMinimum(T($bound)) };
    (@keyword ExclusiveMaximum ($bound:literal)) => { Keyword::ExclusiveMaximum(T($bound)) };
    (@keyword MultipleOf ($step:literal)) => { Keyword::MultipleOf(T($step)) };
    (@keyword Const ($value:tt $(,)?)) => { Keyword::Const($crate::__relay_table!(@literal $value)) };
    (@keyword Enum [$($value:tt),* $(,)?]) => {
        Keyword::Enum(S(&[$($crate::__relay_table!(@literal $value)),*]))
    };
    (@keyword Required [$($name:literal),* $(,)?]) => { Keyword::Required(S(&[$(T($name)),*])) };
    (@keyword DependentRequired {$($name:literal: [$($needed:literal),*]),* $(,)?}) => {
        Keyword::DependentRequired(S(&[$((T($name), S(&[$(T($needed)),*]))),*]))
    };
    (@keyword Contains ($schema:tt, $least:literal, $most:expr $(,)?)) => {
        Keyword::Contains($crate::__relay_table!(@schema $schema), $least, $most)
    };
    (@keyword If ($condition:tt, $then:tt, $otherwise:tt $(,)?)) => {
        Keyword::If(
            $crate::__relay_table!(@schema $condition),
            $crate::__relay_table!(@schema $then),
            $crate::__relay_table!(@schema $otherwise),
        )
    };
    (@keyword PrefixItems $schemas:tt) => { $crate::__relay_table!(@schemas PrefixItems $schemas) };
    (@keyword AllOf $schemas:tt) => { $crate::__relay_table!(@schemas AllOf $schemas) };
    (@keyword AnyOf $schemas:tt) => { $crate::__relay_table!(@schemas AnyOf $schemas) };
    (@keyword OneOf $schemas:tt) => { $crate::__relay_table!(@schemas OneOf $schemas) };
    (@keyword $keyword:ident {$($name:literal: $schema:tt),* $(,)?}) => {
        Keyword::$keyword(S(&[$((T($name), $crate::__relay_table!(@schema $schema))),*]))
    };
    (@keyword $keyword:ident [$($schema:tt)*]) => {
        Keyword::$keyword($crate::__relay_table!(@schema [$($schema)*]))
    };
    (@keyword $keyword:ident ()) => { Keyword::$keyword };
    (@keyword $keyword:ident ($argument:expr)) => { Keyword::$keyword($argument) };

    (@expression $parts:tt) => { const { Expression::new($crate::__relay_table!(@parts $parts)) } };
    (@parts [$($part:ident $argument:tt),* $(,)?]) => {
        S(&[$($crate::__relay_table!(@part $part $argument)),*])
    };
    (@part Char ($letter:literal)) => { Part::Char($letter) };
    (@part Class ($ranges:literal)) => { Part::Class(T($ranges)) };
    (@part Repeat ($least:literal, $most:expr, $parts:tt $(,)?)) => {
        Part::Repeat($least, $most, $crate::__relay_table!(@parts $parts))
    };
    (@part $part:ident ()) => { Part::$part };
    (@part $part:ident $parts:tt) => { Part::$part($crate::__relay_table!(@parts $parts)) };

    (@literal null) => { Literal::Null };
    (@literal true) => { Literal::Bool(true) };
    (@literal false) => { Literal::Bool(false) };
    (@literal ($number:literal)) => { Literal::Number(T($number)) };
    (@literal [$($item:tt),* $(,)?]) => {
        Literal::Array(S(&[$($crate::__relay_table!(@literal $item)),*]))
    };
    (@literal {$($name:literal: $value:tt),* $(,)?}) => {
        Literal::Object(S(&[$((T($name), $crate::__relay_table!(@literal $value))),*]))
    };
    (@literal $text:literal) => { Literal::String(T($text)) };
}
