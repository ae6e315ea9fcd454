//! The tables, as constants.

use proc_macro2::{Literal as Token, TokenStream};
use quote::quote;
use relay_runtime::check::{
    ARRAY, BOOLEAN, INTEGER, Keyword, Literal, NULL, NUMBER, OBJECT, STRING, Schema, Table, Target,
    Text, Types,
};

/// A table, in a scope that sees the names of `relay_runtime::check`.
pub(super) fn table(table: &Table) -> TokenStream {
    let targets = list(table.0.iter().map(|Target(pointer, schema)| {
        let (pointer, schema) = (text(pointer), self::schema(schema));
        quote!(Target(#pointer, #schema))
    }));
    quote!(Table(#targets))
}

fn schema(keywords: &Schema) -> TokenStream {
    list(keywords.iter().map(keyword))
}

fn keyword(keyword: &Keyword) -> TokenStream {
    match keyword {
        Keyword::Never => quote!(Never),
        Keyword::Ref(index) => numbered("Ref", Token::u32_unsuffixed(*index)),
        Keyword::Type(types) => {
            let types = self::types(*types);
            quote!(Type(#types))
        }
        Keyword::I64 => quote!(I64),
        Keyword::U64 => quote!(U64),
        Keyword::Const(value) => holding("Const", &literal(value)),
        Keyword::Enum(values) => holding("Enum", &list(values.iter().map(literal))),
        Keyword::Minimum(bound) => holding("Minimum", &text(bound)),
        Keyword::Maximum(bound) => holding("Maximum", &text(bound)),
        Keyword::ExclusiveMinimum(bound) => holding("ExclusiveMinimum", &text(bound)),
        Keyword::ExclusiveMaximum(bound) => holding("ExclusiveMaximum", &text(bound)),
        Keyword::MultipleOf(step) => holding("MultipleOf", &text(step)),
        Keyword::MinLength(count) => numbered("MinLength", Token::u64_unsuffixed(*count)),
        Keyword::MaxLength(count) => numbered("MaxLength", Token::u64_unsuffixed(*count)),
        Keyword::PrefixItems(schemas) => holding("PrefixItems", &list(schemas.iter().map(schema))),
        Keyword::Items(items) => holding("Items", &schema(items)),
        Keyword::Contains(items, least, most) => {
            let (items, least) = (schema(items), Token::u64_unsuffixed(*least));
            let most = match most.map(Token::u64_unsuffixed) {
                Some(most) => quote!(Some(#most)),
                None => quote!(None),
            };
            quote!(Contains(#items, #least, #most))
        }
        Keyword::MinItems(count) => numbered("MinItems", Token::u64_unsuffixed(*count)),
        Keyword::MaxItems(count) => numbered("MaxItems", Token::u64_unsuffixed(*count)),
        Keyword::UniqueItems => quote!(UniqueItems),
        Keyword::Properties(members) => holding("Properties", &named(members, schema)),
        Keyword::AdditionalProperties(members) => holding("AdditionalProperties", &schema(members)),
        Keyword::PropertyNames(names) => holding("PropertyNames", &schema(names)),
        Keyword::Required(names) => holding("Required", &list(names.iter().map(text))),
        Keyword::MinProperties(count) => numbered("MinProperties", Token::u64_unsuffixed(*count)),
        Keyword::MaxProperties(count) => numbered("MaxProperties", Token::u64_unsuffixed(*count)),
        Keyword::DependentRequired(members) => holding(
            "DependentRequired",
            &named(members, |names| list(names.iter().map(text))),
        ),
        Keyword::DependentSchemas(members) => holding("DependentSchemas", &named(members, schema)),
        Keyword::AllOf(schemas) => holding("AllOf", &list(schemas.iter().map(schema))),
        Keyword::AnyOf(schemas) => holding("AnyOf", &list(schemas.iter().map(schema))),
        Keyword::OneOf(schemas) => holding("OneOf", &list(schemas.iter().map(schema))),
        Keyword::Not(not) => holding("Not", &schema(not)),
        Keyword::If(condition, then, otherwise) => {
            let (condition, then, otherwise) = (schema(condition), schema(then), schema(otherwise));
            quote!(If(#condition, #then, #otherwise))
        }
    }
}

fn literal(literal: &Literal) -> TokenStream {
    match literal {
        Literal::Null => quote!(Literal::Null),
        Literal::Bool(value) => quote!(Literal::Bool(#value)),
        Literal::Number(number) => {
            let number = text(number);
            quote!(Literal::Number(#number))
        }
        Literal::String(string) => {
            let string = text(string);
            quote!(Literal::String(#string))
        }
        Literal::Array(items) => {
            let items = list(items.iter().map(self::literal));
            quote!(Literal::Array(#items))
        }
        Literal::Object(members) => {
            let members = named(members, self::literal);
            quote!(Literal::Object(#members))
        }
    }
}

fn types(types: Types) -> TokenStream {
    let names = [
        (NULL, quote!(NULL)),
        (BOOLEAN, quote!(BOOLEAN)),
        (INTEGER, quote!(INTEGER)),
        (NUMBER, quote!(NUMBER)),
        (STRING, quote!(STRING)),
        (ARRAY, quote!(ARRAY)),
        (OBJECT, quote!(OBJECT)),
    ];
    let names = names
        .into_iter()
        .filter(|(bit, _)| types & bit != 0)
        .map(|(_, name)| name);
    quote!(#(#names)|*)
}

fn named<T>(members: &[(Text, T)], write: impl Fn(&T) -> TokenStream) -> TokenStream {
    list(members.iter().map(|(name, value)| {
        let (name, value) = (text(name), write(value));
        quote!((#name, #value))
    }))
}

fn list(items: impl Iterator<Item = TokenStream>) -> TokenStream {
    quote!(S(&[#(#items),*]))
}

fn text(text: &Text) -> TokenStream {
    let text = &**text;
    quote!(T(#text))
}

fn holding(keyword: &str, argument: &TokenStream) -> TokenStream {
    let keyword = quote::format_ident!("{keyword}");
    quote!(#keyword(#argument))
}

fn numbered(keyword: &str, number: Token) -> TokenStream {
    holding(
        keyword,
        &TokenStream::from(proc_macro2::TokenTree::from(number)),
    )
}
