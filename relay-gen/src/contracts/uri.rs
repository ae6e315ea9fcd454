//! The URIs of files, and references between them.

pub(crate) use relay_runtime::check::uri::{decode, resolve, scheme, split_fragment, without_dots};

/// The URI of a file, from its absolute path with `/` between the parts.
pub(crate) fn of_file(path: &str) -> String {
    let mut encoded = String::from("file:///");
    for byte in path.trim_start_matches('/').bytes() {
        match byte {
            b'%' | b'?' | b'#' | b' ' | b'\\' => encoded += &format!("%{byte:02X}"),
            byte if byte.is_ascii() => encoded.push(char::from(byte)),
            byte => encoded += &format!("%{byte:02X}"),
        }
    }
    resolve(&encoded, "")
        .strip_prefix("file://")
        .map_or_else(String::new, |path| format!("file://{}", without_dots(path)))
}

/// What two URIs of one file have in common, however they are encoded.
pub(crate) fn key(uri: &str) -> String {
    match uri.strip_prefix("file://") {
        Some(path) => decode(path).map_or_else(|| uri.to_owned(), |path| format!("file://{path}")),
        None => uri.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{key, of_file, resolve};

    #[test]
    fn a_file_has_one_key() {
        let tool = of_file("/x/../s/a b/tool.json");
        assert_eq!(tool, "file:///s/a%20b/tool.json");
        assert_eq!(
            key(&resolve(&tool, "n%6fte.json")),
            "file:///s/a b/note.json"
        );
        assert_eq!(key(&of_file("/s/é.json")), "file:///s/é.json");
    }
}
