import { parseArgs } from 'node:util';
import { startSupabaseDouble } from './supabase-double.ts';

/*
 * Runs the double as a process of its own, and prints the settings that lead a gateway to it.
 *
 *   node test/support/supabase-double-main.ts [--port 54321]
 */
const { values } = parseArgs({ options: { port: { type: 'string', default: '0' } } });
const { url, secretKey } = await startSupabaseDouble({ port: Number(values.port) });
process.stdout.write(`SUPABASE_URL=${url}\nSUPABASE_SECRET_KEY=${secretKey}\n`);
