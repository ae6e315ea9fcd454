//! What an older revision does not know is left out for its clients, or said in another way.

mod content;
mod declaration;
mod request;

pub(super) use content::shape_result;
pub(super) use declaration::{server_knows, write_tool};
pub(super) use request::request_params;
