//! What messages mean, one file for each concern and for each era.
//!
//! Nothing here reads, writes, waits or runs a handler: lines go in, decisions and messages come
//! out.

mod ask;
mod call_result;
mod catalog;
mod envelope;
mod id_finder;
mod legacy;
mod line;
mod message;
mod meta;
mod modern;
mod older;
mod refusal;
mod revision;
mod scan;

pub(crate) use ask::{Ask, judge};
pub(crate) use call_result::CallResult;
pub(crate) use catalog::Catalog;
pub(crate) use envelope::{Incoming, Request, read};
pub(crate) use id_finder::IdFinder;
pub(crate) use legacy::Session;
pub(crate) use message::{failure, progress, success};
pub(crate) use refusal::Refusal;
pub(crate) use revision::Revision;
