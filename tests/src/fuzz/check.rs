//! What holds of every connection, whatever was sent on it.

use std::collections::{HashMap, HashSet};

use relay_runtime::stdio::StdioError;

use super::came::{Came, Place};
use super::frames::Script;
use super::meaning::{Ask, Key, LineLimits, Meaning, ToolCall, meaning};
use super::output::{Body, Message, Word, messages};
use super::talk::Talked;

/// Says which invariant a connection breaks.
pub(super) fn check(script: &Script, limits: LineLimits, talked: &Talked) -> Result<(), String> {
    let Some(served) = &talked.served else {
        return Err("the server is stuck".into());
    };
    let sent = Sent::new(script, limits);
    if talked.hung_up {
        return match served {
            Err(StdioError::StdoutBroken { .. } | StdioError::InvalidTrailingData { .. })
            | Ok(()) => sent.only_what_was_asked_for_ran(&talked.ran),
            Err(error) => Err(format!("serving ends with: {error}")),
        };
    }
    let tail_is_garbage = !script.is_whole && matches!(sent.lines.last(), Some(Meaning::Garbage));
    match (served, tail_is_garbage) {
        (Ok(()), false) | (Err(StdioError::InvalidTrailingData { .. }), true) => {}
        _ => return Err(format!("serving ends with {served:?}")),
    }
    let came = Came::new(messages(&talked.output)?);
    sent.only_what_was_asked_for_ran(&talked.ran)?;
    sent.garbage_is_answered_once(script, &came)?;
    sent.requests_are_answered_once(&came)?;
    sent.results_belong_to_their_calls(&came)?;
    sent.cancelled_calls_are_silent(&came)?;
    sent.progress_rises_until_the_reply(&came)
}

/// What was sent, and what may be looked up in it.
struct Sent {
    lines: Vec<Meaning>,
    /// The calls of tools with a nonce that no other line has, by their nonces.
    calls: HashMap<u64, Place>,
    /// How many calls have a nonce.
    nonces: HashMap<u64, usize>,
    /// How often an id is there: in requests, and in what is refused for its envelope.
    ids: HashMap<String, usize>,
}

impl Sent {
    fn new(script: &Script, limits: LineLimits) -> Self {
        let lines = script.frames.iter().enumerate();
        let lines = lines.map(|(place, line)| meaning(line, place == 0, limits));
        let mut sent = Self {
            lines: lines.collect(),
            calls: HashMap::new(),
            nonces: HashMap::new(),
            ids: HashMap::new(),
        };
        for (place, line) in sent.lines.iter().enumerate() {
            match line {
                Meaning::Request(ask) => {
                    *sent.ids.entry(ask.id.clone()).or_default() += 1;
                    if let Some(nonce) = ask.call.as_ref().and_then(|call| call.nonce) {
                        *sent.nonces.entry(nonce).or_default() += 1;
                        sent.calls.insert(nonce, place);
                    }
                }
                Meaning::Refusal { id: Some(id), .. } => {
                    *sent.ids.entry(id.clone()).or_default() += 1;
                }
                _ => {}
            }
        }
        sent.calls.retain(|nonce, _| sent.nonces[nonce] == 1);
        sent
    }

    fn asks(&self) -> impl Iterator<Item = (Place, &Ask)> {
        let lines = self.lines.iter().enumerate();
        lines.filter_map(|(place, line)| match line {
            Meaning::Request(ask) => Some((place, ask)),
            _ => None,
        })
    }

    /// The calls whose nonces tell them from all others.
    fn known_calls(&self) -> impl Iterator<Item = (Place, u64, &Ask, &ToolCall)> {
        self.calls.iter().filter_map(|(nonce, place)| {
            let Meaning::Request(ask) = &self.lines[*place] else {
                return None;
            };
            Some((*place, *nonce, ask, ask.call.as_ref()?))
        })
    }

    /// A handler runs for a request that was well-formed, once.
    fn only_what_was_asked_for_ran(&self, ran: &[u64]) -> Result<(), String> {
        let mut left = self.nonces.clone();
        for nonce in ran {
            match left.get_mut(nonce) {
                Some(count @ 1..) => *count -= 1,
                _ => return Err(format!("the call {nonce} has run once too often")),
            }
        }
        Ok(())
    }

