//! Rust code that uses everything of a generated module.

use quote::{ToTokens, quote};
use syn::{Item, ReturnType, TraitItem, Visibility};

/// The code of a function `everything` that uses each public item of a generated module which lies
/// at `at`, together with handlers for all of its tools.
///
/// # Panics
///
/// If the text is no generated module.
#[must_use]
pub fn uses(text: &str, at: &str) -> String {
    let file = syn::parse_file(text).expect("generated code is Rust");
    let generated = file.items.iter().find_map(|item| match item {
        Item::Mod(module) => module.content.as_ref(),
        _ => None,
    });
    let mut uses = Uses::default();
    uses.module(&generated.expect("a module").1, at);
    format!(
        "struct Everything;\n{}\nfn everything() {{\n{}}}\n",
        uses.handlers, uses.statements
    )
}

#[derive(Default)]
struct Uses {
    handlers: String,
    statements: String,
}

impl Uses {
    fn module(&mut self, items: &[Item], at: &str) {
        for item in items {
            self.item(item, at);
        }
    }

    fn item(&mut self, item: &Item, at: &str) {
        match item {
            Item::Struct(item) if public(&item.vis) => self.named(&item.ident, at),
            Item::Enum(item) if public(&item.vis) => self.named(&item.ident, at),
            Item::Type(item) if public(&item.vis) => self.named(&item.ident, at),
            Item::Macro(item) => self.made(&item.mac, at),
            Item::Fn(item) if public(&item.vis) => {
                self.say(&format!("let _ = {at}::{}();", item.sig.ident));
            }
            Item::Trait(item) => self.handler(item, at),
            Item::Mod(item) if public(&item.vis) => {
                let (_, items) = item.content.as_ref().expect("a module with content");
                self.module(items, &format!("{at}::{}", item.ident));
            }
            _ => {}
        }
    }

    /// What a macro of the runtime makes, by the words before each name.
    fn made(&mut self, made: &syn::Macro, at: &str) {
        let text = made.tokens.to_string();
        let words: Vec<&str> = text.split_whitespace().collect();
        let after = |words: &[&str]| {
            words
                .first()
                .map(|name| name.split('(').next().unwrap_or(name).to_owned())
        };
        for (place, word) in words.iter().enumerate() {
            let Some(name) = after(&words[place + 1..]) else {
                break;
            };
            match *word {
                "struct" | "enum" if place > 0 && words[place - 1] == "pub" => {
                    self.of_type(&name, at)
                }
                "fn" if place == 1 => self.say(&format!("let _ = {at}::{name}();")),
                _ => {}
            }
        }
        let of = words.first().copied().unwrap_or_default();
        let last = made.path.segments.last().map(|last| last.ident.to_string());
        match last.as_deref() {
            Some("form") => {
                let of = of.trim_end_matches(',');
                self.say(&format!("let _ = {at}::{of}::form();"));
            }
            Some("defaults") => {
                for word in words
                    .iter()
                    .filter_map(|word| word.split('(').next())
                    .filter(|word| word.ends_with("_or_default"))
                {
                    self.say(&format!("let _ = {at}::{of}::{word};"));
                }
            }
            _ => {}
        }
    }

    fn of_type(&mut self, name: &str, at: &str) {
        self.say(&format!("let _ = ::std::any::type_name::<{at}::{name}>();"));
    }

    fn named(&mut self, name: &syn::Ident, at: &str) {
        self.of_type(&name.to_string(), at);
    }

    /// A handler as users write it.
    fn handler(&mut self, item: &syn::ItemTrait, at: &str) {
        let Some(TraitItem::Fn(method)) = item.items.first() else {
            panic!("{} has no method", item.ident)
        };
        let (name, method) = (&item.ident, &method.sig);
        let input = method
            .inputs
            .last()
            .map(ToTokens::to_token_stream)
            .unwrap_or_default();
        let input = input.to_string();
        let input = input.rsplit(' ').next().unwrap_or_default();
        let ReturnType::Type(_, output) = &method.output else {
            panic!("{name} gives nothing")
        };
        let output = output.to_token_stream().to_string();
        let output = if output.contains("ContentBlock") {
            "Vec<::relay_runtime::content::ContentBlock>".to_owned()
        } else {
            let output = output.split("ToolResult <").nth(1).unwrap_or_default();
            format!(
                "{at}::{}",
                output.split('>').next().unwrap_or_default().trim()
            )
        };
        let method = &method.ident;
        let refusal = quote!(Err(::relay_runtime::ToolError::message("no")));
        self.handlers += &format!(
            "impl {at}::{name} for Everything {{\n    async fn {method}(&self, _call: &::relay_runtime::Call, \
             _input: {at}::{input}) -> ::relay_runtime::ToolResult<{output}> {{\n        {refusal}\n    }}\n}}\n"
        );
    }

    fn say(&mut self, statement: &str) {
        self.statements += &format!("    {statement}\n");
    }
}

fn public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}
