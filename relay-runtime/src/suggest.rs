//! "Did you mean ..?"

/// The candidate that a word was most likely meant to be, if any is near.
///
/// Near means: the same but for the case of ASCII letters, `_`, `-` and `$`; or, by the number of
/// letters changed, added, left out or swapped, at most one in words of up to five letters and two
/// in longer ones.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    nearest_of(word, &mut candidates.into_iter())
}

/// Once for all kinds of candidates.
fn nearest_of<'a>(word: &str, candidates: &mut dyn Iterator<Item = &'a str>) -> Option<&'a str> {
    let plain_word = plain(word);
    candidates
        .filter(|candidate| *candidate != word)
        .filter_map(|candidate| {
            let allowed = if candidate.chars().nth(5).is_none() {
                1
            } else {
                2
            };
            let plain_candidate = plain(candidate);
            // Most candidates are ruled out by their length in bytes, at no cost.
            if plain_word.len().abs_diff(plain_candidate.len()) > 4 * allowed {
                return None;
            }
            let distance = strsim::osa_distance(&plain_word, &plain_candidate);
            (distance <= allowed).then_some((distance, candidate))
        })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Without what people get wrong most. The tables of all letters that have a case would be larger
/// than everything else here.
fn plain(word: &str) -> String {
    word.chars()
        .take(MAX_LENGTH)
        .filter(|character| !matches!(character, '_' | '-' | '$' | ' '))
        .map(|character| character.to_ascii_lowercase())
        .collect()
}

/// Longer words are cut: no candidate is that long, and the cost grows with the square.
const MAX_LENGTH: usize = 80;

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn near_words_are_found_and_others_are_not() {
        let known = ["description", "inputSchema", "title", "name", "_meta"];
        for (word, meant) in [
            ("descripton", Some("description")),
            ("input_schema", Some("inputSchema")),
            ("InputSchema", Some("inputSchema")),
            ("tilte", Some("title")),
            ("meta", Some("_meta")),
            ("name", None),
            ("game", Some("name")),
            ("category", None),
            ("outputs", None),
            ("", None),
        ] {
            assert_eq!(nearest(word, known), meant, "{word}");
        }
    }
}
