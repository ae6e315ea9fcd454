//! The generated module under the strictest lints that users have: included and committed, in a
//! program and in a library, all of it used and nothing of it.

use relay_gen::{Contracts, Options, generate};
use relay_tests::{Nested, fixtures, manifest, uses};

const LINTS: &str =
    "#![deny(warnings, missing_docs, unreachable_pub, unused, clippy::pedantic, rustdoc::all)]";

/// One way to have the module in a crate.
#[derive(Clone, Copy)]
struct Way {
    included: bool,
    program: bool,
    used: bool,
    /// The module is part of the library's interface.
    public: bool,
}

impl Way {
    fn all() -> Vec<Self> {
        let mut ways = Vec::new();
        for bits in 0..16_u8 {
            let [included, program, used, public] = [1, 2, 4, 8].map(|bit| bits & bit != 0);
            if !(program && public) {
                ways.push(Self {
                    included,
                    program,
                    used,
                    public,
                });
            }
        }
        ways
    }

    fn name(self) -> String {
        let pick = |bit, yes: &str, no: &str| if bit { yes.to_owned() } else { no.to_owned() };
        [
            pick(self.included, "included", "committed"),
            pick(
                self.program,
                "bin",
                if self.public { "public-lib" } else { "lib" },
            ),
            pick(self.used, "used", "unused"),
        ]
        .join("-")
    }

    fn write(self, nested: &Nested, text: &str) {
        let name = self.name();
        let at = |path: &str| format!("{name}/{path}");
        let whole = manifest(&name, false);
        // A committed module needs the runtime and nothing else.
        let manifest = match self.included {
            true => whole.as_str(),
            false => whole
                .split("[build-dependencies]")
                .next()
                .unwrap_or_default(),
        };
        // A program may be of the edition before: the module's code is its own.
        let edition = if self.program { "2021" } else { "2024" };
        nested.file(&at("Cargo.toml"), &manifest.replace("2024", edition));
        let visible = if self.public {
            "/// The tools.\npub mod"
        } else {
            "mod"
        };
        let module = if self.included {
            nested.file(
                &at("build.rs"),
                "//! Generates.\nfn main() { relay_gen::build(\"../schemas\"); }\n",
            );
            format!("{visible} tools {{ relay_runtime::include_tools!(); }}\n")
        } else {
            nested.file(&at("src/tools.rs"), text);
            format!("{visible} tools;\n")
        };
        let (used, call) = match self.used {
            true => (uses(text, "crate::tools"), "everything();"),
            false => (String::new(), ""),
        };
        // What stands here is the test's own.
        let used = if used.is_empty() {
            used
        } else {
            format!(
                "#[allow(clippy::all, clippy::pedantic, reason = \"made by a test\")]\nmod used {{\n{}\n}}\n",
                used.replacen("\nfn everything", "\npub(crate) fn everything", 1)
            )
        };
        let call = if call.is_empty() {
            ""
        } else {
            "used::everything();"
        };
        let (file, rest) = match self.program {
            true => ("src/main.rs", format!("fn main() {{ {call} }}\n")),
            false if self.used => (
                "src/lib.rs",
                format!("/// Uses it.\npub fn run() {{ {call} }}\n"),
            ),
            false => ("src/lib.rs", String::new()),
        };
        nested.file(
            &at(file),
            &format!("//! A user's crate.\n{LINTS}\n{module}{used}{rest}"),
        );
    }
}

#[test]
fn nothing_is_warned_of() {
    let nested = Nested::new("strict");
    nested.file(
        "Cargo.toml",
        "[workspace]\nresolver = \"3\"\nmembers = [\"*-*\"]\n",
    );
    nested.copy(&fixtures("strict"), "schemas");
    let contracts = Contracts::read(&[nested.path("schemas")]).expect("sound contracts");
    let files = generate(&contracts, &Options::default()).expect("contracts that can be typed");
    let text = String::from_utf8(files["tools.rs"].clone()).expect("UTF-8");
    for way in Way::all() {
        way.write(&nested, &text);
    }
    let common = ["--workspace", "--keep-going", "--quiet"];
    let clippy = nested.cargo(&[&["clippy", "--all-targets"], &common[..]].concat());
    assert_eq!(clippy.code, 0, "{}", clippy.all());
    let docs = nested.cargo_with(
        &[
            &["doc", "--no-deps", "--document-private-items"],
            &common[..],
        ]
        .concat(),
        &[("RUSTDOCFLAGS", "-Dwarnings")],
    );
    assert_eq!(docs.code, 0, "{}", docs.all());
    let tests = nested.cargo(&["test", "--workspace", "--doc"]).succeeded();
    let counts: Vec<_> = tests
        .stdout
        .lines()
        .filter(|line| line.starts_with("running "))
        .collect();
    assert!(!counts.is_empty(), "{}", tests.all());
    assert!(
        counts.iter().all(|count| *count == "running 0 tests"),
        "a description became a test: {}",
        tests.all()
    );
}
