//! Tools that ask their client.

#![allow(dead_code, reason = "not every test needs all of it")]

use relay_runtime::content::ContentBlock;
use relay_runtime::input::{Elicited, Form, InputRequest, Question, Sampling};
use relay_runtime::{Call, Definition, Limits, Reply, Server, Tool, ToolError};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::talk::Talk;

#[derive(Debug, Deserialize)]
struct Guest {
    name: String,
    #[serde(default)]
    age: Option<u8>,
}

fn form() -> Form<Guest> {
    Form::new(json!({
        "type": "object",
        "properties": {
            "name": {"type": "string", "minLength": 1, "default": "Ada"},
            "age": {"type": "integer", "minimum": 0, "maximum": 150}
        },
        "required": ["name"]
    }))
}

pub fn content(name: &str) -> Definition<Value> {
    Definition::content(name, json!({"type": "object"}))
}

/// Asks one thing.
pub fn greet() -> Tool {
    content("greet").handle(|call: Call, _| async move {
        let said = match call.ask("guest", form().question("Who are you?"))? {
            Elicited::Accepted(Guest { name, age }) => format!("Hello, {name} ({age:?})!"),
            Elicited::Declined => "As you like.".into(),
            Elicited::Cancelled => return Err(ToolError::message("Nobody is there.")),
        };
        Ok(ContentBlock::text(said).into())
    })
}

/// Asks several things at once and then one more, with a state of its own.
pub fn plan() -> Tool {
    content("plan").handle(|call: Call, _| async move {
        call.report_progress(1.0, None, None);
        let words = Sampling::new(10)
            .user(ContentBlock::text("A word?"))
            .question();
        let Some(word) = call.answer("word", &words)? else {
            let requests = [
                ("word", InputRequest::from(words)),
                ("roots", Question::roots().into()),
            ];
            return Ok(Reply::request_input(requests).with_state(json!({"step": 1})));
        };
        let roots = call.ask("roots", Question::roots())?;
        let Some(state) = call.request_state().cloned() else {
            return Err(ToolError::message("lost"));
        };
        let page = Question::visit("Look.", "https://example.com/");
        if call.answer("page", &page)?.is_none() {
            return Ok(Reply::request_input([("page", page)]).with_state(json!([state, 2])));
        }
        let uris: Vec<&str> = roots.iter().map(|root| &*root.uri).collect();
        Ok(ContentBlock::text(format!("{} {uris:?} {state}", word.text())).into())
    })
}

/// Never has enough.
pub fn nag() -> Tool {
    content("nag").handle(|call: Call, _| async move {
        let times = call.request_state().and_then(Value::as_u64).unwrap_or(0);
        Ok(Reply::again(json!(times + 1)))
    })
}

/// Asks nothing and has no state.
pub fn mumble() -> Tool {
    content("mumble").handle(|_: Call, _| async move {
        let none: [(&str, InputRequest); 0] = [];
        Ok(Reply::request_input(none))
    })
}

/// Asks two things one after the other, the first with a state.
pub fn remember() -> Tool {
    content("remember").handle(|call: Call, _| async move {
        let page = Question::visit("Look.", "https://example.com/");
        if call.answer("page", &page)?.is_none() {
            return Ok(Reply::request_input([("page", page)]).with_state(json!("precious")));
        }
        call.ask("roots", Question::roots())?;
        Ok(ContentBlock::text(format!("{:?}", call.request_state())).into())
    })
}

/// Asks for two things until it has both.
pub fn pair() -> Tool {
    content("pair").handle(|call: Call, _| async move {
        let guest = form().question("Who are you?");
        let answers = (
            call.answer("guest", &guest)?,
            call.answer("roots", &Question::roots())?,
        );
        let (Some(_), Some(_)) = answers else {
            let requests = [
                ("guest", InputRequest::from(guest)),
                ("roots", Question::roots().into()),
            ];
            return Ok(Reply::request_input(requests));
        };
        Ok(ContentBlock::text("both").into())
    })
}

pub fn talk() -> Talk {
    talk_with(Limits::new())
}

pub fn talk_with(limits: Limits) -> Talk {
    let server = Server::new("asks", "1")
        .tools([greet(), plan(), remember(), nag(), mumble(), pair()])
        .limits(limits);
    Talk::new(server, ())
}

pub fn all() -> Value {
    json!({"elicitation": {"form": {}, "url": {}}, "sampling": {}, "roots": {}})
}
