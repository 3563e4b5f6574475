import { z } from 'zod';
import { HEADER_TEXT, httpUrl, type Settings, secretText } from './setting.ts';

/** Access to metrics, and the destination of traces. Those for traces are the variables of OpenTelemetry. */
export const TELEMETRY_SETTINGS = {
  METRICS_TOKEN: {
    purpose: 'bearer token for /metrics, at least 16 characters; /metrics is disabled if not set',
    schema: secretText(16)
      .regex(...HEADER_TEXT)
      .optional(),
    secret: true,
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    purpose:
      'collector that receives traces by OTLP over HTTP, such as http://localhost:4318; tracing is disabled if not set',
    schema: httpUrl.optional(),
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    purpose: 'HTTP headers for the collector, such as api-key=abc,team=files',
    schema: z
      .string()
      .transform((value) => value.split(',').filter((pair) => pair.trim() !== ''))
      .refine((pairs) => pairs.every(isHeader), 'must be name=value, ...')
      .transform((pairs) => Object.fromEntries(pairs.map(readHeader)))
      .optional(),
    secret: true,
  },
  OTEL_SERVICE_NAME: {
    purpose: 'name of this service in traces',
    schema: z.string().default('filequery'),
  },
  OTEL_TRACES_SAMPLER_ARG: {
    purpose:
      'fraction of the traces that are sent, from 0 to 1, unless the traceparent header decides',
    schema: z
      .string()
      .default('1')
      .refine((text) => /^(0(\.\d+)?|1(\.0+)?)$/.test(text), 'must be a number from 0 to 1')
      .transform(Number),
  },
} as const satisfies Settings;

/** Whether HTTP can send it. */
function isHeader(pair: string): boolean {
  try {
    new Headers([readHeader(pair)]);
    return pair.includes('=');
  } catch {
    return false;
  }
}

/** Values may be percent-encoded. */
function readHeader(pair: string): [name: string, value: string] {
  const [name = '', ...rest] = pair.split('=');
  return [name.trim(), decodeURIComponent(rest.join('=')).trim()];
}
