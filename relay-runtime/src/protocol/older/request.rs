//! What is asked of older clients.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::content::known;
use crate::content::ContentBlock;
use crate::input::InputRequest;
use crate::protocol::revision::Revision;
use crate::unique;

/// The parameters of a request as the revision knows them; `None` where it cannot say what is
/// asked.
pub(in crate::protocol) fn request_params(
    request: &InputRequest,
    revision: Revision,
) -> Option<Map<String, Value>> {
    let mut params = request.params.clone();
    if request.is_visit() && revision == Revision::V2025_11_25 {
        params
            .entry("elicitationId")
            .or_insert_with(|| json!(unique::text()));
    }
    if revision >= Revision::V2025_11_25 {
        return Some(params);
    }
    if request.form().is_some() {
        params.remove("mode");
        simplify(params.get_mut("requestedSchema")?)?;
    }
    let messages = params.get_mut("messages").and_then(Value::as_array_mut);
    for message in messages.into_iter().flatten() {
        shape_content(&mut message["content"], revision);
    }
    Some(params)
}

/// What is said to a model is content, as a tool's result is.
fn shape_content(content: &mut Value, revision: Revision) {
    if let Ok(block) = ContentBlock::deserialize(&*content)
        && let Ok(shaped) = serde_json::to_value(known(block, revision))
    {
        *content = shaped;
    }
}

/// Takes from a form what came with 2025-11-25.
fn simplify(schema: &mut Value) -> Option<()> {
    let required = schema.get("required").cloned().unwrap_or_default();
    let is_required = |name: &String| {
        required
            .as_array()
            .is_some_and(|all| all.contains(&json!(name)))
    };
    let properties = schema.get_mut("properties")?.as_object_mut()?;
    // A choice of many has no form here; what is optional is not asked.
    let many = |property: &Value| property["type"] == "array";
    if properties
        .iter()
        .any(|(name, property)| many(property) && is_required(name))
    {
        return None;
    }
    properties.retain(|_, property| !many(property));
    for property in properties.values_mut().filter_map(Value::as_object_mut) {
        if property.get("type") != Some(&json!("boolean")) {
            property.remove("default");
        }
        if let Some(Value::Array(options)) = property.remove("oneOf") {
            let each = |name| options.iter().map(|option| option[name].clone()).collect();
            property.insert("enum".into(), Value::Array(each("const")));
            property.insert("enumNames".into(), Value::Array(each("title")));
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::{Form, Question, Sampling};

    fn shaped(schema: Value, revision: Revision) -> Option<Value> {
        let form: Form<Value> = Form::new(schema);
        request_params(&form.question("?").into(), revision).map(Value::Object)
    }

    #[test]
    fn a_form_loses_what_is_too_new_for_it() {
        let schema = json!({
            "type": "object",
            "properties": {
                "name": {"type": "string", "default": "Ada", "maxLength": 9},
                "loud": {"type": "boolean", "default": true},
                "size": {"type": "string", "oneOf": [{"const": "s", "title": "Small"}], "default": "s"},
                "tags": {"type": "array", "items": {"type": "string", "enum": ["a"]}}
            },
            "required": ["name"]
        });
        let new = shaped(schema.clone(), Revision::V2025_11_25).unwrap();
        assert_eq!(
            new,
            json!({"mode": "form", "message": "?", "requestedSchema": schema})
        );
        assert_eq!(
            shaped(schema, Revision::V2025_06_18).unwrap(),
            json!({"message": "?", "requestedSchema": {
                "type": "object",
                "properties": {
                    "name": {"type": "string", "maxLength": 9},
                    "loud": {"type": "boolean", "default": true},
                    "size": {"type": "string", "enum": ["s"], "enumNames": ["Small"]}
                },
                "required": ["name"]
            }})
        );
    }

    #[test]
    fn a_required_choice_of_many_cannot_be_asked() {
        let schema = json!({
            "type": "object",
            "properties": {"tags": {"type": "array", "items": {"type": "string", "enum": ["a"]}}},
            "required": ["tags"]
        });
        assert!(shaped(schema.clone(), Revision::V2025_11_25).is_some());
        assert_eq!(shaped(schema, Revision::V2025_06_18), None);
    }

    #[test]
    fn a_message_for_a_model_is_shaped_like_other_content() {
        let sound = Sampling::new(1)
            .user(ContentBlock::audio([1], "audio/wav"))
            .question();
        let params = |revision| request_params(sound.request(), revision).unwrap();
        let content = |revision| params(revision)["messages"][0]["content"]["type"].clone();
        assert_eq!(content(Revision::V2025_03_26), "audio");
        assert_eq!(content(Revision::V2024_11_05), "text");
    }

    #[test]
    fn a_visit_has_an_id_where_the_revision_wants_one() {
        let visit = InputRequest::from(Question::visit("Sign in.", "https://example.com"));
        let old = request_params(&visit, Revision::V2025_11_25).unwrap();
        assert!(old["elicitationId"].is_string());
        assert!(
            !request_params(&visit, Revision::V2026_07_28)
                .unwrap()
                .contains_key("elicitationId")
        );
    }
}
