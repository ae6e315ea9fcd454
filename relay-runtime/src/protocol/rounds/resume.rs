//! A call that comes back with answers.

use serde::{Deserialize, Serialize};

use super::go_on::Return;
use super::now_ms;
use super::open::{Open, Round};
use super::responses::answers;
use crate::protocol::digest::digest;
use crate::protocol::envelope::shortened;
use crate::protocol::refusal::Refusal;
use crate::protocol::seal::{Purpose, Sealer};

/// What a call with these parameters goes on with.
pub(super) enum Resumed {
    Run(Round),
    /// Some answers are missing.
    Asks(Open),
}

/// What is sealed: nobody but this server has written it, and for this call.
#[derive(Serialize, Deserialize)]
struct Sealed {
    tool: String,
    arguments: String,
    expires_ms: u64,
    open: Open,
}

/// Reads what the client has answered, and what the sealed state says that it was asked.
pub(super) fn resume(sealer: &Sealer, call: &Return<'_>) -> Result<Resumed, Refusal> {
    let mut open = unseal(sealer, call.state, call.tool, call.arguments, now_ms())?;
    let answers = answers(&open.requests, call.responses)
        .map_err(|_| Refusal::invalid_params("`params.inputResponses` cannot be read"))?;
    for (name, answer) in answers {
        serde_json::from_str(answer.get())
            .map_err(|error| error.to_string())
            .and_then(|answer| open.accept(&name, answer))
            .map_err(|what| {
                let name = shortened(&name);
                Refusal::invalid_params(format!("`params.inputResponses[\"{name}\"]`: {what}"))
            })?;
    }
    if open.requests.is_empty() {
        return Ok(Resumed::Run(open.into_round()));
    }
    let often = "the answers to what the tool asks are missing, once too often";
    open.again()
        .map(Resumed::Asks)
        .ok_or_else(|| Refusal::invalid_params(often))
}

/// The state that the client gives back with its answers.
pub(in crate::protocol) fn seal(
    sealer: &Sealer,
    open: &Open,
    tool: &str,
    arguments: &str,
    expires_ms: u64,
) -> String {
    let sealed = Sealed {
        tool: tool.to_owned(),
        arguments: digest(arguments),
        expires_ms,
        open: open.clone(),
    };
    // Strings, numbers and JSON values only: nothing here fails to serialise.
    let json = serde_json::to_vec(&sealed).unwrap_or_default();
    sealer.seal(Purpose::RequestState, &json)
}

fn unseal(
    sealer: &Sealer,
    token: &str,
    tool: &str,
    arguments: &str,
    now_ms: u64,
) -> Result<Open, Refusal> {
    let refuse = |what: &str| Err(refused_state(what));
    let sealed = sealer
        .open(Purpose::RequestState, token)
        .and_then(|json| serde_json::from_str::<Sealed>(str::from_utf8(&json).ok()?).ok());
    let Some(sealed) = sealed else {
        return Err(foreign_state());
    };
    if sealed.tool != tool {
        return refuse("belongs to a call of another tool");
    }
    if sealed.arguments != digest(arguments) {
        return refuse("belongs to a call with other arguments");
    }
    if sealed.expires_ms <= now_ms {
        return refuse("has expired: call the tool again without it");
    }
    Ok(sealed.open)
}

/// The refusal of a state that this server has not given.
pub(in crate::protocol) fn foreign_state() -> Refusal {
    refused_state("is none of this server's, or was changed on its way")
}

fn refused_state(why: &str) -> Refusal {
    Refusal::invalid_params(format!("`params.requestState` {why}"))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::Arc;

    use serde_json::Value;

    use super::*;
    use crate::client::{Client, Profile};
    use crate::input::{InputRequest, Question};
    use crate::protocol::Revision;
    use crate::reply::Asked;

    const ARGUMENTS: &str = r#"{"b":2.0,"a":{"x":1,"y":[]}}"#;

    fn keyed(key: u8) -> Sealer {
        Sealer::new(&[key; 32]).unwrap()
    }

    fn open() -> Open {
        let roots = InputRequest::from(Question::roots());
        let requests = BTreeMap::from([("roots".to_owned(), roots)]);
        let asked = Asked::new(requests, Some(Value::Null));
        Open::after(&Round::default(), *asked).unwrap()
    }

    fn message(result: Result<Open, Refusal>) -> String {
        result.unwrap_err().message.into_owned()
    }

    #[test]
    fn a_state_comes_back_as_it_was() {
        let sealer = keyed(1);
        let token = seal(&sealer, &open(), "ask", ARGUMENTS, 1000);
        let same = r#"{ "a": {"y":[],"x":1.0}, "b": 2 }"#;
        assert_eq!(unseal(&sealer, &token, "ask", same, 999), Ok(open()));
    }

    #[test]
    fn any_other_state_is_refused() {
        let sealer = keyed(1);
        let token = seal(&sealer, &open(), "ask", ARGUMENTS, 1000);
        let read = |token: &str, tool, arguments, now| {
            message(unseal(&sealer, token, tool, arguments, now))
        };
        assert!(read(&token, "ask", ARGUMENTS, 1000).contains("expired"));
        assert!(read(&token, "other", ARGUMENTS, 0).contains("another tool"));
        assert!(read(&token, "ask", r#"{"b":3}"#, 0).contains("other arguments"));
        let foreign = seal(&keyed(2), &open(), "ask", ARGUMENTS, 1000);
        assert!(read(&foreign, "ask", ARGUMENTS, 0).contains("none of this server's"));
        for at in 0..token.len() {
            let mut bytes = token.clone().into_bytes();
            bytes[at] = if bytes[at] == b'A' { b'B' } else { b'A' };
            let changed = String::from_utf8(bytes).unwrap();
            assert!(
                read(&changed, "ask", ARGUMENTS, 0).contains("none of this server's"),
                "{at}"
            );
            assert!(
                read(&token[..at], "ask", ARGUMENTS, 0).contains("none of"),
                "{at}"
            );
        }
    }

    #[test]
    fn what_is_missing_is_asked_again_and_the_rest_ignored() {
        let sealer = keyed(1);
        let state = seal(&sealer, &open(), "ask", "{}", u64::MAX);
        let profile = Arc::new(Profile {
            info: None,
            capabilities: Arc::default(),
            revision: Revision::V2026_07_28,
        });
        let client = Client {
            profile,
            said: None,
        };
        let params = |responses| {
            let call = Return {
                client: &client,
                tool: "ask",
                arguments: "{}",
                state: &state,
                responses,
            };
            resume(&sealer, &call)
        };
        assert!(matches!(params(r#"{"other":7}"#), Ok(Resumed::Asks(_))));
        assert!(matches!(
            params(r#"{"roots":{"roots":[]}}"#),
            Ok(Resumed::Run(_))
        ));
        let refused = params(r#"{"roots":{"roots":7}}"#).err().unwrap();
        assert!(
            refused.message.contains(r#"inputResponses["roots"]"#),
            "{}",
            refused.message
        );
    }
}
