import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { carillon, projectRoot } from '@carillon/testing/platform';

interface Summary {
  plan: string;
  at: string;
  metrics: Record<string, { values: Record<string, number>; thresholds?: Record<string, { ok: boolean }> }>;
}
const reports = join(projectRoot, 'reports/k6');
const plans = ['smoke', 'load', 'stress', 'spike', 'soak'];
const summaries = (since: number): Summary[] =>
  readdirSync(reports)
    .filter((n) => n.endsWith('.json'))
    .map((n) => JSON.parse(readFileSync(join(reports, n), 'utf8')) as Summary)
    .filter((s) => Date.parse(s.at) > since);
/** k6 is built with Go, once per version of its module. */
const hasGo = spawnSync('go', ['version'], { stdio: 'ignore' }).status === 0;

describe.skipIf(!hasGo)('the k6 suite', () => {
  it('runs smoke, load, stress, spike and soak over HTTP and MQTT, and shows thresholds [OPS-03]', async () => {
    const began = Date.now();
    const answer = await carillon(['bench', 'k6', ...plans, '--minute', '0.1', '--share', '0.1', '--devices', '8']);
    expect(`${answer.code} ${answer.stdout} ${answer.stderr}`).toMatch(/^0 /);
    const done = summaries(began);
    expect(done.map((s) => s.plan).sort()).toEqual([...plans].sort());
    for (const { plan, metrics } of done) {
      const judged = Object.entries(metrics).flatMap(([name, { thresholds }]) =>
        Object.values(thresholds ?? {}).map(({ ok }) => ({ plan, name, ok })),
      );
      expect(judged.filter(({ ok }) => !ok)).toEqual([]);
      expect(new Set(judged.map(({ name }) => name.split(/[_{]/)[0]))).toEqual(
        new Set(['http', 'mqtt', 'checks', 'command', 'commands']),
      );
      // Both sides took part: pages, clicks that reached a device, and devices that received and sent messages.
      expect(metrics['http_reqs']!.values['count']).toBeGreaterThan(5);
      expect(metrics['command_duration']!.values['med']).toBeGreaterThan(0);
      expect(metrics['mqtt_connect_duration']!.values['med']).toBeGreaterThan(0);
      expect(metrics['mqtt_messages_sent']!.values['count']).toBeGreaterThan(8);
      expect(metrics['mqtt_messages_received']!.values['count']).toBeGreaterThan(8);
    }
    expect(existsSync(join(reports, 'index.html'))).toBe(true);
    const page = readFileSync(join(reports, 'index.html'), 'utf8');
    for (const plan of plans) expect(page).toContain(`<caption>${plan}</caption>`);
  }, 900_000);

  it('exits with 1 and names the missed threshold', async () => {
    const answer = await carillon([
      'bench',
      'k6',
      'smoke',
      '--minute',
      '3',
      '--devices',
      '2',
      '--thresholds',
      '{"mqtt_publish_duration":["p(95)<0.001"],"http_req_duration":["p(95)<0.001"]}',
    ]);
    expect(answer.code).toBe(1);
    expect(answer.stdout).toMatch(/^MISS mqtt_publish_duration: p\(95\)/m);
    expect(answer.stdout).toMatch(/^MISS http_req_duration: p\(95\)/m);
  }, 300_000);
});
