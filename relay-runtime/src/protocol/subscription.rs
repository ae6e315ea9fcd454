//! Streams of notifications (spec page `basic/utilities/subscriptions`).

use super::envelope::member;
use super::line::seal;
use super::message::{success, write_string};
use super::refusal::Refusal;
use super::scan::Members;
use crate::request_id::RequestId;

/// What a stream carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Filter {
    pub(crate) tools: bool,
}

/// All that a client may ask for; a server of tools has only the first.
const FLAGS: [&str; 3] = [
    "toolsListChanged",
    "promptsListChanged",
    "resourcesListChanged",
];

impl Filter {
    /// Reads what the client asks for, and keeps what there is: `changes` when tools come and go.
    pub(super) fn read(params: &Members<'_>, changes: bool) -> Result<Self, Refusal> {
        let wanted = params
            .find("notifications")
            .filter(|json| json.starts_with('{'))
            .ok_or_else(|| {
                Refusal::invalid_params(
                    "`params.notifications` must be an object that says what to hear of, such as \
                     {\"toolsListChanged\": true}",
                )
            })?;
        for flag in FLAGS {
            if !matches!(member(wanted, flag), None | Some("true" | "false")) {
                return Err(Refusal::invalid_params(format!(
                    "`params.notifications.{flag}` must be true or false"
                )));
            }
        }
        Ok(Self {
            tools: changes && member(wanted, FLAGS[0]) == Some("true"),
        })
    }
}

/// The first notification of a stream: what it will carry.
pub(crate) fn acknowledged(id: &RequestId, filter: Filter) -> Vec<u8> {
    let mut message =
        br#"{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"#
            .to_vec();
    if filter.tools {
        message.extend_from_slice(br#""toolsListChanged":true"#);
    }
    message.extend_from_slice(br#"},"_meta":"#);
    write_tag(&mut message, id);
    message.extend_from_slice(b"}}");
    seal(message)
}

/// Tools have come or gone; on a stream, tagged with its id.
pub(crate) fn tools_changed(stream: Option<&RequestId>) -> Vec<u8> {
    let mut message = br#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed""#.to_vec();
    if let Some(id) = stream {
        message.extend_from_slice(br#","params":{"_meta":"#);
        write_tag(&mut message, id);
        message.push(b'}');
    }
    message.push(b'}');
    seal(message)
}

/// The server ends a stream: its result.
pub(crate) fn ended(id: &RequestId) -> Vec<u8> {
    let mut result = br#"{"resultType":"complete","_meta":"#.to_vec();
    write_tag(&mut result, id);
    result.push(b'}');
    success(id, &result)
}

fn write_tag(out: &mut Vec<u8>, id: &RequestId) {
    out.push(b'{');
    write_string(out, "io.modelcontextprotocol/subscriptionId");
    out.push(b':');
    out.extend_from_slice(id.json().as_bytes());
    out.push(b'}');
}
