// The older SDK of npm, with which most hosts are built.

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { CAPABILITIES, INFO, oslo, play } from './play.mjs';

await play(async (_mode, server) => {
    const client = new Client(INFO, { capabilities: CAPABILITIES });
    client.setRequestHandler(ElicitRequestSchema, oslo);
    const transport = new StdioClientTransport(server);
    // It tells only the transport which revision it came to.
    let revision;
    transport.setProtocolVersion = agreed => (revision = agreed);
    await client.connect(transport);
    return {
        client,
        callTool: (params, options) => client.callTool(params, undefined, options),
        revision: () => revision
    };
});
