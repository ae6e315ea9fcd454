//! A tool that asks the user.

use relay_runtime::content::ContentBlock;
use relay_runtime::input::Elicited;
use relay_runtime::{Call, ToolError, ToolResult};

use crate::Everything;
use crate::tools::{AskCity, AskCityInput, City};

impl AskCity for Everything {
    async fn ask_city(&self, call: &Call, _input: AskCityInput) -> ToolResult<Vec<ContentBlock>> {
        match call.ask("city", City::form().question("Which city?"))? {
            Elicited::Accepted(City { city }) => Ok(ContentBlock::text(city).into()),
            Elicited::Declined => Err(ToolError::message("No city: the user declined.")),
            Elicited::Cancelled => Err(ToolError::message("No city: the user closed the form.")),
        }
    }
}
