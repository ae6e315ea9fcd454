//! Making a failing script small.

use super::frames::Script;

/// The smallest script that can be found for which `fails` still holds.
pub(super) fn shrunk(script: &Script, fails: &mut dyn FnMut(&Script) -> bool) -> Script {
    let mut script = script.clone();
    let mut budget = 2000_usize;
    let mut piece = script.frames.len() / 2;
    while piece > 0 {
        let mut at = 0;
        while at < script.frames.len() && budget > 0 {
            budget -= 1;
            let mut fewer = script.clone();
            fewer.frames.drain(at..script.frames.len().min(at + piece));
            if fails(&fewer) {
                script = fewer;
            } else {
                at += piece;
            }
        }
        piece /= 2;
    }
    script
}
