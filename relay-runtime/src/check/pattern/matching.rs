//! Whether an expression matches anywhere in a text.

use std::collections::HashSet;

use super::Part;

/// The text would have taken more work than any text is worth.
#[derive(Debug)]
pub struct TooMuchWork;

/// Whether the parts, one after another, match somewhere in the text.
pub(super) fn is_match(parts: &[Part], text: &str, steps: &mut usize) -> Result<bool, TooMuchWork> {
    let mut matcher = Matcher { text, steps };
    let anywhere = if let [Part::Start, ..] = parts {
        vec![0]
    } else {
        matcher.places()
    };
    Ok(!matcher.sequence(parts, anywhere)?.is_empty())
}

/// Byte offsets at characters, in rising order.
type Places = Vec<usize>;

struct Matcher<'t> {
    text: &'t str,
    /// How many are left.
    steps: &'t mut usize,
}

impl Matcher<'_> {
    fn places(&self) -> Places {
        self.text
            .char_indices()
            .map(|(at, _)| at)
            .chain([self.text.len()])
            .collect()
    }

    fn sequence(&mut self, parts: &[Part], mut places: Places) -> Result<Places, TooMuchWork> {
        for part in parts {
            if places.is_empty() {
                break;
            }
            places = self.part(part, places)?;
        }
        Ok(places)
    }

    fn spend(&mut self, steps: usize) -> Result<(), TooMuchWork> {
        *self.steps = self.steps.checked_sub(steps).ok_or(TooMuchWork)?;
        Ok(())
    }

    /// Where a part may end that starts at one of these places.
    fn part(&mut self, part: &Part, places: Places) -> Result<Places, TooMuchWork> {
        self.spend(places.len())?;
        Ok(match part {
            Part::Char(wanted) => self.step(places, |letter| letter == *wanted),
            Part::Class(ranges) => {
                // A long class is looked through from its start.
                self.spend(places.len() * (ranges.len() / 64))?;
                self.step(places, |letter| is_in(ranges, letter))
            }
            Part::Sequence(parts) => self.sequence(parts, places)?,
            Part::Either(parts) => {
                let mut ends = Vec::new();
                for part in parts.iter() {
                    ends.extend(self.part(part, places.clone())?);
                }
                sorted(ends)
            }
            Part::Repeat(least, most, parts) => self.repeat(*least, *most, parts, places)?,
            Part::Start => kept(places, |at| at == 0),
            Part::End => kept(places, |at| at == self.text.len()),
            Part::WordEdge => kept(places, |at| self.is_word_edge(at)),
            Part::NoWordEdge => kept(places, |at| !self.is_word_edge(at)),
            Part::Ahead(parts) => self.look(places, true, |this, at| this.is_ahead(parts, at))?,
            Part::NotAhead(parts) => {
                self.look(places, false, |this, at| this.is_ahead(parts, at))?
            }
            Part::Behind(parts) => self.look(places, true, |this, at| this.is_behind(parts, at))?,
            Part::NotBehind(parts) => {
                self.look(places, false, |this, at| this.is_behind(parts, at))?
            }
        })
    }

    fn step(&self, places: Places, fits: impl Fn(char) -> bool) -> Places {
        let end = |at: usize| {
            let letter = self.text[at..].chars().next()?;
            fits(letter).then_some(at + letter.len_utf8())
        };
        places.into_iter().filter_map(end).collect()
    }

    fn repeat(
        &mut self,
        least: u32,
        most: Option<u32>,
        parts: &[Part],
        mut places: Places,
    ) -> Result<Places, TooMuchWork> {
        for _ in 0..least {
            let ends = self.sequence(parts, places.clone())?;
            // Once it no longer moves on, it never will.
            if ends == places || ends.is_empty() {
                places = ends;
                break;
            }
            places = ends;
        }
        let mut reached: HashSet<usize> = places.iter().copied().collect();
        let mut all = places.clone();
        let mut count = least;
        while !places.is_empty() && most.is_none_or(|most| count < most) {
            count += 1;
            places = self.sequence(parts, places)?;
            places.retain(|at| reached.insert(*at));
            all.extend(&places);
        }
        Ok(sorted(all))
    }

    fn look(
        &mut self,
        places: Places,
        wanted: bool,
        fits: impl Fn(&mut Self, usize) -> Result<bool, TooMuchWork>,
    ) -> Result<Places, TooMuchWork> {
        let mut kept = Vec::new();
        for at in places {
            if fits(self, at)? == wanted {
                kept.push(at);
            }
        }
        Ok(kept)
    }

    fn is_ahead(&mut self, parts: &[Part], at: usize) -> Result<bool, TooMuchWork> {
        Ok(!self.sequence(parts, vec![at])?.is_empty())
    }

    fn is_behind(&mut self, parts: &[Part], at: usize) -> Result<bool, TooMuchWork> {
        let starts = self
            .places()
            .into_iter()
            .take_while(|start| *start <= at)
            .collect();
        Ok(self.sequence(parts, starts)?.contains(&at))
    }

    fn is_word_edge(&self, at: usize) -> bool {
        let is_word = |letter: Option<char>| {
            letter.is_some_and(|letter| letter.is_ascii_alphanumeric() || letter == '_')
        };
        is_word(self.text[..at].chars().next_back()) != is_word(self.text[at..].chars().next())
    }
}

fn kept(mut places: Places, fits: impl Fn(usize) -> bool) -> Places {
    places.retain(|at| fits(*at));
    places
}

fn sorted(mut places: Places) -> Places {
    places.sort_unstable();
    places.dedup();
    places
}

/// Whether a class has the letter: its ranges rise, so the search may end early.
fn is_in(ranges: &str, letter: char) -> bool {
    let mut bounds = ranges.chars();
    while let (Some(first), Some(last)) = (bounds.next(), bounds.next()) {
        if letter < first {
            return false;
        }
        if letter <= last {
            return true;
        }
    }
    false
}
