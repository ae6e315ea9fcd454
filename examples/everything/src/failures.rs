//! Tools that fail, each in its way.

use std::io;

use relay_runtime::content::ContentBlock;
use relay_runtime::{Call, ToolError, ToolResult};

use crate::Everything;
use crate::tools::{
    Fail, FailInput, Panic, PanicInput, Print, PrintInput, PrivateFail, PrivateFailInput,
};

impl Fail for Everything {
    async fn fail(&self, _call: &Call, _input: FailInput) -> ToolResult<Vec<ContentBlock>> {
        Err(ToolError::message("it failed, and says so"))
    }
}

impl PrivateFail for Everything {
    async fn private_fail(
        &self,
        _call: &Call,
        _input: PrivateFailInput,
    ) -> ToolResult<Vec<ContentBlock>> {
        let secret: io::Result<String> = Err(io::Error::other("the cause is private"));
        Ok(ContentBlock::text(secret?).into())
    }
}

impl Panic for Everything {
    async fn panic(&self, _call: &Call, _input: PanicInput) -> ToolResult<Vec<ContentBlock>> {
        panic!("as the contract says");
    }
}

impl Print for Everything {
    #[allow(
        clippy::print_stdout,
        reason = "it shows what becomes of a line that is no message"
    )]
    async fn print(&self, _call: &Call, _input: PrintInput) -> ToolResult<Vec<ContentBlock>> {
        println!("this line is no message");
        Ok(ContentBlock::text("Printed.").into())
    }
}
