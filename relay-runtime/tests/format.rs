//! What each format takes and refuses: our own cases, and those of the JSON Schema Test Suite.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use relay_runtime::check::Format;
use serde_json::Value;

/// A format, what fits it, and what does not.
type Cases = (Format, &'static [&'static str], &'static [&'static str]);

const CASES: &[Cases] = &[
    (
        Format::DateTime,
        &[
            "2024-02-29T23:59:59Z",
            "2016-12-31t23:59:60z",
            "2017-01-01T00:59:60.5+01:00",
            "0000-01-01T00:00:00-00:00",
        ],
        &[
            "",
            "2023-02-29T00:00:00Z",
            "2024-02-29 23:59:59Z",
            "2024-02-29T23:59:59",
            "2016-12-31T12:00:60Z",
            "2024-02-29T23:59:59.Z",
            "2024-02-29T",
            "2024-02-2éT23:59:59Z",
        ],
    ),
    (
        Format::Date,
        &["2024-02-29", "2000-02-29", "9999-12-31"],
        &[
            "1900-02-29",
            "2024-04-31",
            "2024-00-01",
            "2024-1-01",
            "+024-01-01",
            "2024-01-01T",
        ],
    ),
    (
        Format::Time,
        &[
            "00:00:00Z",
            "23:59:60+00:00",
            "12:30:00.123456789-05:30",
            "00:29:60+00:30",
        ],
        &[
            "24:00:00Z",
            "12:60:00Z",
            "12:00:00",
            "12:00:00+1:00",
            "12:00:00*01:00",
            "12:00Z",
        ],
    ),
    (
        Format::Duration,
        &["P1Y", "P1Y2M3DT4H5M6S", "PT1H", "PT5M6S", "P3W", "P1DT1S"],
        &[
            "P", "PT", "1Y", "P1", "PD", "P1D1D", "P1Y1D", "P1W1D", "P1DT", "PT1.5S", "P1é", "p1D",
        ],
    ),
    (
        Format::Email,
        &[
            "a@b",
            "o'neil+tag@example.co.uk",
            "\"a b\\\"c\"@example.com",
            "\"\"@example.com",
            "a@[192.0.2.1]",
            "a@[ipv6:2001:db8::1]",
        ],
        &[
            "",
            "a",
            "@b",
            "a@",
            "a@b@c",
            "\"a@b",
            "\"a\"b\"@c",
            "\"a\\\"@c",
            "\"@c",
            "a@-b",
            "a@b.",
            "a@[192.0.2.01]",
            "a@[x:y]",
            "a@[",
            "é@example.com",
            "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa@b",
        ],
    ),
    (
        Format::IdnEmail,
        &["é@exämple.com", "\"é ü\"@例え.jp", "a@b"],
        &["é", "é é@b", "é@-b", "é@\u{300}b", "@é"],
    ),
    (
        Format::Hostname,
        &[
            "a",
            "A-1.example",
            "1.2",
            "xn--bcher-kva.example",
            "XN--Bcher-KVA",
            "ab--c",
        ],
        &[
            "",
            "a..b",
            "a.",
            "-a",
            "a-",
            "a_b",
            "bücher",
            "xn--",
            "xn--a-",
            "xn--999999999",
            "a b",
        ],
    ),
    (
        Format::IdnHostname,
        &[
            "bücher.example",
            "例え。テスト",
            "faß.de",
            "xn--bcher-kva",
            "हिन्दी.भारत",
            "עברית.example",
            "\u{375}β",
            "ᎠᎡ",
            "கஃது",
        ],
        &[
            "Bücher.example",
            "a★b",
            "😀",
            "é_",
            "é b",
            "é-",
            "ab--é",
            "ﬁé",
            "\u{5b0}א",
            "\u{93e}क",
            "éא",
            "é..b",
            "xn--fa-hia.xn--",
        ],
    ),
    (
        Format::Ipv4,
        &["0.0.0.0", "192.0.2.255"],
        &[
            "",
            "192.0.2",
            "192.0.2.256",
            "192.0.2.01",
            "192.0.2.1 ",
            "0x1.0.0.0",
        ],
    ),
    (
        Format::Ipv6,
        &[
            "::",
            "2001:db8::1",
            "1:2:3:4:5:6:7::",
            "::ffff:192.0.2.1",
            "ABCD::",
        ],
        &[
            "",
            ":",
            "1::2::3",
            "fe80::1%eth0",
            "::ffff:192.0.2.01",
            "12345::",
            "[::1]",
            "::1/64",
        ],
    ),
    (
        Format::Uri,
        &[
            "a:",
            "http://user:pw@host:80/p?q#f",
            "file:///etc/hosts",
            "http://host:",
            "http://[v1.a:b]:1/",
            "urn:isbn:0451450523",
            "mailto:a@b?subject=%20",
        ],
        &[
            "",
            "a",
            "/a:b",
            ":a",
            "1a:b",
            "http://a b",
            "http://h:8a",
            "http://a@b@c",
            "http://[::1",
            "http://[::1]x",
            "http://[::1%25eth0]",
            "http://[v.a]",
            "http://[v1.]",
            "http://h/%4",
            "http://h/#a#b",
            "http://é",
            "a:[",
        ],
    ),
    (
        Format::UriReference,
        &[
            "", "a/b:c", "../a", "?q", "#f", "//host/p", "./a:b", "a?b?c/d",
        ],
        &["1:b", "a\\b", "%", "%é0", "##", "//[", "//a:b:c", "a b"],
    ),
    (
        Format::Iri,
        &["http://ünï.example/ö?\u{e000}#ß", "a:\u{10000}"],
        &[
            "ö",
            "ü:a",
            "http://h/\u{e000}",
            "http://h/\u{fdd0}",
            "a:\u{202e}b",
            "a:\u{1fffe}",
        ],
    ),
    (
        Format::IriReference,
        &["", "ö/ü", "//é?é#é", "a"],
        &["é é", "é:a", "<é>", "é|"],
    ),
    (
        Format::UriTemplate,
        &[
            "",
            "/a/{b}",
            "{+a,b*,c:3}",
            "{?a.b,%20}",
            "é{a}\u{e000}",
            "{=a}",
            "{a}{b}",
            "a'b",
        ],
        &[
            "{",
            "}",
            "{}",
            "{a",
            "a}",
            "{{a}}",
            "{a b}",
            "{a:}",
            "{a:0}",
            "{a:12345}",
            "{a*:1}",
            "{a**}",
            "{.}",
            "{a.}",
            "{é}",
            "%4",
            "a b",
            "\u{7f}",
        ],
    ),
    (
        Format::Uuid,
        &[
            "123e4567-e89b-12d3-a456-426614174000",
            "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF",
        ],
        &[
            "",
            "123e4567-e89b-12d3-a456-42661417400",
            "123e4567e89b-12d3-a456-4266141740000",
            "{123e4567-e89b-12d3-a456-426614174000}",
            "123e4567-e89b-12d3-a456-42661417400g",
            "123e4567-e89b-12d3-a456-4266141740é",
        ],
    ),
    (
        Format::JsonPointer,
        &["", "/", "/a/b", "/~0~1", "/é//"],
        &["a", "#/a", "/~", "/~2", "/a~", "/~~0"],
    ),
    (
        Format::RelativeJsonPointer,
        &[
            "0",
            "1/a",
            "10#",
            "0-1",
            "0+1/a",
            "0-1#",
            "123456789012345678901234567890",
        ],
        &[
            "", "/a", "01", "0##", "-1", "0#/a", "0+", "0+01", "0a", "1/~", "0-1-1", "١",
        ],
    ),
    (
        Format::Regex,
        &[
            "",
            "^[a-z]+$",
            "(a|b)?c{2,3}?",
            "(?<a>x)\\k<a>\\1",
            "(?=a)(?!b)(?<=c)(?<!d)(?:e)",
            "[\\d-x]",
            "[\\]]",
            "[^]",
            "[(]",
            "a{",
            "{a}",
            "a{,2}",
            "\\p{Script=Greek}\\P{L}",
            "\\u{1F600}\\ud83d\\ude00\\x41\\cJ\\0",
            "[\\ud83d\\ude00-\\u{10ffff}]",
            "a{00000000000000000000000000002,3}",
        ],
        &[
            "(",
            ")",
            "[",
            "[a",
            "\\",
            "a\\",
            "[\\",
            "*",
            "a**",
            "a|*",
            "(*)",
            "^*",
            "\\b+",
            "a{3,2}",
            "a{2}{3}",
            "[b-a]",
            "[a-\\d]",
            "\\a",
            "\\u12",
            "\\u{110000}",
            "\\u{}",
            "\\xg0",
            "\\c1",
            "\\p",
            "\\p{}",
            "\\p{=}",
            "\\00",
            "\\1",
            "(a)\\2",
            "\\k",
            "(?<a",
            "(?<>a)",
            "(?<1>a)",
            "(?P<a>b)",
            "(?i)a",
            "(?",
        ],
    ),
];

