import { z } from 'zod';
import { httpUrl, type Settings, secretText } from './setting.ts';

/** Where metrics are read, and where traces are sent; traces by the variables of OpenTelemetry. */
export const TELEMETRY_SETTINGS = {
  METRICS_TOKEN: {
    purpose: 'bearer token for /metrics, at least 16 characters; no /metrics unless given',
    schema: secretText(16),
    secret: true,
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    purpose:
      'collector that traces are sent to, by OTLP over HTTP, such as http://localhost:4318; no traces unless given',
    schema: httpUrl.optional(),
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    purpose: 'headers for the collector, such as api-key=abc,team=files',
    schema: z
      .string()
      .transform((value) => value.split(',').filter((pair) => pair.trim() !== ''))
      .refine((pairs) => pairs.every((pair) => HEADER.test(pair)), 'must be name=value, ...')
      .transform((pairs) => Object.fromEntries(pairs.map(readHeader)))
      .optional(),
    secret: true,
  },
  OTEL_SERVICE_NAME: {
    purpose: 'what this service is called in traces',
    schema: z.string().default('filequery'),
  },
  OTEL_TRACES_SAMPLER_ARG: {
    purpose: 'share of the traces that is sent, 0 to 1, where a traceparent does not decide',
    schema: z
      .string()
      .default('1')
      .refine((text) => /^(0(\.\d+)?|1(\.0+)?)$/.test(text), 'must be a number from 0 to 1')
      .transform(Number),
  },
} as const satisfies Settings;

const HEADER = /^\s*[\w!#$%&'*+.^`|~-]+\s*=(?:[^%]|%[\da-f]{2})*$/i;

/** Values may be written as in a URL. */
function readHeader(pair: string): [name: string, value: string] {
  const [name = '', ...rest] = pair.split('=');
  return [name.trim(), decodeURIComponent(rest.join('=')).trim()];
}
