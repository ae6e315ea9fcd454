//! What messages mean, one file for each concern and for each era.
//!
//! Nothing here reads, writes, waits or runs a handler: lines go in, decisions and messages come
//! out.

mod call_result;
mod catalog;
mod envelope;
mod id_finder;
mod line;
mod message;
pub(crate) mod modern;
mod refusal;
mod scan;

pub(crate) use call_result::CallResult;
pub(crate) use catalog::Catalog;
pub(crate) use envelope::{Incoming, Request, read};
pub(crate) use id_finder::IdFinder;
pub(crate) use message::{failure, success};
pub(crate) use refusal::Refusal;
