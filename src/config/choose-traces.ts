import type { SettingValues } from './settings.ts';

/** The collector for traces. */
export interface TraceOptions {
  /** The URL before `/v1/traces`, without a slash at the end. */
  endpoint: string;
  headers: Record<string, string>;
  serviceName: string;
  /** The fraction of traces that are sent, from 0 to 1. */
  share: number;
}

export function chooseTraces(settings: SettingValues): TraceOptions | undefined {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = settings;
  if (!endpoint) return undefined;
  return {
    endpoint: endpoint.replace(/\/+$/, ''),
    headers: settings.OTEL_EXPORTER_OTLP_HEADERS ?? {},
    serviceName: settings.OTEL_SERVICE_NAME,
    share: settings.OTEL_TRACES_SAMPLER_ARG,
  };
}
