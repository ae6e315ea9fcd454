//! What messages mean, one file for each concern and for each era.
//!
//! Nothing here reads, writes, waits or runs a handler: lines go in, decisions and messages come
//! out.

mod ask;
mod call_result;
mod capabilities;
mod catalog;
mod digest;
mod envelope;
mod id_finder;
mod legacy;
mod line;
mod merged;
mod message;
mod meta;
mod modern;
mod older;
mod recent;
mod refusal;
mod revision;
mod rounds;
mod scan;
mod seal;
mod subscription;
mod toolset;

pub(crate) use ask::{Ask, judge};
pub(crate) use call_result::CallResult;
pub(crate) use capabilities::{Capabilities, leave_out_undeclared};
pub(crate) use catalog::Catalog;
pub(crate) use envelope::{Answer, Incoming, Request, read};
pub(crate) use id_finder::IdFinder;
pub(crate) use merged::Merged;
pub(crate) use message::{
    Wording, cancelled, failure, progress, request, success, to_json, wording,
};
pub(crate) use recent::Recent;
pub(crate) use refusal::Refusal;
pub(crate) use revision::Revision;
pub(crate) use rounds::{MAX_ROUNDS, Open, Return, Round, go_on};
pub(crate) use scan::Notes;
pub(crate) use seal::Sealer;
pub(crate) use subscription::{Filter, acknowledged, ended, tools_changed};
pub(crate) use toolset::{Toolset, check_declaration};
