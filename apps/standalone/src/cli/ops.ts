import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { opsSocket } from './cluster.ts';

/** Requests a path of a process's ops socket. Returns undefined when it does not answer in time. */
export function askOps(
  folder: string,
  name: string,
  path: '/livez' | '/readyz' | '/metrics',
  withinMs = 3_000,
): Promise<{ status: number; text: string } | undefined> {
  return new Promise((resolve) => {
    const asked = request({ socketPath: opsSocket(folder, name), path, timeout: withinMs }, (answer) => {
      let text = '';
      answer
        .setEncoding('utf8')
        .on('data', (part: string) => {
          text += part;
        })
        .on('end', () => resolve({ status: answer.statusCode ?? 0, text }))
        .on('error', () => resolve(undefined));
    });
    asked
      .on('timeout', () => asked.destroy())
      .on('error', () => resolve(undefined))
      .end();
  });
}

/** Returns the sum of a metric over its labels; undefined when the metric is absent. */
export function sumOf(metrics: string, name: string): number | undefined {
  const values = metrics
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
    .map((line) => Number(line.slice(line.lastIndexOf(' ') + 1)));
  return values.length > 0 ? values.reduce((sum, value) => sum + value, 0) : undefined;
}

/** Returns the samples of a metric with their labels and values. */
export function samplesOf(metrics: string, name: string): { labels: Record<string, string>; value: number }[] {
  return metrics
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`))
    .map((line) => ({
      labels: Object.fromEntries([...line.matchAll(/(\w+)="([^"]*)"/g)].map(([, label, value]) => [label!, value!])),
      value: Number(line.slice(line.lastIndexOf(' ') + 1)),
    }));
}

/** Returns the age of a process in seconds. */
export function ageOf(pid: number): number | null {
  try {
    const uptime = Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0]);
    // Field 22 of proc(5), in ticks of 10 ms. The program's name before it may contain spaces.
    const began =
      Number(
        readFileSync(`/proc/${pid}/stat`, 'utf8')
          .replace(/^.*\) /s, '')
          .split(' ')[19],
      ) / 100;
    return Math.max(0, Math.round(uptime - began));
  } catch {
    return null;
  }
}
