//! URI references (RFC 3986), as far as `$id` and `$ref` need them.

/// The parts of a URI reference before its fragment.
struct Parts<'a> {
    scheme: Option<&'a str>,
    authority: Option<&'a str>,
    path: &'a str,
    query: Option<&'a str>,
}

/// What stands before the `#`, and what behind it.
pub fn split_fragment(reference: &str) -> (&str, &str) {
    reference.split_once('#').unwrap_or((reference, ""))
}

/// The scheme of an absolute URI.
pub fn scheme(uri: &str) -> Option<&str> {
    let (scheme, _) = uri.split_once(':')?;
    let mut bytes = scheme.bytes();
    let well_formed = bytes.next().is_some_and(|byte| byte.is_ascii_alphabetic())
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'));
    well_formed.then_some(scheme)
}

/// A reference without fragment, made absolute.
pub fn resolve(base: &str, reference: &str) -> String {
    let (base, to) = (parts(base), parts(reference));
    if to.scheme.is_some() {
        return join(to.scheme, to.authority, &without_dots(to.path), to.query);
    }
    if to.authority.is_some() {
        return join(base.scheme, to.authority, &without_dots(to.path), to.query);
    }
    if to.path.is_empty() {
        let query = to.query.or(base.query);
        return join(base.scheme, base.authority, base.path, query);
    }
    let path = match base.path.rfind('/') {
        _ if to.path.starts_with('/') => to.path.to_owned(),
        Some(slash) => format!("{}{}", &base.path[..=slash], to.path),
        None if base.authority.is_some() => format!("/{}", to.path),
        None => to.path.to_owned(),
    };
    join(base.scheme, base.authority, &without_dots(&path), to.query)
}

fn parts(uri: &str) -> Parts<'_> {
    let (scheme, rest) = match scheme(uri) {
        Some(scheme) => (Some(scheme), &uri[scheme.len() + 1..]),
        None => (None, uri),
    };
    let (rest, query) = match rest.split_once('?') {
        Some((rest, query)) => (rest, Some(query)),
        None => (rest, None),
    };
    let (authority, path) = match rest.strip_prefix("//") {
        Some(rest) => {
            let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
            (Some(authority), path)
        }
        None => (None, rest),
    };
    Parts {
        scheme,
        authority,
        path,
        query,
    }
}

fn join(scheme: Option<&str>, authority: Option<&str>, path: &str, query: Option<&str>) -> String {
    let mut uri = String::new();
    if let Some(scheme) = scheme {
        uri += &format!("{}:", scheme.to_ascii_lowercase());
    }
    if let Some(authority) = authority {
        uri += &format!("//{}", authority.to_ascii_lowercase());
    }
    uri += path;
    if let Some(query) = query {
        uri += &format!("?{query}");
    }
    uri
}

/// A path without `.` and `..`, where it has a slash to count from.
pub fn without_dots(path: &str) -> String {
    let Some(relative) = path.strip_prefix('/') else {
        return path.to_owned();
    };
    let mut kept: Vec<&str> = Vec::new();
    let mut segments = relative.split('/').peekable();
    while let Some(segment) = segments.next() {
        let last = segments.peek().is_none();
        match segment {
            "." => {}
            ".." => {
                kept.pop();
            }
            segment => {
                kept.push(segment);
                continue;
            }
        }
        if last {
            kept.push("");
        }
    }
    format!("/{}", kept.join("/"))
}

/// Text without its percent-encoding; `None` if that is malformed or no UTF-8.
pub fn decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        if *first != b'%' {
            bytes.push(*first);
            continue;
        }
        let hex = rest.get(..2)?;
        if !hex.iter().all(u8::is_ascii_hexdigit) {
            return None;
        }
        let hex = std::str::from_utf8(hex).ok()?;
        bytes.push(u8::from_str_radix(hex, 16).ok()?);
        rest = &rest[2..];
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::resolve;

    #[test]
    fn references_resolve_as_the_rfc_says() {
        let base = "http://a/b/c/d;p?q";
        for (reference, whole) in [
            ("g:h", "g:h"),
            ("g", "http://a/b/c/g"),
            ("./g", "http://a/b/c/g"),
            ("g/", "http://a/b/c/g/"),
            ("/g", "http://a/g"),
            ("//g", "http://g"),
            ("?y", "http://a/b/c/d;p?y"),
            ("", "http://a/b/c/d;p?q"),
            (".", "http://a/b/c/"),
            ("..", "http://a/b/"),
            ("../g", "http://a/b/g"),
            ("../../../../g", "http://a/g"),
            ("g;x=1/../y", "http://a/b/c/y"),
        ] {
            assert_eq!(resolve(base, reference), whole, "{reference}");
        }
        assert_eq!(resolve("urn:uuid:1", "urn:uuid:2"), "urn:uuid:2");
        assert_eq!(resolve("http://a", "b"), "http://a/b");
    }
}
