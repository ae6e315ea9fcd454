//! The client of the crate `rmcp`; what it reads and writes is in `steps.py`.

use std::error::Error;
use std::io;

use futures::future::join_all;
use rmcp::model::{
    CallToolRequestParams, ClientCapabilities, ClientConfig, ElicitRequestParams, ElicitResult,
    ElicitationAction, ElicitationCapability, ErrorData, Implementation, JsonObject,
    ProgressNotificationParam, ProtocolVersion,
};
use rmcp::service::{NotificationContext, RequestContext, RunningService, ServiceError};
use rmcp::transport::TokioChildProcess;
use rmcp::{ClientHandler, ClientLifecycleMode, ClientServiceExt, RoleClient};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::process::Command;
use tokio::sync::broadcast;

#[derive(Deserialize)]
struct Orders {
    command: Vec<String>,
    mode: String,
    steps: Vec<Vec<Order>>,
}

#[derive(Deserialize)]
struct Order {
    tool: String,
    arguments: Option<JsonObject>,
    #[serde(default)]
    cancel: bool,
}

struct User {
    /// Reports of whichever call is in flight: one at a time reports.
    reports: broadcast::Sender<Value>,
}

impl ClientHandler for User {
    async fn create_elicitation(
        &self,
        _request: ElicitRequestParams,
        _context: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        Ok(ElicitResult::new(ElicitationAction::Accept).with_content(json!({"city": "Oslo"})))
    }

    async fn on_progress(
        &self,
        report: ProgressNotificationParam,
        _context: NotificationContext<RoleClient>,
    ) {
        let report = json!([report.progress, report.total, report.message]);
        // Nobody may be listening.
        let _ = self.reports.send(report);
    }

    fn get_info(&self) -> ClientConfig {
        let mut capabilities = ClientCapabilities::default();
        capabilities.elicitation = Some(ElicitationCapability::default());
        ClientConfig::new(capabilities, Implementation::new("relay-clients", "1.0.0"))
    }
}

type Client = RunningService<RoleClient, User>;

async fn call(client: &Client, order: Order) -> Result<Value, Box<dyn Error>> {
    let mut params = CallToolRequestParams::new(order.tool);
    params.arguments = order.arguments;
    let mut progress = client.service().reports.subscribe();
    let mut reports = Vec::new();
    let mut outcome = {
        let mut answer = std::pin::pin!(client.call_tool(params));
        loop {
            tokio::select! {
                answer = &mut answer => break outcome(answer)?,
                Ok(report) = progress.recv() => reports.push(report),
            }
            if order.cancel {
                // The client tells the server when a call is dropped.
                break json!({"cancelled": true});
            }
        }
    };
    while let Ok(report) = progress.try_recv() {
        reports.push(report);
    }
    outcome["progress"] = Value::Array(reports);
    Ok(outcome)
}

fn outcome<R: serde::Serialize>(answer: Result<R, ServiceError>) -> Result<Value, Box<dyn Error>> {
    match answer {
        Ok(result) => Ok(json!({"result": result})),
        Err(ServiceError::McpError(error)) => {
            Ok(json!({"error": {"code": error.code, "message": error.message}}))
        }
        Err(error) => Err(error.into()),
    }
}

fn lifecycle(mode: &str) -> ClientLifecycleMode {
    let preferred_versions = vec![ProtocolVersion::V_2026_07_28];
    match mode {
        "legacy" => ClientLifecycleMode::Initialize,
        "discover" => ClientLifecycleMode::Discover { preferred_versions },
        _ => ClientLifecycleMode::Auto {
            preferred_versions,
            legacy_version: None,
        },
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let orders: Orders = serde_json::from_reader(io::stdin())?;
    let mut server = Command::new(&orders.command[0]);
    server.args(&orders.command[1..]);
    let user = User {
        reports: broadcast::Sender::new(16),
    };
    let transport = TokioChildProcess::new(server)?;
    let client = user
        .serve_with_lifecycle(transport, lifecycle(&orders.mode))
        .await?;
    let revision = client.peer_info().map(|info| info.protocol_version.clone());
    let tools = client.list_all_tools().await?;
    let mut outcomes = Vec::new();
    for step in orders.steps {
        for outcome in join_all(step.into_iter().map(|order| call(&client, order))).await {
            outcomes.push(outcome?);
        }
    }
    client.cancel().await?;
    let seen = json!({"revision": revision, "tools": tools, "outcomes": outcomes});
    println!("{seen}");
    Ok(())
}
