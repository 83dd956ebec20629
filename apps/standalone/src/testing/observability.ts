import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { expect, it } from 'vitest';
import { ensurePrometheus, startPrometheus } from '@carillon/devtools/prometheus';
import { getDevice } from '@carillon/contracts';
import { eventually } from '@carillon/testing';
import { chromiumOptions } from '@carillon/testing/chromium';
import { projectRoot, type Platform } from '@carillon/testing/platform';
import { spansOf, type Span } from './trace.ts';

const folder = join(projectRoot, 'deploy/observability');
/** The shipped files use 15 s; the test takes one minute instead of five. */
const interval = '5s';

interface Rule {
  name: string;
  health: string;
  state: string;
  annotations: { runbook_url: string };
  alerts: { state: string; labels: Record<string, string> }[];
}

/** Opens a TCP proxy to a process's ops socket, because Prometheus reads no Unix socket. */
async function door(socketPath: string): Promise<Server> {
  const server = createServer((asked, answer) => {
    asked.pipe(
      request({ socketPath, path: asked.url, method: asked.method, headers: { host: 'localhost' } }, (got) => {
        answer.writeHead(got.statusCode!, got.headers);
        got.pipe(answer);
      }).on('error', () => answer.destroy()),
    );
  });
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done);
  });
  return server;
}
const portOf = (server: Server): number => (server.address() as AddressInfo).port;

