//! tmp
fn main() {
    let a: Vec<String> = std::env::args().skip(1).collect();
    match relay_gen::Contracts::read(&a) {
        Err(e) => {
            eprintln!("{e}");
        }
        Ok(c) => match relay_gen::generate(&c, &Default::default()) {
            Ok(f) => println!("{}", String::from_utf8_lossy(&f["tools.rs"])),
            Err(e) => eprintln!("{e}"),
        },
    }
}