    /// One answer to each line that is no JSON or too long; its id, if any, is one of the line's.
    fn garbage_is_answered_once(&self, script: &Script, came: &Came) -> Result<(), String> {
        let lines_of = |wanted: fn(&Meaning) -> bool| {
            let lines = self.lines.iter().zip(&script.frames);
            lines.filter(move |(line, _)| wanted(line))
        };
        let answers = |wanted: fn(&Body) -> bool| {
            let places = came.to_garbage.iter();
            let wanted = places.filter(|place| came.body(**place).is_some_and(wanted));
            wanted.count()
        };
        let owed = lines_of(|line| matches!(line, Meaning::Garbage)).count();
        let got = answers(Body::is_to_garbage);
        if owed != got {
            return Err(format!("{owed} lines are no JSON, {got} answers say so"));
        }
        let owed = lines_of(|line| matches!(line, Meaning::TooLong)).count();
        let got = answers(Body::is_to_length);
        if owed != got {
            return Err(format!("{owed} lines are too long, {got} answers say so"));
        }
        for place in &came.to_garbage {
            let Message::Reply { id: Some(id), .. } = &came.messages[*place] else {
                continue;
            };
            let mut bad = lines_of(|line| matches!(line, Meaning::Garbage | Meaning::TooLong));
            let is_there = bad.any(|(_, bytes)| contains(bytes, id.as_bytes()));
            // A separator was escaped when it was echoed.
            if !is_there && !id.contains("\\u202") {
                return Err(format!("no bad line has the id {id}"));
            }
        }
        Ok(())
    }

    /// One answer for each request, and one for each line that is refused for its envelope; none
    /// for a call that was cancelled.
    fn requests_are_answered_once(&self, came: &Came) -> Result<(), String> {
        let mut owed: HashMap<Option<&str>, Owed> = HashMap::new();
        let mut keys: HashMap<&Key, OfKey> = HashMap::new();
        for line in &self.lines {
            match line {
                Meaning::Refusal { code, id } => {
                    let owed = owed.entry(id.as_deref()).or_default();
                    owed.answers += 1;
                    owed.envelopes += usize::from(*code == -32600);
                }
                Meaning::Request(ask) => {
                    owed.entry(Some(&ask.id)).or_default().answers += 1;
                    let key = keys.entry(&ask.key).or_default();
                    key.ids.push(&ask.id);
                    key.may_be_refused += usize::from(key.may_be_in_flight);
                    if let Some(call) = &ask.call {
                        key.may_be_in_flight = true;
                        // The end of the input may end it, and then nobody answers.
                        key.may_be_missing += usize::from(call.tool == "stubborn");
                    }
                }
                Meaning::Cancel(key) => {
                    if let Some(key) = keys.get_mut(key) {
                        key.may_be_missing += usize::from(key.may_be_in_flight);
                        key.may_be_in_flight = false;
                    }
                }
                Meaning::Nothing | Meaning::Garbage | Meaning::TooLong => {}
            }
        }
        for (id, places) in &came.replies {
            let owed = owed.entry(id.as_deref()).or_default();
            owed.came = places.len();
            for body in places.iter().filter_map(|place| came.body(*place)) {
                owed.envelopes_came += usize::from(body.is_refused_envelope());
                owed.refused += usize::from(body.is_refused_in_flight());
            }
        }
        for (id, owed) in &owed {
            let is_whole = id.is_some() || owed.came == owed.answers;
            if owed.came > owed.answers || owed.envelopes != owed.envelopes_came || !is_whole {
                return Err(format!("the id {id:?} has {owed:?}"));
            }
        }
        for (key, of_key) in keys {
            let ids: HashSet<Option<&str>> = of_key.ids.into_iter().map(Some).collect();
            let owed = ids.iter().filter_map(|id| owed.get(id));
            let missing: usize = owed.clone().map(|owed| owed.answers - owed.came).sum();
            let refused: usize = owed.map(|owed| owed.refused).sum();
            if missing > of_key.may_be_missing {
                return Err(format!("{missing} answers are missing for the id {key:?}"));
            }
            if refused > of_key.may_be_refused {
                return Err(format!("the id {key:?} is free, but refused as in flight"));
            }
        }
        Ok(())
    }

    /// What a tool answers goes to the id of its call, once.
    fn results_belong_to_their_calls(&self, came: &Came) -> Result<(), String> {
        let mut left = self.nonces.clone();
        for (_, id, word) in came.words() {
            match left.get_mut(&word.nonce) {
                Some(count @ 1..) => *count -= 1,
                _ => return Err(format!("the call {} is answered twice", word.nonce)),
            }
            if let Some(place) = self.calls.get(&word.nonce)
                && let Meaning::Request(ask) = &self.lines[*place]
                && ask.id != id
            {
                return Err(format!("the call {} is answered to {id}", word.nonce));
            }
        }
        Ok(())
    }

