// Plays the steps with a client of npm; what it reads and writes is in steps.py.

import { text } from 'node:stream/consumers';

export const INFO = { name: 'relay-clients', version: '1.0.0' };
export const CAPABILITIES = { elicitation: { form: {} } };

// What a user would answer to an elicitation.
export const oslo = async () => ({ action: 'accept', content: { city: 'Oslo' } });

async function call(connection, { tool, arguments: given, progress, cancel }) {
    const reports = [];
    const controller = new AbortController();
    const options = { signal: controller.signal };
    if (progress) {
        options.onprogress = report => {
            reports.push([report.progress, report.total ?? null, report.message ?? null]);
            if (cancel) controller.abort();
        };
    }
    try {
        const result = await connection.callTool({ name: tool, arguments: given }, options);
        return { result, progress: reports };
    } catch (error) {
        if (controller.signal.aborted) return { cancelled: true, progress: reports };
        if (typeof error.code !== 'number') throw error;
        return { error: { code: error.code, message: error.message }, progress: reports };
    }
}

// `connect` takes a mode and the server's parameters, and gives a client and how it calls a tool.
export async function play(connect) {
    const { command, mode, steps } = JSON.parse(await text(process.stdin));
    const [program, ...args] = command;
    const connection = await connect(mode, { command: program, args });
    const { tools } = await connection.client.listTools();
    const outcomes = [];
    for (const step of steps) {
        outcomes.push(...(await Promise.all(step.map(order => call(connection, order)))));
    }
    const revision = connection.revision();
    await connection.client.close();
    console.log(JSON.stringify({ revision, tools, outcomes }));
}
