//! The rules, as data.

use super::Severity;
use Severity::{Error, Warning};

/// What can be found, and what to do about it.
#[derive(Debug, PartialEq, Eq)]
pub struct Rule {
    /// What messages, `allow` and the documentation call it.
    pub id: &'static str,
    /// How much it matters.
    pub severity: Severity,
    /// Whether `x-relay.allow` can silence it: every warning, and the errors that break a rule of MCP
    /// which its clients do not enforce.
    pub allowable: bool,
    /// What the contract should be like.
    pub summary: &'static str,
    /// What to do, where a finding does not say it better.
    pub remedy: &'static str,
}

/// The rule with an id.
#[must_use]
pub fn rule(id: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.id == id)
}

const fn error(id: &'static str, summary: &'static str, remedy: &'static str) -> Rule {
    Rule {
        id,
        severity: Error,
        allowable: false,
        summary,
        remedy,
    }
}

const fn warning(id: &'static str, summary: &'static str, remedy: &'static str) -> Rule {
    Rule {
        id,
        severity: Warning,
        allowable: true,
        summary,
        remedy,
    }
}

const fn allowable(rule: Rule) -> Rule {
    Rule {
        allowable: true,
        ..rule
    }
}

/// Every rule, grouped by what it looks at: files, the members of a tool, schemas, refs.
#[rustfmt::skip]
pub const RULES: &[Rule] = &[
    error("no-directory", "A root is a directory that can be read.", "give the directory that holds the contracts"),
    error("repeated-directory", "No directory is read twice.", "give each directory once; subdirectories are read too"),
    error("no-contracts", "The roots hold at least one contract.", "put a contract, a `.json` file with an `inputSchema`, into the directory"),
    error("unreadable", "Every file and directory can be read.", "make it readable, or move it out of the directory"),
    error("not-utf8", "A contract is UTF-8 text.", "save the file as UTF-8"),
    error("not-json", "A contract is JSON, without comments or trailing commas.", "correct the JSON here; nothing after this place was read"),
    error("too-deep", "A file, and a tool as it is published, nest at most 120 levels.", "move the inner schemas to `$defs` and refer to them with `$ref`"),
    error("duplicate-key", "No object has a key twice.", "remove one of the two"),
    error("not-an-object", "A contract file holds an object.", "write an MCP tool, `{\"name\": .., \"inputSchema\": ..}`, or a JSON Schema object to share"),

    error("missing-input-schema", "A tool has an `inputSchema`.", "add `\"inputSchema\": {\"type\": \"object\", \"additionalProperties\": false}` if the tool takes no arguments"),
    error("input-schema-not-object", "An `inputSchema` is a JSON Schema object with `\"type\": \"object\"` at its root.", "tool arguments are always an object: write `\"type\": \"object\"` at the root of the `inputSchema`"),
    error("output-schema-not-object", "An `outputSchema` is a JSON Schema object.", "write a schema object, or leave `outputSchema` out if the tool returns content alone"),
    error("bad-name", "A tool's name is 1 to 128 characters of A-Z, a-z, 0-9, `_`, `.` and `-`.", "choose a name of 1 to 128 characters of A-Z, a-z, 0-9, `_`, `.` and `-`"),
    error("duplicate-tool", "No two tools of a module have one name.", "rename one of the two, or move it to a subdirectory, which becomes a module of its own"),
    warning("repeated-tool-name", "No two tools of all modules have one name.", "rename one of the two if one server is to have both"),
    error("misspelt-member", "The members of a contract are spelt as MCP spells them.", "rename it"),
    warning("unknown-member", "A contract has only members that MCP or Relay know.", "remove it; it is not published. What clients should see goes into `_meta`"),
    error("wrong-type", "The members of a contract have the types that MCP gives them.", "write a value of the type that is expected here"),
    error("bad-icon", "An icon has a `src`, and its `theme` is `light` or `dark`.", "write `{\"src\": \"https://..\", \"mimeType\": \"image/png\", \"sizes\": [\"48x48\"]}`"),
    error("bad-execution", "`execution.taskSupport` is `forbidden`, `optional` or `required`.", "write `\"execution\": {\"taskSupport\": \"forbidden\"}`, or leave `execution` out"),
    warning("no-tasks", "`execution` does not ask for tasks.", "Relay runs no tasks: the tool is served as an ordinary one; remove `execution` to silence this"),
    allowable(error("bad-meta-key", "A `_meta` key is a name with an optional prefix, as in `com.example/name`.", "write a key such as `com.example/name`, or add `\"x-relay\": {\"allow\": [\"bad-meta-key\"]}` if a client asks for this very key")),
    warning("reserved-meta-key", "`_meta` keys that MCP reserves for itself are left to MCP.", "use a prefix of your own, such as `com.example/`"),
    error("bad-mcp-header", "`x-mcp-header` names a header for a string, integer or boolean property that is reached through `properties` alone.", "correct it or remove it: clients must drop a tool whose `x-mcp-header` breaks a rule"),
    error("bad-x-relay", "`x-relay` has only the members that Relay knows, of the right types.", "see the contract format for what `x-relay` may hold"),
    error("unknown-rule", "`x-relay.allow` names rules that exist and can be allowed.", "name a rule that can be allowed, as messages show it in brackets"),

    error("bad-keyword", "A keyword of a schema has a value of the right form.", "see JSON Schema for what the keyword may hold"),
    warning("unfit-default", "A `default` is a value that its schema allows.", "write a value that the schema allows, or leave `default` out"),
    error("unsupported-keyword", "A schema in a file of its own has no `$dynamicRef`.", "use `$ref`"),
    error("empty-enum", "An `enum` in an `inputSchema` lists at least one value.", "list the values that are allowed, or leave `enum` out"),
    warning("empty-output-enum", "An `enum` lists at least one value.", "list the values that are allowed, or leave `enum` out"),
    error("mixed-dialects", "A schema and those that it refers to in other files are of one dialect.", "write both in one dialect, by their `$schema`"),
    warning("undeclared-required", "`required` names members that `properties` has.", "declare it in `properties`, or correct its name"),
    error("name-collision", "No two tools of a module come to one Rust name.", "give one of them another Rust name: `\"x-relay\": {\"rustName\": \"another_name\"}`"),
    error("bad-option", "The settings of a build are sound.", "give the path of a crate or module, such as `::relay_runtime`"),

    error("not-a-form", "A form is an object of strings, numbers, integers, booleans and choices, with the keywords that MCP gives them.", "write what a client can show: see `client/elicitation` in the specification of MCP; or take `\"form\": true` out of `x-relay`"),
    warning("secret-in-form", "A form asks for no password, key or card number.", "send the user to a page of yours instead, with `Question::visit`: the client and its model read what a form is answered; if it is no secret, add `\"allow\": [\"secret-in-form\"]` to the `x-relay` of this file"),

    error("unknown-dialect", "`$schema` is draft 2020-12 or draft-07.", "write `https://json-schema.org/draft/2020-12/schema` or `http://json-schema.org/draft-07/schema#`, or leave `$schema` out for 2020-12"),
    error("not-a-schema", "Where a schema is expected, there is an object or a boolean.", "write a schema object, `true` or `false`"),
    warning("unknown-keyword", "A schema has only keywords that its dialect knows.", "remove it, or start its name with `x-` to say that it is an annotation of yours"),
    warning("ignored-by-ref", "In draft-07 nothing stands beside a `$ref`.", "draft-07 ignores what stands beside a `$ref`: put both into an `allOf`, or use draft 2020-12"),
    error("bad-id", "`$id`, `$anchor` and `$dynamicAnchor` are well-formed and say where one schema is.", "give each schema an `$id` or anchor of its own"),

    error("bad-ref", "A `$ref` is a string that holds a URI reference.", "write `#/$defs/Name` for a schema of this file, or `file.json#/$defs/Name` for one of another"),
    error("network-ref", "A `$ref` stays within the directory.", "save the schema beside the contracts and refer to it by its relative path: Relay reads nothing from the network"),
    error("dangling-ref", "A `$ref` leads to a schema that exists.", "correct the `$ref`, or add the schema that it names"),
    error("circular-ref", "A schema does not require itself for the very same value.", "break the circle: recursion must pass through a property or an item"),
];

#[cfg(test)]
mod tests {
    use super::RULES;

    #[test]
    fn ids_are_unique_and_kebab_case() {
        let mut ids: Vec<_> = RULES.iter().map(|rule| rule.id).collect();
        assert!(ids.iter().all(|id| {
            id.bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
        }));
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), RULES.len());
    }
}
