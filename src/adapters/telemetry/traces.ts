import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import {
  type Attributes,
  type Context,
  defaultTextMapGetter,
  ROOT_CONTEXT,
  SpanKind,
  type SpanOptions,
  SpanStatusCode,
  type TextMapSetter,
  trace,
} from '@opentelemetry/api';
import { setGlobalErrorHandler, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import {
  type Observer,
  OUTGOING_REQUESTS,
  type Outcome,
  type OutgoingRequest,
  type Work,
} from '../../core/observer.ts';

export interface TracesOptions {
  /** The URL of the collector, without `/v1/traces`. */
  endpoint: string;
  headers: Record<string, string>;
  serviceName: string;
  /** The share of traces to sample, 0 to 1, unless the caller has decided. */
  share: number;
  /** Called when spans could not be sent. They are discarded. */
  onFailure: (reason: string) => void;
}

const EXPORT_TIMEOUT_MS = 5000;

/**
 * Records spans for all work and sends them to a collector. A request continues the trace of its
 * `traceparent` header. Outgoing requests to models and storage get such a header.
 */
export function createTraces(options: TracesOptions) {
  const { endpoint, headers, serviceName, share, onFailure } = options;
  setGlobalErrorHandler((error) => onFailure(error instanceof Error ? error.message : `${error}`));
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter({
          url: `${endpoint}/v1/traces`,
          headers,
          timeoutMillis: EXPORT_TIMEOUT_MS,
        }),
        exportTimeoutMillis: EXPORT_TIMEOUT_MS,
      }),
    ],
  });
  const tracer = provider.getTracer('filequery');
  const propagator = new W3CTraceContextPropagator();
  const current = new AsyncLocalStorage<Context>();

  const observer: Observer = {
    begin(work) {
      const parent = current.getStore() ?? contextOf(work);
      const span = tracer.startSpan(work.name, describe(work), parent);
      const context = trace.setSpan(parent, span);
      return {
        traceId: span.spanContext().traceId,
        within: (part) => current.run(context, part),
        end(outcome) {
          span.setAttributes(attributesOf(work, outcome));
          if (outcome.request) span.updateName(`${work.name} ${outcome.request.route}`);
          if (isFailure(outcome)) span.setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        },
      };
    },
    book() {},
  };

  function contextOf(work: Work): Context {
    if (work.kind !== 'request') return ROOT_CONTEXT;
    return propagator.extract(ROOT_CONTEXT, Object.fromEntries(work.headers), defaultTextMapGetter);
  }

  /** The clients of models and storage publish each request before they send it. */
  const onRequest = (message: unknown) => {
    const context = current.getStore();
    const { request } = message as { request: OutgoingRequest };
    if (context) propagator.inject(context, request, SET_HEADER);
  };
  for (const channel of REQUEST_CHANNELS) subscribe(channel, onRequest);

  return {
    observer,
    /** Sends the remaining spans. */
    async close(): Promise<void> {
      for (const channel of REQUEST_CHANNELS) unsubscribe(channel, onRequest);
      await provider.shutdown().catch((error: Error) => onFailure(error.message));
    },
  };
}

/** The first is that of `fetch`. */
const REQUEST_CHANNELS = ['undici:request:create', OUTGOING_REQUESTS];
const SET_HEADER: TextMapSetter<OutgoingRequest> = {
  set: (request, name, value) => request.addHeader(name, value),
};

const KINDS = {
  request: SpanKind.SERVER,
  operation: SpanKind.INTERNAL,
  step: SpanKind.INTERNAL,
  model: SpanKind.CLIENT,
} as const satisfies Record<Work['kind'], SpanKind>;

function describe(work: Work): SpanOptions {
  const attributes: Attributes = { 'filequery.kind': work.kind };
  if (work.kind === 'request') attributes['http.request.method'] = work.name;
  if (work.kind === 'model') attributes['gen_ai.request.model'] = work.model;
  return { kind: KINDS[work.kind], attributes };
}

function attributesOf(work: Work, { status, request }: Outcome): Attributes {
  if (work.kind !== 'request' || !request) return { 'filequery.status': status };
  return {
    'http.route': request.route,
    'http.response.status_code': Number(status),
    'filequery.request_id': work.requestId,
    'filequery.operations': request.operations,
    ...(request.customerId && { 'filequery.customer_id': request.customerId }),
  };
}

function isFailure({ status }: Outcome): boolean {
  return status === 'failed' || status.startsWith('5');
}
