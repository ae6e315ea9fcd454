//! The frames of one connection: what a client would send, and what none should.

use super::damage::{damage, garbage};
use super::tools::TOOLS;
use crate::Rng;

/// What is sent on one connection.
#[derive(Debug, Clone)]
pub(super) struct Script {
    /// The lines, without their ends.
    pub(super) frames: Vec<Vec<u8>>,
    /// The last line has its end too.
    pub(super) is_whole: bool,
}

/// What kind of client it is.
#[derive(Debug)]
struct Habits {
    /// How many of a hundred frames are damaged.
    damaged: usize,
    /// How many of a hundred requests take an id that others take too.
    shared_ids: usize,
    /// How many of a hundred requests name their version.
    modern: usize,
    /// How many of a hundred frames ask for the list, which is much longer than they are.
    lists: usize,
    /// The tools that are called: those at the start of the list.
    tools: usize,
}

struct Writer<'r> {
    rng: &'r mut Rng,
    habits: Habits,
    frame_bytes: usize,
    last_id: u64,
    nonce: u64,
    /// The ids of requests, and the nonces of calls that are held.
    ids: Vec<String>,
    held: Vec<u64>,
}

const META: &str = r#""io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}"#;

/// Ids that requests share; some are one value written in two ways.
const IDS: [&str; 12] = [
    "0",
    "-0",
    "1",
    "\"1\"",
    "\"a\"",
    "\"\\u0061\"",
    "-7",
    "123456789012345678901234567890",
    "\"\"",
    "\"\u{2028}\"",
    "\"\\u2028\"",
    "\"é\\ud83d\\ude00\"",
];

/// Makes up so many frames; some more where frames belong together.
pub(super) fn script(rng: &mut Rng, frames: usize, frame_bytes: usize) -> Script {
    let habits = Habits {
        damaged: *rng.pick(&[0, 5, 50]),
        shared_ids: *rng.pick(&[0, 30, 90]),
        modern: *rng.pick(&[0, 50, 100]),
        lists: *rng.pick(&[0, 0, 0, 95]),
        tools: *rng.pick(&[3, 6, TOOLS.len()]),
    };
    let mut writer = Writer {
        rng,
        habits,
        frame_bytes,
        last_id: 0,
        nonce: 0,
        ids: Vec::new(),
        held: Vec::new(),
    };
    let mut made: Vec<Vec<u8>> = Vec::with_capacity(frames + 1);
    if writer.chance(70) {
        made.push(writer.initialize());
    }
    while made.len() < frames {
        writer.some(&mut made);
    }
    for frame in &mut made {
        frame.retain(|byte| *byte != b'\n');
    }
    if writer.chance(3)
        && let Some(first) = made.first_mut()
    {
        first.splice(0..0, *b"\xEF\xBB\xBF");
    }
    Script {
        frames: made,
        is_whole: rng.below(2) == 0,
    }
}