#[test]
fn our_cases() {
    for (format, fitting, others) in CASES {
        let name = format.name();
        for text in *fitting {
            assert!(format.fits(text), "{name}: {text:?} fits");
        }
        for text in *others {
            assert!(!format.fits(text), "{name}: {text:?} does not fit");
        }
    }
}

#[test]
fn a_format_is_found_by_its_name() {
    for (format, ..) in CASES {
        assert_eq!(Format::named(format.name()), Some(*format));
    }
    assert_eq!(CASES.len(), 19);
    for name in ["", "Date", "date_time", "unknown", "uri "] {
        assert_eq!(Format::named(name), None, "{name}");
    }
}

/// Lengths that a label or a name of the DNS may have: one more is too many.
#[test]
fn a_name_has_a_limit() {
    let names = |label: usize, name: usize| {
        let long = "a".repeat(label);
        let labels = format!("{0}.{0}.{0}.", "a".repeat(63));
        [long, labels + &"a".repeat(name - 192)]
    };
    for format in [Format::Hostname, Format::IdnHostname] {
        assert!(names(63, 253).iter().all(|name| format.fits(name)));
        assert!(!names(64, 254).iter().any(|name| format.fits(name)));
    }
}

/// Every text of every table, cut and joined at every character, for every format: none panics.
#[test]
fn no_text_is_too_odd() {
    let texts = CASES
        .iter()
        .flat_map(|(_, fitting, others)| fitting.iter().chain(*others));
    for text in texts {
        for (at, _) in text.char_indices() {
            let (start, end) = text.split_at(at);
            for odd in [
                start,
                end,
                &format!("{start}é\u{200c}{end}"),
                &format!("{end}{start}"),
            ] {
                for (format, ..) in CASES {
                    let _ = format.fits(odd);
                }
            }
        }
    }
}

