//! Whether each `default` of a tool is a value that its own schema allows; that of a form has to be,
//! or it is none.

use relay_runtime::check::{CompileOptions, Table};

use super::Contracts;
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::json::Node;
use crate::publish;

pub(super) fn check(contracts: &Contracts, diagnostics: &mut Diagnostics) {
    for tool in contracts.tools() {
        for schema in std::iter::once(tool.input_schema()).chain(tool.output_schema()) {
            check_schema(contracts, tool.compile_options(), schema, diagnostics);
        }
    }
}

fn check_schema(
    contracts: &Contracts,
    options: CompileOptions,
    schema: &Node,
    diagnostics: &mut Diagnostics,
) {
    let published = publish::schema(contracts, schema);
    let (pointers, defaults): (Vec<_>, Vec<_>) = published.defaults(contracts).into_iter().unzip();
    if defaults.is_empty() {
        return;
    }
    // A schema that is wrong elsewhere is reported when its table is made.
    let Ok((table, targets)) = Table::compile_targets(&published.json, &pointers, options) else {
        return;
    };
    for (target, default) in targets.into_iter().zip(defaults) {
        let Some(target) = target else { continue };
        if let Err(violations) = table.check_at(target, &default.to_string()) {
            let broken = violations
                .iter()
                .next()
                .map(ToString::to_string)
                .unwrap_or_default();
            let message = format!("this default does not fit its schema: it {broken}");
            diagnostics.push(Diagnostic::new("unfit-default", default.span, message));
        }
    }
}
