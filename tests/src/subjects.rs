//! The schemas of the differential test: of public contracts, and made up.

use serde_json::{Map, Value, json};

use crate::{MadeUp, shared, texts};

/// A contract whose schemas are tried.
#[derive(Debug, Clone)]
pub struct Subject {
    /// The directory of contracts it is in.
    pub directory: String,
    /// Its file in there.
    pub file: String,
    /// The contract, as it is written.
    pub text: String,
    /// The contract, as a value.
    pub contract: Value,
}

impl Subject {
    /// A contract of a directory.
    ///
    /// # Panics
    ///
    /// If the text is no JSON.
    #[must_use]
    pub fn new(directory: &str, file: &str, text: String) -> Self {
        let contract = serde_json::from_str(&text).expect("a contract is JSON");
        Self {
            directory: directory.into(),
            file: file.into(),
            text,
            contract,
        }
    }

    /// The schemas that the contract has, and whether each is of the output.
    pub fn schemas(&self) -> impl Iterator<Item = (bool, &Value)> {
        let input = self
            .contract
            .get("inputSchema")
            .map(|schema| (false, schema));
        input.into_iter().chain(
            self.contract
                .get("outputSchema")
                .map(|schema| (true, schema)),
        )
    }
}

/// The public contracts; none where they are missing, which is said.
#[must_use]
pub fn public() -> Vec<Subject> {
    let Some(root) = shared("contracts") else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for (path, text) in texts(&root) {
        let (directory, file) = path.split_once('/').unwrap_or(("", &path));
        let subject = Subject::new(directory, file, text.clone());
        if subject.contract.get("inputSchema").is_some() {
            found.push(subject);
        }
    }
    found
}

/// Contracts whose output is a schema made up, and whose input is the same as one member.
#[must_use]
pub fn made_up(seed: u64, count: usize) -> Vec<Subject> {
    let mut drafts = [MadeUp::new(seed, false), MadeUp::new(seed + 1, true)];
    let subject = |number: usize| {
        let schema = drafts[number % 2].document();
        let name = format!("t{number}");
        let text = contract_of(&name, &schema).to_string();
        Subject::new("made_up", &format!("{name}.json"), text)
    };
    (0..count).map(subject).collect()
}

/// The contract of a tool that has a schema on both sides.
#[must_use]
pub fn contract_of(name: &str, schema: &Value) -> Value {
    let is_object = schema.get("type").is_some_and(|kind| kind == "object");
    let input = if is_object {
        schema.clone()
    } else {
        wrapped(schema)
    };
    json!({"name": name, "inputSchema": input, "outputSchema": schema})
}

/// An object with the schema as its one member; what refs lead to stays where they look for it.
fn wrapped(schema: &Value) -> Value {
    let mut inner = schema.clone();
    let mut outer = Map::new();
    if let Some(inner) = inner.as_object_mut() {
        for keyword in ["$schema", "$defs", "definitions"] {
            outer.extend(
                inner
                    .remove(keyword)
                    .map(|value| (keyword.to_owned(), value)),
            );
        }
    }
    outer.insert("type".into(), json!("object"));
    outer.insert("properties".into(), json!({"v": inner}));
    outer.insert("required".into(), json!(["v"]));
    Value::Object(outer)
}