/** Tests traces, metrics, logs, dashboards, alerts and runbooks with the real programs. */
export function observability(platformOf: () => Platform, traceFile: () => string, deviceId: () => string): void {
  it(
    'a click is one trace, and every panel and alert works in a real Prometheus [OPS-02]',
    { timeout: 240_000 },
    async () => {
      const platform = platformOf();
      const device = await platform.call(getDevice, { params: { id: deviceId() } });
      const logs = platform.logs();
      const browser = await chromium.launch(chromiumOptions);
      try {
        const page = await browser.newPage({ baseURL: platform.ready.url, locale: 'en-US' });
        page.setDefaultTimeout(60_000);
        await page.goto(`/device/deviceDetail?id=${device.id}`);
        await page.locator('[name=name]').fill(platform.ready.admin.username);
        await page.locator('[name=password]').fill(platform.ready.admin.password);
        await page.locator('[name=agreement]').check();
        await page.locator('button[type=submit]').click();
        await page.getByRole('button', { name: 'Reboot' }).click();
        const sent = page.waitForRequest((r) => r.method() === 'POST' && r.url().endsWith('/api/f/task/task'));
        await page
          .getByRole('dialog', { name: `Reboot ${device.name}?` })
          .getByRole('button', { name: 'Reboot' })
          .click();
        const [, traceId, spanId] = (await sent).headers()['traceparent']!.split('-');
        const spans = await eventually(() => {
          const found = spansOf(traceFile(), traceId!);
          expect(found.map((s) => s.name)).toContain('link.result.v1 process');
          return found;
        }, 30_000);
        const one = (name: string): Span => spans.find((s) => s.name === name)!;
        const chain = [
          'POST /api/f/task/task',
          'TaskController.add',
          'task dispatch',
          'command to device',
          'device result',
          'link.result.v1 process',
        ];
        expect(chain.map((name) => [name, one(name)?.parentId])).toEqual(
          chain.map((name, i) => [name, i === 0 ? spanId : one(chain[i - 1]!)?.spanId]),
        );
        expect((await logs.line((line) => line['traceId'] === traceId)).process).toMatch(/^(task|device|gateway)-\d$/);
      } finally {
        logs.close();
        await browser.close();
      }

      const programs = ensurePrometheus();
      for (const args of [
        ['check', 'config', 'prometheus.yml'],
        ['test', 'rules', 'alerts.test.yml'],
      ])
        execFileSync(programs.promtool, args, { cwd: folder, stdio: 'pipe' });
      const processes = platform.processes.filter((name) => name !== 'simulator');
      const doors = await Promise.all(
        processes.map((name) => door(join(platform.folder, 'run', 'ops', `${name}.sock`))),
      );
      const own = mkdtempSync(join(tmpdir(), 'carillon-observability-'));
      const probe = await door('');
      const port = portOf(probe);
      await new Promise((done) => {
        probe.close(done);
      });
      // The shipped files with their times divided by twelve.
      const faster = (name: string) =>
        writeFileSync(
          join(own, name),
          readFileSync(join(folder, name), 'utf8')
            .replaceAll('15s', interval)
            .replaceAll(/for: \d+m/g, `for: ${interval}`),
        );
      faster('prometheus.yml');
      faster('alerts.yml');
      writeFileSync(
        join(own, 'targets.yml'),
        `- targets: [${doors.map((d) => `'127.0.0.1:${portOf(d)}'`).join(', ')}]\n`,
      );
      const server = await startPrometheus(programs, join(own, 'prometheus.yml'), port);
      try {
        const ask = async <T>(path: string): Promise<T> => {
          const { status, data, error } = (await (await fetch(`${server.url}/api/v1/${path}`)).json()) as {
            status: string;
            data: T;
            error?: string;
          };
          expect(`${status} ${error ?? ''}`, path).toBe('success ');
          return data;
        };
        const query = async (expr: string): Promise<{ value: [number, string] }[]> =>
          (await ask<{ result: { value: [number, string] }[] }>(`query?query=${encodeURIComponent(expr)}`)).result;
        const dashboard = JSON.parse(readFileSync(join(folder, 'dashboards/carillon.json'), 'utf8')) as {
          panels: { type: string; title: string; targets?: { expr: string }[] }[];
        };
        const panels = dashboard.panels
          .filter((panel) => panel.type !== 'row')
          .flatMap((panel) =>
            panel.targets!.map(({ expr }) => ({
              title: panel.title,
              expr: expr.replaceAll('$__rate_interval', '30s'),
            })),
          );
        expect(panels.length).toBeGreaterThan(15);
        await eventually(async () => {
          expect((await query('sum(up{job="carillon"})'))[0]?.value[1]).toBe(String(processes.length));
          for (const { title, expr } of panels) expect((await query(expr)).length, title).toBeGreaterThan(0);
        }, 40_000);

        const rules = async (): Promise<Rule[]> =>
          (await ask<{ groups: { rules: Rule[] }[] }>('rules?type=alert')).groups.flatMap((g) => g.rules);
        const anchors = new Set(
          [...readFileSync(join(projectRoot, 'docs/runbooks.md'), 'utf8').matchAll(/^## (\w+)$/gm)].map(
            (m) => `docs/runbooks.md#${m[1]!.toLowerCase()}`,
          ),
        );
        const all = await rules();
        expect(all.map((r) => [r.name, r.annotations.runbook_url, anchors.has(r.annotations.runbook_url)])).toEqual(
          all.map((r) => [r.name, `docs/runbooks.md#${r.name.toLowerCase()}`, true]),
        );
        expect(anchors.size).toBe(all.length);
        expect(all.filter((r) => r.health === 'err')).toEqual([]);

        const thaw = platform.freeze('postgres');
        try {
          await eventually(async () => {
            const firing = (await rules())
              .filter((r) => r.state === 'firing')
              .flatMap((r) => r.alerts.map(({ labels }) => [r.name, labels['check']]));
            expect(firing).toContainEqual(['CarillonNotReady', 'database']);
          }, 60_000);
        } finally {
          thaw();
        }
        await eventually(async () => {
          expect((await rules()).find((r) => r.name === 'CarillonNotReady')!.state).toBe('inactive');
        }, 60_000);
      } finally {
        await server.stop();
        for (const d of doors) {
          d.close();
          d.closeAllConnections();
        }
        rmSync(own, { recursive: true, force: true });
      }
    },
  );
}
