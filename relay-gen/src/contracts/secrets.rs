//! Forms that ask for secrets, which the client and its model would read.

use heck::ToSnakeCase;

use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::json::{Member, Node};

/// Words that follow each other in what is a secret.
struct Secret {
    words: &'static [&'static str],
    /// Whether it may be a number. Numbers are called `maxTokens` or `secretCount` as well.
    number: bool,
}

const fn text(words: &'static [&'static str]) -> Secret {
    Secret {
        words,
        number: false,
    }
}

const fn digits(words: &'static [&'static str]) -> Secret {
    Secret {
        words,
        number: true,
    }
}

const SECRETS: &[Secret] = &[
    text(&["password"]),
    text(&["passwords"]),
    text(&["passwd"]),
    text(&["pwd"]),
    text(&["passphrase"]),
    text(&["secret"]),
    text(&["secrets"]),
    text(&["token"]),
    text(&["api", "key"]),
    text(&["apikey"]),
    text(&["access", "key"]),
    text(&["private", "key"]),
    text(&["credential"]),
    text(&["credentials"]),
    digits(&["passcode"]),
    digits(&["pin"]),
    digits(&["otp"]),
    digits(&["card", "number"]),
    digits(&["credit", "card"]),
    digits(&["cvv"]),
    digits(&["cvc"]),
    digits(&["ssn"]),
    digits(&["social", "security"]),
];

/// Warns of every property whose name or title says that it is a secret. Only what is typed in can be
/// one: a choice or a yes tells nothing that the form does not tell.
pub(super) fn check(form: &Node, diagnostics: &mut Diagnostics) {
    let properties = form.get("properties").and_then(Node::as_object);
    for property in properties.unwrap_or_default() {
        if let Some(name) = secret(property) {
            let message = format!("the form asks for a secret, as {name:?} says");
            let diagnostic = Diagnostic::new("secret-in-form", property.key_span, message);
            diagnostics.push(diagnostic);
        }
    }
}

/// The name or title of a property that says that it is a secret.
fn secret(property: &Member) -> Option<&str> {
    let schema = &property.value;
    let is_number = match schema.get("type")?.as_str()? {
        "string" if schema.get("enum").is_none() && schema.get("oneOf").is_none() => false,
        "number" | "integer" => true,
        _ => return None,
    };
    let title = schema.get("title").and_then(Node::as_str);
    let mut names = std::iter::once(&*property.key).chain(title);
    names.find(|name| says_secret(name, is_number))
}

fn says_secret(name: &str, is_number: bool) -> bool {
    let name = name.to_snake_case();
    let words: Vec<&str> = name.split('_').collect();
    let mut secrets = SECRETS.iter().filter(|it| it.number || !is_number);
    secrets.any(|it| words.windows(it.words.len()).any(|words| words == it.words))
}

#[cfg(test)]
mod tests {
    use super::says_secret;

    #[test]
    fn whole_words_tell() {
        for name in [
            "password",
            "newPassword",
            "API_KEY",
            "apiKey",
            "APIKey",
            "Your API key",
            "access-token",
            "client.secret",
            "SSN",
            "Card number",
            "PIN",
            "pinCode",
        ] {
            assert!(says_secret(name, false), "{name}");
        }
        for name in [
            "tokenizer",
            "pinboard",
            "secretary",
            "passwordless",
            "keyboard",
            "apiKeyboard",
            "card",
            "number of cards",
            "primaryKey",
            "Größe",
            "",
        ] {
            assert!(!says_secret(name, false), "{name}");
        }
    }

    #[test]
    fn a_number_is_a_secret_where_secrets_are_numbers() {
        assert!(says_secret("cardNumber", true));
        assert!(!says_secret("maxToken", true));
    }
}
