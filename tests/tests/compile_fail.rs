//! What the compiler says when a program does not fit its contracts.

use std::fs;
use std::path::{Path, PathBuf};

use relay_gen::{Contracts, Options, generate, output};

/// Each case is a program and what the compiler says; `TRYBUILD=overwrite` writes the latter anew.
#[test]
fn programs_that_do_not_fit_their_contracts() {
    // The name makes trybuild show the place as `$OUT_DIR`, wherever Cargo builds.
    let out_dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("relay-tests-0000000000000000/out");
    write(&out_dir, "greeter", &["greet"], |text| text);
    write(&out_dir, "twins", &["greet", "get-weather"], |text| text);
    let current = format!("rt::interface({})", relay_runtime::codegen::INTERFACE);
    for (name, version) in [("older", 0), ("newer", 99)] {
        write(&out_dir, name, &["greet"], |text| {
            assert!(
                text.contains(&current),
                "the interface is not in the module"
            );
            text.replace(&current, &format!("rt::interface({version})"))
        });
    }
    #[allow(
        unsafe_code,
        reason = "the one test of its process; nothing else reads or sets variables now"
    )]
    // SAFETY: no other thread of this process uses the environment.
    unsafe {
        std::env::set_var("OUT_DIR", &out_dir);
    }
    trybuild::TestCases::new().compile_fail("tests/compile_fail/*.rs");
}

/// Generates the module of some contracts, as a build script would.
fn write(out_dir: &Path, name: &str, contracts: &[&str], change: impl Fn(String) -> String) {
    let texts = contracts.iter().map(|contract| {
        let path = source(contract);
        let text =
            fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        (format!("{contract}.json"), text)
    });
    let contracts = Contracts::from_texts(texts).expect("sound contracts");
    let files = generate(&contracts, &Options::default()).expect("contracts that can be typed");
    let text = String::from_utf8(files["tools.rs"].clone()).expect("UTF-8");
    output::write_if_changed(&out_dir.join(format!("{name}.rs")), change(text).as_bytes())
        .expect("a writable directory");
}

fn source(contract: &str) -> PathBuf {
    relay_tests::fixtures("compile_fail").join(format!("{contract}.json"))
}
