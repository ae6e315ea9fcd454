//! What a tool comes to besides its types: its trait, its definition and its binding.

use proc_macro2::TokenStream;
use quote::quote;

use super::docs::docs;
use super::table::table;
use super::types::TypeWriter;
use crate::generate::Tool;
use crate::types::{ident, member_name};

/// The trait that handles the tool.
pub(super) fn handler(tool: &Tool<'_>, types: &TypeWriter<'_>) -> TokenStream {
    let (trait_name, method, input) =
        (ident(&tool.rust_name), method(tool), types.name(tool.input));
    let name = tool.contract.name();
    let docs = docs(
        tool.contract.description().unwrap_or_default(),
        &format!("Handles the tool `{name}`."),
    );
    let output = output(tool, types, &TokenStream::new());
    let message = format!("`{{Self}}` has no handler for the tool `{name}`");
    let label = format!("the trait `{trait_name}` is not implemented for `{{Self}}`");
    let body = "todo!()";
    let shown = if tool.output.is_some() {
        output.to_string()
    } else {
        "Vec<ContentBlock>".into()
    };
    let note = format!(
        "write it:\n    impl {trait_name}<{{C}}> for {{Self}} {{{{\n        async fn {method}(&self, call: &Call<{{C}}>, \
         input: {input}) -> ToolResult<{shown}> {{{{\n            {body}\n        }}}}\n    }}}}"
    );
    let method_docs = format!(" Handles a call of `{name}` whose arguments fit the contract.");
    quote! {
        #docs
        #[diagnostic::on_unimplemented(message = #message, label = #label, note = #note)]
        pub trait #trait_name<C = ()>: Send + Sync + 'static {
            #[doc = #method_docs]
            fn #method(&self, call: &rt::Call<C>, input: #input) -> impl Future<Output = rt::ToolResult<#output>> + Send;
        }
    }
}

/// The function that makes the tool's definition, in the module `definitions`.
pub(super) fn definition(tool: &Tool<'_>, types: &TypeWriter<'_>) -> TokenStream {
    let (function, name, input) = (method(tool), tool.contract.name(), types.name(tool.input));
    let docs = format!(" The contract of the tool `{name}`.");
    let output = output(tool, types, &quote!(super::));
    let make = if tool.output.is_some() {
        quote!(definition)
    } else {
        quote!(content_definition)
    };
    let declaration = raw_string(&tool.declaration);
    let input_table = table(&tool.input_table);
    let output_table = match &tool.output_table {
        Some(output) => {
            let output = table(output);
            quote!(Some(#output))
        }
        None => quote!(None),
    };
    let extension = tool.contract.extension();
    let capabilities = &extension.required_client_capabilities;
    let timeout = match extension.timeout_ms {
        Some(timeout) => quote!(Some(#timeout)),
        None => quote!(None),
    };
    quote! {
        #[doc = #docs]
        #[must_use]
        pub fn #function() -> rt::Definition<super::#input, #output> {
            use rt::table::*;
            static CONTRACT: rt::Contract = rt::Contract {
                name: #name,
                declaration: #declaration,
                input: #input_table,
                output: #output_table,
                required_client_capabilities: &[#(#capabilities),*],
                timeout_ms: #timeout,
            };
            rt::#make(&CONTRACT)
        }
    }
}

/// The expression that binds the tool to the handlers.
pub(super) fn binding(tool: &Tool<'_>) -> TokenStream {
    let (trait_name, method) = (ident(&tool.rust_name), method(tool));
    quote! {
        rt::bind(definitions::#method(), &handlers, |handlers, call, input| async move {
            #trait_name::#method(&*handlers, &call, input).await
        })
    }
}

pub(super) fn trait_name(tool: &Tool<'_>) -> syn::Ident {
    ident(&tool.rust_name)
}

fn method(tool: &Tool<'_>) -> syn::Ident {
    ident(&member_name(&tool.rust_name))
}

fn output(tool: &Tool<'_>, types: &TypeWriter<'_>, up: &TokenStream) -> TokenStream {
    match tool.output {
        Some(output) => {
            let output = types.name(output);
            quote!(#up #output)
        }
        None => quote!(Vec<rt::ContentBlock>),
    }
}

/// A raw string literal, so that JSON stays readable.
fn raw_string(text: &str) -> TokenStream {
    let longest = text
        .split('"')
        .skip(1)
        .map(|after| after.len() - after.trim_start_matches('#').len())
        .max();
    let hashes = "#".repeat(longest.map_or(1, |longest| longest + 1));
    // Raw strings hold no bare carriage return; JSON as it is published has none.
    format!("r{hashes}\"{text}\"{hashes}")
        .parse()
        .unwrap_or_else(|_| quote!(#text))
}
