//! Tools that take time.

use std::thread;
use std::time::Duration;

use relay_runtime::content::ContentBlock;
use relay_runtime::{Call, ToolError, ToolResult};

use crate::Everything;
use crate::tools::{Block, BlockInput, Slow, SlowInput};

impl Slow for Everything {
    async fn slow(&self, call: &Call, input: SlowInput) -> ToolResult<Vec<ContentBlock>> {
        let steps = u32::try_from(input.steps_or_default())?;
        let each = Duration::from_millis(input.ms) / steps;
        for step in 1..=steps {
            tokio::select! {
                () = tokio::time::sleep(each) => {}
                // Nobody reads it when the client has cancelled; after the time limit it is read.
                () = call.cancelled() => {
                    return Err(ToolError::message(format!("stopped in step {step} of {steps}")));
                }
            }
            let message = format!("step {step} of {steps}");
            call.report_progress(step.into(), Some(steps.into()), Some(&message));
        }
        Ok(ContentBlock::text(format!("Steps: {steps}")).into())
    }
}

impl Block for Everything {
    async fn block(&self, _call: &Call, input: BlockInput) -> ToolResult<Vec<ContentBlock>> {
        thread::sleep(Duration::from_millis(input.ms));
        Ok(ContentBlock::text(format!("Blocked for {} ms.", input.ms)).into())
    }
}