/// Thousands of characters of anything are done in a moment: work that grew with the square of the
/// length would take hours.
#[test]
fn long_texts_take_linear_time() {
    let pieces = [
        "a", "1", "é", "א", ".", "-", "/", ":", "%41", "~0", "{", "{a}", "{1", "{a,", "[", "[a]",
        "(", "()", "(?<a>", "\\1", "\\u{", "\\p{a=", "a{1,", "\"", "@", "xn--a", "T1", "1Y", "::",
        "a.", "é.",
    ];
    let openings = [
        "",
        "P",
        "PT",
        "a@",
        "\"",
        "a:",
        "http://",
        "http://[",
        "/",
        "0/",
        "xn--",
        "{",
        "[",
        "(?<",
        "12:00:00.",
    ];
    let start = Instant::now();
    for piece in pieces {
        let long = piece.repeat(20_000 / piece.len());
        for opening in openings {
            let text = format!("{opening}{long}");
            for (format, ..) in CASES {
                let _ = format.fits(&text);
            }
        }
    }
    assert!(
        start.elapsed() < Duration::from_secs(60),
        "{:?}",
        start.elapsed()
    );
}

#[derive(Default)]
struct Tally {
    right: usize,
    wrong: Vec<String>,
}

#[test]
fn the_suite_of_draft_2020_12() {
    run("draft2020-12", 580);
}

#[test]
fn the_suite_of_draft_07() {
    run("draft7", 520);
}

/// Runs a draft's optional tests of formats: at least `least` texts, and none may be wrong.
fn run(draft: &str, least: usize) {
    let Some(directory) = suite() else {
        return;
    };
    let mut tallies: BTreeMap<&str, Tally> = BTreeMap::new();
    for file in json_files(&directory.join(draft).join("optional/format")) {
        let text = std::fs::read_to_string(&file).expect("a readable file");
        let groups: Value = serde_json::from_str(&text).expect("a file of the suite");
        for group in groups.as_array().into_iter().flatten() {
            let name = group["schema"]["format"].as_str().unwrap_or_default();
            if let Some(format) = Format::named(name) {
                tallies
                    .entry(format.name())
                    .or_default()
                    .group(format, group);
            }
        }
    }
    let mut wrong = Vec::new();
    let mut right = 0;
    for (name, tally) in &tallies {
        println!(
            "{draft}: {name}: {} right, {} wrong",
            tally.right,
            tally.wrong.len()
        );
        right += tally.right;
        wrong.extend(&tally.wrong);
    }
    println!("{draft}: {right} right, {} wrong", wrong.len());
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(right >= least, "only {right} right");
}

impl Tally {
    fn group(&mut self, format: Format, group: &Value) {
        for case in group["tests"].as_array().into_iter().flatten() {
            // Formats are of strings: what else there is is valid, whatever the format.
            let Some(text) = case["data"].as_str() else {
                continue;
            };
            if Some(format.fits(text)) == case["valid"].as_bool() {
                self.right += 1;
            } else {
                let case = format!("{}: {}: {text:?}", format.name(), case["description"]);
                self.wrong.push(case);
            }
        }
    }
}

/// The suite lies beside the workspace, not in it; says so where it is missing.
fn suite() -> Option<PathBuf> {
    let found = Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .skip(2)
        .map(|above| above.join("shared/json-schema-test-suite/tests"))
        .find(|path| path.exists());
    if found.is_none() {
        eprintln!(
            "SKIPPED: ../shared/json-schema-test-suite is missing; this test needs the public data \
             that lies there"
        );
    }
    found
}

fn json_files(directory: &Path) -> Vec<PathBuf> {
    let mut files: Vec<_> = std::fs::read_dir(directory)
        .expect("a readable directory")
        .map(|entry| entry.expect("a readable entry").path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "json")
        })
        .collect();
    files.sort();
    files
}
