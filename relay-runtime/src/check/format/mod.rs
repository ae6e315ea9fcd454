//! `format`: what a text has to look like, by the standard that each name stands for.
//!
//! Every check reads its text once, from the left, and allocates nothing. A check knows the form
//! only: that a host answers or a mailbox exists is nobody's to say here.

mod bidi;
mod email;
mod hostname;
mod idna;
mod pointer;
mod punycode;
mod regex;
mod template;
mod time;
mod uri;

use std::net::{Ipv4Addr, Ipv6Addr};

use uri::Alphabet;

/// A format that JSON Schema defines, in draft 2020-12 (validation, section 7.3) and in draft-07.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// `date-time`: RFC 3339, section 5.6, `date-time`. A second 60 is a leap second: it stands at
    /// 23:59 UTC only. On which days there was one is not checked.
    DateTime,
    /// `date`: RFC 3339, section 5.6, `full-date`.
    Date,
    /// `time`: RFC 3339, section 5.6, `full-time`, so with an offset; leap seconds as above.
    Time,
    /// `duration`: RFC 3339, appendix A. That is less than ISO 8601 has: no fractions, no signs.
    Duration,
    /// `email`: RFC 5321, section 4.1.2, `Mailbox`, within the lengths of section 4.5.3.1.
    Email,
    /// `idn-email`: RFC 6531, section 3.3, `Mailbox`. Its domain is an [`Format::IdnHostname`].
    IdnEmail,
    /// `hostname`: RFC 1123, section 2.1, at most 253 characters. A label `xn--…` has to hold an
    /// internationalized label (RFC 5891), as far as [`Format::IdnHostname`] checks it.
    Hostname,
    /// `idn-hostname`: RFC 5890, section 2.3.2.3, in its own form or as `xn--…`.
    ///
    /// Checked are Punycode and lengths (RFC 3492), the exceptions and contextual rules (RFC 5892),
    /// and the Bidi rule (RFC 5893). What needs the tables of Unicode is approximate: capital
    /// letters, blocks of symbols and of compatibility characters are refused, but symbols,
    /// punctuation, other numerals and compatibility letters among the letters of a script are not,
    /// nor are characters not assigned yet. A combining mark at the start is seen only if Unicode
    /// does not count it among the letters, or if it is Hebrew, Arabic, Syriac, Thaana or Indic.
    /// Direction goes by script, and so does whether letters join around U+200C. Normalization
    /// (NFC) is not checked.
    IdnHostname,
    /// `ipv4`: RFC 2673, section 3.2, `dotted-quad`, without leading zeros.
    Ipv4,
    /// `ipv6`: RFC 4291, section 2.2, without a zone.
    Ipv6,
    /// `uri`: RFC 3986, `URI`. What a scheme asks beyond that is not checked.
    Uri,
    /// `uri-reference`: RFC 3986, `URI-reference`.
    UriReference,
    /// `iri`: RFC 3987, `IRI`. Of the rules for bidirectional text (section 4), only that no
    /// formatting character may stand in an IRI is checked.
    Iri,
    /// `iri-reference`: RFC 3987, `IRI-reference`; bidirectional text as above.
    IriReference,
    /// `uri-template`: RFC 6570, of any level, with the operators that it reserves.
    UriTemplate,
    /// `uuid`: RFC 4122, section 3, of any version and variant.
    Uuid,
    /// `json-pointer`: RFC 6901, section 3, as a string and not as a fragment.
    JsonPointer,
    /// `relative-json-pointer`: draft-bhutton-relative-json-pointer-00, so `0-1` and `0-1#` too,
    /// which the draft that draft-07 names does not have.
    RelativeJsonPointer,
    /// `regex`: ECMA-262, section 22.2.1, as with the flag `u`, but that `{`, `]` and a symbol
    /// after `\` may stand for themselves, as they do in browsers.
    ///
    /// Checked are groups, classes, repeats and escapes, with or without the feature `dynamic`,
    /// so that the features of a build change no verdict. Not checked: whether there is a Unicode
    /// property of that name, whether `\k<name>` has its group, and that no two groups share a
    /// name. Less than this is what the keyword `pattern` takes: it has limits, and no references
    /// back.
    Regex,
}

