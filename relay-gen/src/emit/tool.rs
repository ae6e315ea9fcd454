//! What a tool comes to besides its types: its trait, its definition and its binding.

use proc_macro2::TokenStream;
use quote::quote;

use super::docs::docs;
use super::layout::{Bodies, Layout, SQUARE, raw_string};
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
    let output = output(tool, types);
    let message = format!("`{{Self}}` has no handler for the tool `{name}`");
    let body = "todo!()";
    let shown = if tool.output.is_some() {
        output.to_string()
    } else {
        "Vec<ContentBlock>".into()
    };
    let note = format!(
        "write it:\n    impl {trait_name} for {{Self}} {{{{\n        async fn {method}(&self, call: &Call, \
         input: {input}) -> ToolResult<{shown}> {{{{\n            {body}\n        }}}}\n    }}}}"
    );
    let method_docs = format!(" Handles a call of `{name}` whose arguments fit the contract.");
    quote! {
        #docs
        #[diagnostic::on_unimplemented(message = #message, note = #note)]
        pub trait #trait_name<C = ()>: Send + Sync + 'static {
            #[doc = #method_docs]
            fn #method(&self, call: &rt::Call<C>, input: #input) -> impl ::core::future::Future<Output = rt::ToolResult<#output>> + Send;
        }
    }
}

/// The function that makes the tool's definition, in the module `definitions`.
pub(super) fn definition(tool: &Tool<'_>, types: &TypeWriter<'_>, bodies: &Bodies) -> TokenStream {
    let output = tool
        .output
        .map(|output| format!(" -> super::{}", types.name(output)))
        .unwrap_or_default();
    let signature = format!(
        "pub fn {}(super::{}){output}",
        method(tool),
        types.name(tool.input)
    );
    let mut body = vec![
        Layout::word(signature),
        Layout::text(tool.contract.name()),
        Layout::word(raw_string(&tool.declaration)),
        table("input ", &tool.input_table),
    ];
    body.extend(
        tool.output_table
            .as_ref()
            .map(|output| table("output ", output)),
    );
    let extension = tool.contract.extension();
    let capabilities: Vec<_> = extension
        .required_client_capabilities
        .iter()
        .map(|name| Layout::text(name))
        .collect();
    if !capabilities.is_empty() {
        body.push(Layout::group("requires ", SQUARE, capabilities));
    }
    body.extend(
        extension
            .timeout_ms
            .map(|timeout| Layout::word(format!("timeout_ms {timeout}"))),
    );
    bodies.call(&quote!(rt::contract), body)
}

/// The method that handles the tool, for the macro that binds it.
pub(super) fn binding(tool: &Tool<'_>) -> Layout {
    Layout::word(format!("{}::{}", ident(&tool.rust_name), method(tool)))
}

fn method(tool: &Tool<'_>) -> syn::Ident {
    ident(&member_name(&tool.rust_name))
}

fn output(tool: &Tool<'_>, types: &TypeWriter<'_>) -> TokenStream {
    match tool.output {
        Some(output) => {
            let output = types.name(output);
            quote!(#output)
        }
        None => quote!(Vec<rt::ContentBlock>),
    }
}
