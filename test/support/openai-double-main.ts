import { parseArgs } from 'node:util';
import { KEY, startOpenAiDouble } from './openai-double.ts';

/*
 * The double as a process of its own, for a gateway that shall believe it has OpenAI:
 *
 *   node test/support/openai-double-main.ts [--port PORT]
 *
 * prints the settings that the gateway needs.
 */
const { values } = parseArgs({ options: { port: { type: 'string', default: '0' } } });
const { url } = await startOpenAiDouble({}, Number(values.port));
process.stdout.write(`OPENAI_BASE_URL=${url}\nOPENAI_API_KEY=${KEY}\n`);
