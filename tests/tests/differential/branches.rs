//! Whether a branch of a schema holds, by the oracle.

use std::cell::RefCell;
use std::collections::HashMap;

use jsonschema::{Draft, Registry, Validator};
use serde_json::{Value, json};

/// The places of a schema document, each with its validator once it has been asked for.
pub(crate) struct Branches<'s> {
    draft: Draft,
    registry: Registry<'s>,
    /// By the address of the schema.
    pointers: HashMap<*const Value, String>,
    validators: RefCell<HashMap<*const Value, Option<Validator>>>,
}

const ROOT: &str = "https://relay.example/root";

impl<'s> Branches<'s> {
    pub(crate) fn new(root: &'s Value) -> Self {
        let is_old = root
            .get("$schema")
            .and_then(Value::as_str)
            .is_some_and(|dialect| dialect.contains("draft-07"));
        let mut pointers = HashMap::new();
        note(root, String::new(), &mut pointers);
        let registry = Registry::new().add(ROOT, root).expect("a URI").prepare();
        Self {
            draft: if is_old {
                Draft::Draft7
            } else {
                Draft::Draft202012
            },
            registry: registry.expect("a schema that the oracle has read before"),
            pointers,
            validators: RefCell::default(),
        }
    }

    /// Whether a schema of the document holds.
    pub(crate) fn holds(&self, schema: &Value, value: &Value) -> bool {
        let address = std::ptr::from_ref(schema);
        let mut validators = self.validators.borrow_mut();
        let validator = validators.entry(address).or_insert_with(|| {
            let pointer = self.pointers.get(&address)?;
            let options = jsonschema::options()
                .with_draft(self.draft)
                .should_validate_formats(false);
            let escaped = escaped(pointer);
            let entry = json!({"$ref": format!("{ROOT}#{escaped}")});
            options.with_registry(&self.registry).build(&entry).ok()
        });
        let validator = validator
            .as_ref()
            .expect("the oracle reads each part of a schema");
        validator.is_valid(value)
    }
}

fn note(at: &Value, pointer: String, pointers: &mut HashMap<*const Value, String>) {
    match at {
        Value::Object(members) => {
            for (name, member) in members {
                let token = name.replace('~', "~0").replace('/', "~1");
                note(member, format!("{pointer}/{token}"), pointers);
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                note(item, format!("{pointer}/{index}"), pointers);
            }
        }
        _ => {}
    }
    pointers.insert(std::ptr::from_ref(at), pointer);
}

/// A pointer as the fragment of a URI.
fn escaped(pointer: &str) -> String {
    let letter = |byte: u8| match byte {
        b'/' | b'~' | b'-' | b'_' | b'.' => char::from(byte).to_string(),
        byte if byte.is_ascii_alphanumeric() => char::from(byte).to_string(),
        byte => format!("%{byte:02X}"),
    };
    pointer.bytes().map(letter).collect()
}
