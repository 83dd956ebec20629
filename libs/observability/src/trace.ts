import { appendFileSync } from 'node:fs';
import {
  context,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Link,
  type Span,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  SimpleSpanProcessor,
  ParentBasedSampler,
  TracerProvider,
  type ReadableSpan,
  type SpanExporter,
} from '@opentelemetry/sdk-trace';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { W3CTraceContextPropagator } from '@opentelemetry/core';

export { SpanKind } from '@opentelemetry/api';

export interface TraceOptions {
  /** OTLP over HTTP, for example `http://127.0.0.1:4318/v1/traces`. When absent, nothing is sent. */
  otlpUrl?: string | undefined;
  /** Appends each ended span as a JSON line: for tests and debugging. */
  file?: string | undefined;
}

class FileExporter implements SpanExporter {
  private readonly path: string;
  constructor(path: string) {
    this.path = path;
  }
  export(spans: ReadableSpan[], done: (result: { code: number }) => void): void {
    appendFileSync(
      this.path,
      spans
        .map(
          (s) =>
            JSON.stringify({
              name: s.name,
              kind: SpanKind[s.kind],
              traceId: s.spanContext().traceId,
              spanId: s.spanContext().spanId,
              parentId: s.parentSpanContext?.spanId ?? null,
              links: s.links.map((l) => l.context.traceId),
              attributes: s.attributes,
              start: s.startTime,
              end: s.endTime,
              status: s.status,
            }) + '\n',
        )
        .join(''),
      { mode: 0o600 },
    );
    done({ code: 0 });
  }
  async shutdown(): Promise<void> {
    /* Every span was written when it ended. */
  }
  async forceFlush(): Promise<void> {
    /* The same. */
  }
}

/** Whether this process records spans. */
let recording = false;

/**
 * Starts tracing for this process; the returned function stops it. Trace ids are created and passed on in any case, so
 * that logs can be correlated.
 */
export function startTracing(service: string, options: TraceOptions): () => Promise<void> {
  const exporter = options.otlpUrl ? new OTLPTraceExporter({ url: options.otlpUrl }) : undefined;
  const processors = [
    ...(exporter ? [new BatchSpanProcessor({ exporter })] : []),
    ...(options.file ? [new SimpleSpanProcessor({ exporter: new FileExporter(options.file) })] : []),
  ];
  recording = processors.length > 0;
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': service }),
    sampler: processors.length ? new ParentBasedSampler({ root: new AlwaysOnSampler() }) : new AlwaysOffSampler(),
    spanProcessors: processors,
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  return async () => {
    await provider.shutdown();
    recording = false;
    for (const api of [trace, context, propagation]) api.disable();
  };
}

const tracer = () => trace.getTracer('carillon');

/** Returns the running span's context as a W3C traceparent, or undefined outside of any. */
export function currentTraceparent(): string | undefined {
  const span = trace.getActiveSpan()?.spanContext();
  return span ? `00-${span.traceId}-${span.spanId}-0${(span.traceFlags & 1).toString()}` : undefined;
}

function contextOf(traceparent: string | undefined): Context {
  return traceparent ? propagation.extract(ROOT_CONTEXT, { traceparent }) : ROOT_CONTEXT;
}

export interface SpanOptions {
  kind?: SpanKind;
  attributes?: Attributes;
  /** Continue this trace instead of the running one. */
  traceparent?: string | undefined;
  /** Traces that this work also belongs to: the messages of a batch. */
  links?: (string | undefined)[];
  /** Start a new trace, whatever runs. */
  root?: boolean;
}

/** Runs `fn` in a span; an error is recorded and rethrown. */
export async function span<T>(name: string, options: SpanOptions, fn: (span: Span) => Promise<T> | T): Promise<T> {
  const links: Link[] = (options.links ?? []).flatMap((t) => {
    const linked = t ? trace.getSpanContext(contextOf(t)) : undefined;
    return linked ? [{ context: linked }] : [];
  });
  const parent = options.traceparent ? contextOf(options.traceparent) : options.root ? ROOT_CONTEXT : context.active();
  return tracer().startActiveSpan(
    name,
    { kind: options.kind ?? SpanKind.INTERNAL, attributes: options.attributes ?? {}, links },
    parent,
    async (s) => {
      try {
        return await fn(s);
      } catch (error) {
        s.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : 'error' });
        throw error;
      } finally {
        s.end();
      }
    },
  );
}

/**
 * Records a span that is already over, for work on a hot path that must not pay for an async context. Returns its
 * traceparent.
 */
export function pointSpan(
  name: string,
  traceparent: string | undefined,
  kind: SpanKind,
  attributes: Attributes = {},
): string | undefined {
  // Without recording there is no span and no cost, and the same trace continues.
  if (!recording || !traceparent?.endsWith('1')) return traceparent;
  const s = tracer().startSpan(name, { kind, attributes }, contextOf(traceparent));
  s.end();
  const c = s.spanContext();
  return trace.isSpanContextValid(c) ? `00-${c.traceId}-${c.spanId}-0${(c.traceFlags & 1).toString()}` : traceparent;
}
