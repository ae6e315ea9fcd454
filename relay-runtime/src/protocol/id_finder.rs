//! Finds the id of a message that cannot be read as a whole: too long, or broken inside.

use crate::check;
use crate::request_id::RequestId;

/// Looks for the `id` member of the root object, chunk by chunk, in constant memory.
#[derive(Debug, Default)]
pub(crate) struct IdFinder {
    place: Place,
    /// How many brackets are open inside of the root object.
    nested: usize,
    in_string: bool,
    escaped: bool,
    /// The key that is read, or the value of `id`, without white space around it.
    captured: Vec<u8>,
    ids: usize,
    id: Option<RequestId>,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Before the root.
    #[default]
    Start,
    Key,
    Colon,
    IdValue,
    OtherValue,
    /// After the root object.
    End,
    /// The line is no object, or something follows it.
    Lost,
}

/// One more than is ever needed, so that what is too long is seen as such.
const MAX_CAPTURED: usize = RequestId::MAX_BYTES + 1;

impl IdFinder {
    /// Reads on.
    pub(crate) fn feed(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.step(*byte);
        }
    }

    /// The id, if the root has exactly one that is readable.
    pub(crate) fn id(self) -> Option<RequestId> {
        self.id.filter(|_| self.ids == 1)
    }

    /// The same, but only of an object that is whole: its brackets match and nothing follows.
    pub(crate) fn id_of_whole(self) -> Option<RequestId> {
        if self.place == Place::End {
            self.id()
        } else {
            None
        }
    }

    fn step(&mut self, byte: u8) {
        if self.in_string {
            return self.step_in_string(byte);
        }
        match (self.place, byte) {
            (Place::Lost, _) => {}
            // Inside of a value it is kept, so that `1 2` does not become `12`.
            (Place::IdValue, b' ' | b'\t' | b'\r' | b'\n') if !self.captured.is_empty() => {
                self.capture(b' ');
            }
            (_, b' ' | b'\t' | b'\r' | b'\n') => {}
            (Place::Start, b'{') => self.place = Place::Key,
            (Place::Start | Place::End, _) => self.place = Place::Lost,
            (Place::Key | Place::IdValue | Place::OtherValue, b'"') => {
                self.in_string = true;
                self.capture(byte);
            }
            (Place::Key, b'}') => self.place = Place::End,
            (Place::Key, _) => self.place = Place::Lost,
            (Place::Colon, b':') => {
                let key = str::from_utf8(&self.captured).ok();
                let key = key.and_then(check::string);
                let is_id = key.is_some_and(|key| key == "id");
                self.captured.clear();
                self.place = if is_id {
                    Place::IdValue
                } else {
                    Place::OtherValue
                };
            }
            (Place::Colon, _) => self.place = Place::Lost,
            (Place::IdValue | Place::OtherValue, _) => self.step_in_value(byte),
        }
    }

    fn step_in_string(&mut self, byte: u8) {
        self.capture(byte);
        match byte {
            _ if self.escaped => self.escaped = false,
            b'\\' => self.escaped = true,
            b'"' => {
                self.in_string = false;
                if self.place == Place::Key {
                    self.place = Place::Colon;
                }
            }
            _ => {}
        }
    }

    fn step_in_value(&mut self, byte: u8) {
        match byte {
            b',' if self.nested == 0 => self.end_value(Place::Key),
            b'}' if self.nested == 0 => self.end_value(Place::End),
            b']' if self.nested == 0 => self.place = Place::Lost,
            _ => {
                match byte {
                    b'{' | b'[' => self.nested += 1,
                    b'}' | b']' => self.nested -= 1,
                    _ => {}
                }
                self.capture(byte);
            }
        }
    }

    fn end_value(&mut self, next: Place) {
        if self.place == Place::IdValue {
            self.ids += 1;
            self.id = str::from_utf8(self.captured.trim_ascii())
                .ok()
                .and_then(RequestId::parse);
        }
        self.captured.clear();
        self.place = next;
    }

    fn capture(&mut self, byte: u8) {
        if self.place != Place::OtherValue && self.captured.len() < MAX_CAPTURED {
            self.captured.push(byte);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(text: &str) -> Option<String> {
        let mut finder = IdFinder::default();
        for byte in text.as_bytes() {
            finder.feed(&[*byte]);
        }
        finder.id_of_whole().map(|id| id.to_string())
    }

    #[test]
    fn the_id_of_the_root_is_found() {
        for (text, id) in [
            (r#"{"id":5,"x":NaN}"#, Some("5")),
            (
                r#" { "x" : [ {"id":1} , "\"id\":2" ] , "id" : "a\"b" } "#,
                Some(r#""a\"b""#),
            ),
            (r#"{"x":"\ud800","\u0069d":7}"#, Some("7")),
            (r#"{"x":{"id":1}}"#, None),
            (r#"{"id":1,"id":2}"#, None),
            (r#"{"id":1.5}"#, None),
            (r#"{"id":[1]}"#, None),
            (r#"{"id":1 2}"#, None),
            (r#"{"id":1"#, None),
            (r#"{"id":1}}"#, None),
            (r#"[{"id":1}]"#, None),
            ("", None),
        ] {
            assert_eq!(find(text).as_deref(), id, "{text}");
        }
    }

    #[test]
    fn what_it_keeps_is_bounded() {
        let mut finder = IdFinder::default();
        finder.feed(b"{\"id\":\"");
        finder.feed(&[b'x'; 1 << 20]);
        finder.feed(b"\"}");
        assert!(finder.captured.len() <= MAX_CAPTURED);
        assert!(finder.id_of_whole().is_none());
    }
}
