//! Generated forms: what they ask for is the document, and what is answered is their struct.

use std::fs;

use relay_tests::{Nested, fixtures, manifest, workspace};
use serde_json::Value;

const MAIN: &str = r##"
use relay_runtime::content::ContentBlock;
use relay_runtime::input::Elicited;
use relay_runtime::{Call, Server, ToolError, ToolResult};
use serde_json::json;
use tools::places::{UnitChoice, UnitChoiceScale, UnitChoiceShownItem, UnitChoiceSpeed};
use tools::{City, Form, Look, LookInput};

mod tools { relay_runtime::include_tools!(); }

struct Looks;

impl Look for Looks {
    async fn look(&self, call: &Call, _input: LookInput) -> ToolResult<Vec<ContentBlock>> {
        match call.ask("city", City::form().question("Which city?"))? {
            Elicited::Accepted(City { city, .. }) => Ok(ContentBlock::text(city).into()),
            Elicited::Declined | Elicited::Cancelled => Err(ToolError::message("No city was given.")),
        }
    }
}

fn main() {
    let _: Server = Server::new("looks", "1").tools(tools::tools(Looks));
    let (city, units, form) = (City::form().question(""), UnitChoice::form().question(""), Form::form().question(""));
    for request in [city.request(), units.request(), form.request()] {
        println!("{}", serde_json::to_string(request).expect("it encodes"));
    }
    let accept = |content| json!({"action": "accept", "content": content});
    let bern = City { days: Some(2), ..City::new("Bern".into()) };
    let answer = city.read(&accept(json!({"city": "Bern", "days": 2}))).expect("an answer");
    assert_eq!(answer, Elicited::Accepted(bern));
    let chosen = UnitChoice {
        scale: Some(UnitChoiceScale::F),
        speed: Some(UnitChoiceSpeed::KmH),
        shown: Some(vec![UnitChoiceShownItem::Sun]),
        days: None,
    };
    let answer = json!({"scale": "f", "speed": "km/h", "shown": ["sun"]});
    assert_eq!(units.read(&accept(answer)).expect("an answer"), Elicited::Accepted(chosen));
    let declined = json!({"action": "decline"});
    assert_eq!(form.read(&declined).expect("an answer"), Elicited::Declined);
}
"##;

#[test]
fn a_form_asks_for_its_document() {
    let golden = workspace().join("relay-gen/tests/generated/forms");
    let nested = Nested::new("forms");
    nested.copy(&golden, "schemas");
    let odd = fixtures("strict/odd modules/rt").join("form.json");
    let odd = fs::read_to_string(odd).expect("a form");
    nested.file("schemas/form.json", &odd);
    let manifest = manifest("forms", true);
    let dependencies = "[dependencies]\nserde_json = \"1\"\n";
    nested.file(
        "Cargo.toml",
        &manifest.replace("[dependencies]\n", dependencies),
    );
    let build = "fn main() { relay_gen::build(\"schemas\"); }\n";
    nested.file("build.rs", build);
    nested.file("src/main.rs", MAIN);

    let ran = nested.cargo(&["run", "--quiet"]).succeeded();
    let asked: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!(asked.len(), 3, "{}", ran.all());
    let read = |path: &str| fs::read_to_string(golden.join(path)).expect("a form");
    let documents = [read("city.json"), read("places/units.json"), odd];
    for (asked, document) in asked.into_iter().zip(documents) {
        let request: Value = serde_json::from_str(asked).expect("JSON");
        let mut wanted: Value = serde_json::from_str(&document).expect("JSON");
        wanted.as_object_mut().expect("an object").remove("x-relay");
        assert_eq!(request["params"]["requestedSchema"], wanted);
        // The fields are shown in the order in which they are written.
        let properties = wanted["properties"].as_object().expect("properties");
        let order = |text: &str| {
            let (_, text) = text.split_once("\"properties\"").expect("properties");
            let mut names: Vec<_> = properties.keys().cloned().collect();
            names.sort_by_key(|name| text.find(&format!("\"{name}\":")));
            names
        };
        assert_eq!(order(asked), order(&document));
    }
}