    /// Once a cancel has been read, which the answer to a later request shows, nothing comes for
    /// the call; and one that only a `release` could end is never answered by that.
    fn cancelled_calls_are_silent(&self, came: &Came) -> Result<(), String> {
        let mut cancels: HashMap<&Key, Vec<Place>> = HashMap::new();
        for (place, line) in self.lines.iter().enumerate() {
            if let Meaning::Cancel(key) = line {
                cancels.entry(key).or_default().push(place);
            }
        }
        let fences = self.fences(came);
        let words: HashMap<u64, (Place, &Word)> = came
            .words()
            .map(|(place, _, word)| (word.nonce, (place, word)))
            .collect();
        let reports = self.reports(came);
        for (place, nonce, ask, call) in self.known_calls() {
            let cancel = cancels.get(&ask.key).map_or(&[][..], Vec::as_slice);
            let Some(cancel) = cancel.iter().find(|cancel| **cancel > place) else {
                continue;
            };
            let fence = fences.iter().find(|fence| fence.line > *cancel);
            let last_report = reports.get(&nonce).and_then(|reports| reports.last());
            let reply = came.replies.get(&Some(ask.id.clone()));
            let own_reply = reply.filter(|_| self.ids[&ask.id] == 1);
            let last = [
                own_reply.and_then(|places| places.last()),
                words.get(&nonce).map(|(place, _)| place),
                last_report.map(|(place, _)| place),
            ];
            if let Some(fence) = fence
                && last.into_iter().flatten().any(|last| *last > fence.answer)
            {
                return Err(format!(
                    "the call {nonce} goes on after its cancel was read"
                ));
            }
            let was_released = words
                .get(&nonce)
                .is_some_and(|(_, word)| word.why == "released");
            let may_be_released =
                self.asks()
                    .take_while(|(place, _)| place < cancel)
                    .any(|(_, ask)| {
                        ask.call
                            .as_ref()
                            .is_some_and(|call| call.target == Some(nonce))
                    });
            if call.tool == "hold" && was_released && !may_be_released {
                return Err(format!(
                    "the call {nonce} was cancelled, and answers nevertheless"
                ));
            }
        }
        Ok(())
    }

    /// The requests that are answered as soon as they are read.
    fn fences(&self, came: &Came) -> Vec<Fence> {
        self.asks()
            .filter(|(_, ask)| ask.call.is_none() && self.ids[&ask.id] == 1)
            .filter_map(|(line, ask)| {
                let answer = came.replies.get(&Some(ask.id.clone()))?.first()?;
                Some(Fence {
                    line,
                    answer: *answer,
                })
            })
            .collect()
    }

    /// The reports of the calls whose tokens are their own, by nonce.
    fn reports(&self, came: &Came) -> HashMap<u64, Vec<(Place, f64)>> {
        let tokens = self.tokens();
        let mut reports: HashMap<u64, Vec<(Place, f64)>> = HashMap::new();
        for (place, message) in came.messages.iter().enumerate() {
            if let Message::Progress { token, progress } = message
                && let Some(nonces) = tokens.get(token.as_str())
                && let [Some(nonce)] = nonces[..]
            {
                reports.entry(nonce).or_default().push((place, *progress));
            }
        }
        reports
    }

    /// The nonces of the calls that have a token.
    fn tokens(&self) -> HashMap<&str, Vec<Option<u64>>> {
        let mut tokens: HashMap<&str, Vec<Option<u64>>> = HashMap::new();
        for (_, ask) in self.asks() {
            if let Some(call) = &ask.call
                && let Some(token) = &call.token
            {
                tokens.entry(token).or_default().push(call.nonce);
            }
        }
        tokens
    }

    /// Reports have a token that was given, rise, and end before the reply.
    fn progress_rises_until_the_reply(&self, came: &Came) -> Result<(), String> {
        let tokens = self.tokens();
        for message in &came.messages {
            if let Message::Progress { token, .. } = message
                && !tokens.contains_key(token.as_str())
            {
                return Err(format!("nobody has given the token {token}"));
            }
        }
        let reports = self.reports(came);
        let words: HashMap<u64, Place> = came
            .words()
            .map(|(place, _, word)| (word.nonce, place))
            .collect();
        for (_, nonce, ask, _) in self.known_calls() {
            let Some(reports) = reports.get(&nonce) else {
                continue;
            };
            if !reports.windows(2).all(|pair| pair[0].1 < pair[1].1) {
                return Err(format!("the progress of the call {nonce} does not rise"));
            }
            // Where others have the same id, only a result tells whose reply it is.
            let reply = if self.ids[&ask.id] == 1 {
                let replies = came.replies.get(&Some(ask.id.clone()));
                replies.and_then(|places| places.first())
            } else {
                words.get(&nonce)
            };
            if reply.is_some_and(|reply| reports.iter().any(|(place, _)| place > reply)) {
                return Err(format!("the call {nonce} goes on after its reply"));
            }
        }
        Ok(())
    }
}

/// What an id is owed, and what it got.
#[derive(Debug, Default)]
struct Owed {
    answers: usize,
    /// Those of them that refuse an envelope.
    envelopes: usize,
    came: usize,
    envelopes_came: usize,
    /// Answers that say that the id is in flight.
    refused: usize,
}

/// The requests of one id, written in whatever way.
#[derive(Default)]
struct OfKey<'s> {
    ids: Vec<&'s str>,
    may_be_in_flight: bool,
    may_be_missing: usize,
    /// How many of its requests may have come while another was in flight.
    may_be_refused: usize,
}

/// A request that shows how far the server has read.
struct Fence {
    line: Place,
    answer: Place,
}

fn contains(bytes: &[u8], wanted: &[u8]) -> bool {
    bytes.windows(wanted.len()).any(|window| window == wanted)
}