impl Writer<'_> {
    fn chance(&mut self, of_a_hundred: usize) -> bool {
        self.rng.below(100) < of_a_hundred
    }

    /// Adds a frame, or two that belong together.
    fn some(&mut self, made: &mut Vec<Vec<u8>>) {
        let frame = match self.rng.below(100) {
            _ if self.chance(self.habits.lists) => self.request("tools/list", "", ""),
            0..60 => self.call(),
            60..75 => {
                let cancel = self.cancel();
                self.add(made, cancel);
                // Its answer shows that the cancel has been read.
                self.unknown()
            }
            75..80 => self.request("tools/list", "", ""),
            80..83 => self.request("server/discover", "", ""),
            83..85 => self.initialize(),
            85..88 => self.request("ping", "", ""),
            88..90 => self.unknown(),
            90..93 => self.notification(),
            93..95 => self.response(),
            95..97 => garbage(self.rng),
            97 => Vec::new(),
            98 => self.long(),
            _ => {
                let batch = [self.call(), self.call()].join(&b',');
                [b"[", batch.as_slice(), b"]"].concat()
            }
        };
        self.add(made, frame);
    }

    /// Adds a frame, whole or damaged.
    fn add(&mut self, made: &mut Vec<Vec<u8>>, frame: Vec<u8>) {
        if made.is_empty() || !self.chance(self.habits.damaged) {
            return made.push(frame);
        }
        let other = self.rng.pick(made).clone();
        made.push(damage(self.rng, frame, &other, self.frame_bytes));
    }

    fn call(&mut self) -> Vec<u8> {
        // Panics and private failures are logged: there are few of them.
        let tools = if self.chance(5) {
            self.habits.tools
        } else {
            self.habits.tools.min(7)
        };
        let tool = TOOLS[self.rng.below(tools)];
        self.nonce += 1;
        let nonce = self.nonce;
        let target = if self.held.is_empty() {
            0
        } else {
            let place = self.rng.below(self.held.len());
            self.held[place]
        };
        if tool == "hold" {
            self.held.push(nonce);
        }
        let size = self.rng.below(40_000);
        let token = match self.rng.below(10) {
            0..4 => String::new(),
            4..9 => format!(r#""progressToken":"t{nonce}""#),
            _ => format!(r#""progressToken":{}"#, self.rng.pick(&IDS)),
        };
        let rest = format!(
            r#","name":"{tool}","arguments":{{"nonce":{nonce},"target":{target},"size":{size}}}"#
        );
        self.request("tools/call", &token, &rest)
    }

    /// A request with this in its `_meta`, and the rest of its params.
    fn request(&mut self, method: &str, token: &str, rest: &str) -> Vec<u8> {
        let id = self.id();
        self.request_with(&id, method, token, rest)
    }

    fn request_with(&mut self, id: &str, method: &str, token: &str, rest: &str) -> Vec<u8> {
        let version = if self.chance(self.habits.modern) {
            META
        } else {
            ""
        };
        let comma = if token.is_empty() || version.is_empty() {
            ""
        } else {
            ","
        };
        format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{{"_meta":{{{token}{comma}{version}}}{rest}}}}}"#
        )
        .into_bytes()
    }

    /// An id, which may be named by a cancel later.
    fn id(&mut self) -> String {
        let id = if self.chance(self.habits.shared_ids) {
            (*self.rng.pick(&IDS)).to_owned()
        } else {
            self.fresh_id()
        };
        self.ids.push(id.clone());
        id
    }

    /// An id that no other request has.
    fn fresh_id(&mut self) -> String {
        self.last_id += 1;
        let number = self.last_id + 1000;
        if number.is_multiple_of(2) {
            number.to_string()
        } else {
            format!("\"i{number}\"")
        }
    }

    fn initialize(&mut self) -> Vec<u8> {
        let version = *self.rng.pick(&[
            "2024-11-05",
            "2025-03-26",
            "2025-06-18",
            "2025-11-25",
            "2026-07-28",
        ]);
        let id = self.id();
        format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"initialize","params":{{"protocolVersion":"{version}","capabilities":{{}},"clientInfo":{{"name":"fuzz","version":"1"}}}}}}"#
        )
        .into_bytes()
    }

    /// A request that is refused at once, with an id of its own.
    fn unknown(&mut self) -> Vec<u8> {
        let id = self.fresh_id();
        self.request_with(&id, "unheard/of", "", "")
    }

    /// A cancel, most often of a call of late.
    fn cancel(&mut self) -> Vec<u8> {
        let late = self.ids.len().min(6);
        let id = if late == 0 || self.chance(20) {
            (*self.rng.pick(&IDS)).to_owned()
        } else {
            let back = 1 + self.rng.below(late);
            self.ids[self.ids.len() - back].clone()
        };
        format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id},"reason":"tired"}}}}"#
        )
        .into_bytes()
    }

    fn notification(&mut self) -> Vec<u8> {
        let method = *self.rng.pick(&[
            "notifications/initialized",
            "notifications/progress",
            "tools/call",
            "notifications/unheard/of",
        ]);
        self.nonce += 1;
        format!(
            r#"{{"jsonrpc":"2.0","method":"{method}","params":{{"_meta":{{{META}}},"name":"now","arguments":{{"nonce":{}}}}}}}"#,
            self.nonce
        )
        .into_bytes()
    }

    fn response(&mut self) -> Vec<u8> {
        let id = self.id();
        let body = *self
            .rng
            .pick(&[r#""result":{}"#, r#""error":{"code":1,"message":"no"}"#]);
        format!(r#"{{"jsonrpc":"2.0","id":{id},{body}}}"#).into_bytes()
    }

    /// A call that is about as long as the limit, or much longer.
    fn long(&mut self) -> Vec<u8> {
        let near = self.frame_bytes - 300 + self.rng.below(600);
        let length = *self.rng.pick(&[near, near, self.frame_bytes * 3, 300_000]);
        let rest = format!(
            r#","name":"now","arguments":{{"nonce":0,"y":"{}"}}"#,
            "y".repeat(length.saturating_sub(150))
        );
        self.request("tools/call", "", &rest)
    }
}
