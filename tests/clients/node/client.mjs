// The client of npm for both eras of the protocol.

import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { CAPABILITIES, INFO, oslo, play } from './play.mjs';

await play(async (mode, server) => {
    const client = new Client(INFO, {
        capabilities: CAPABILITIES,
        versionNegotiation: { mode: mode === 'pinned' ? { pin: '2026-07-28' } : mode }
    });
    client.setRequestHandler('elicitation/create', oslo);
    await client.connect(new StdioClientTransport(server));
    return {
        client,
        callTool: (params, options) => client.callTool(params, options),
        revision: () => client.getNegotiatedProtocolVersion()
    };
});