const ALL: [Format; 19] = [
    Format::DateTime,
    Format::Date,
    Format::Time,
    Format::Duration,
    Format::Email,
    Format::IdnEmail,
    Format::Hostname,
    Format::IdnHostname,
    Format::Ipv4,
    Format::Ipv6,
    Format::Uri,
    Format::UriReference,
    Format::Iri,
    Format::IriReference,
    Format::UriTemplate,
    Format::Uuid,
    Format::JsonPointer,
    Format::RelativeJsonPointer,
    Format::Regex,
];

impl Format {
    /// The format of this name, as a schema spells it; `None` if JSON Schema defines none.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        ALL.into_iter().find(|format| format.name() == name)
    }

    /// The format as the schema spells it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Format::DateTime => "date-time",
            Format::Date => "date",
            Format::Time => "time",
            Format::Duration => "duration",
            Format::Email => "email",
            Format::IdnEmail => "idn-email",
            Format::Hostname => "hostname",
            Format::IdnHostname => "idn-hostname",
            Format::Ipv4 => "ipv4",
            Format::Ipv6 => "ipv6",
            Format::Uri => "uri",
            Format::UriReference => "uri-reference",
            Format::Iri => "iri",
            Format::IriReference => "iri-reference",
            Format::UriTemplate => "uri-template",
            Format::Uuid => "uuid",
            Format::JsonPointer => "json-pointer",
            Format::RelativeJsonPointer => "relative-json-pointer",
            Format::Regex => "regex",
        }
    }

    /// Whether a text has this format; what is checked stands at each [`Format`].
    #[must_use]
    pub fn fits(self, text: &str) -> bool {
        self.check().fits(text)
    }

    /// The check of this format; made in a constant, it leads to no other.
    #[must_use]
    pub const fn check(self) -> FormatCheck {
        let fits: fn(&str) -> bool = match self {
            Format::DateTime => time::is_date_time,
            Format::Date => time::is_date,
            Format::Time => time::is_time,
            Format::Duration => time::is_duration,
            Format::Email => email::is_email,
            Format::IdnEmail => email::is_idn_email,
            Format::Hostname => hostname::is_hostname,
            Format::IdnHostname => hostname::is_idn_hostname,
            Format::Ipv4 => is_ipv4,
            Format::Ipv6 => is_ipv6,
            Format::Uri => |text| uri::is_absolute(text, Alphabet::Uri),
            Format::UriReference => |text| uri::is_reference(text, Alphabet::Uri),
            Format::Iri => |text| uri::is_absolute(text, Alphabet::Iri),
            Format::IriReference => |text| uri::is_reference(text, Alphabet::Iri),
            Format::UriTemplate => template::is_template,
            Format::Uuid => is_uuid,
            Format::JsonPointer => pointer::is_pointer,
            Format::RelativeJsonPointer => pointer::is_relative,
            Format::Regex => regex::is_regex,
        };
        FormatCheck { format: self, fits }
    }
}

/// A format, with its check alone: a program links those that its tables name.
#[derive(Debug, Clone, Copy)]
pub struct FormatCheck {
    /// Which it is.
    pub format: Format,
    fits: fn(&str) -> bool,
}

impl FormatCheck {
    /// Whether a text has the format.
    #[must_use]
    pub fn fits(&self, text: &str) -> bool {
        (self.fits)(text)
    }
}

/// The standard library takes four decimal numbers, and none with a leading zero.
fn is_ipv4(text: &str) -> bool {
    text.parse::<Ipv4Addr>().is_ok()
}

/// The standard library takes a zone for a socket's address only, not for this one.
fn is_ipv6(text: &str) -> bool {
    text.parse::<Ipv6Addr>().is_ok()
}

fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(at, letter)| match at {
            8 | 13 | 18 | 23 => letter == b'-',
            _ => letter.is_ascii_hexdigit(),
        })
}
