import { collectDefaultMetrics, Counter, Gauge, Histogram, register } from 'prom-client';

/** Name and meaning of a metric: docs/metrics.md has a line for each, which a test compares. */
export interface Meaning {
  name: string;
  help: string;
  labels: readonly string[];
}
export type Sample = [labels: Record<string, string>, value: number];

const samplers = new Map<string, Set<() => Sample[] | Promise<Sample[]>>>();

/**
 * Registers a value that is computed when the metrics are read. Several services of one process (standalone) add to the
 * same metric; a failing sampler is skipped, because the others matter most when something is broken.
 */
export function sampled({ name, help, labels }: Meaning, sample: () => Sample[] | Promise<Sample[]>): () => void {
  let samples = samplers.get(name);
  if (!samples) {
    samplers.set(name, (samples = new Set()));
    const all = samples;
    const gauge = new Gauge({
      name,
      help,
      labelNames: [...labels],
      async collect() {
        this.reset();
        const found = await Promise.all(
          [...all].map((one) =>
            Promise.resolve()
              .then(one)
              .catch((): Sample[] => []),
          ),
        );
        for (const [at, value] of found.flat()) this.set(at, value);
      },
    });
    gauge.reset();
  }
  samples.add(sample);
  return () => {
    samples.delete(sample);
  };
}

/** Returns a histogram of durations in seconds: its count gives the rate, the label `status` the errors. */
export function durations({ name, help, labels }: Meaning): Histogram {
  return (
    (register.getSingleMetric(name) as Histogram | undefined) ??
    new Histogram({
      name,
      help,
      labelNames: [...labels],
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    })
  );
}

export function counted({ name, help, labels }: Meaning): Counter {
  return (
    (register.getSingleMetric(name) as Counter | undefined) ?? new Counter({ name, help, labelNames: [...labels] })
  );
}

/**
 * Starts the metrics of memory, CPU, garbage collection and event-loop delay; called once at the start of a process.
 */
export function startMetrics(process: string): void {
  register.setDefaultLabels({ process });
  collectDefaultMetrics({ eventLoopMonitoringPrecision: 10 });
}

/** Returns all metrics of this process in Prometheus' text format. */
export async function metricsText(): Promise<{ type: string; text: string }> {
  return { type: register.contentType, text: await register.metrics() };
}
