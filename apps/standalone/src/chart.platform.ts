import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute } from '@carillon/devtools/docker';
import { chartTools, kubernetesVersion, type ChartTools } from '@carillon/devtools/helm';
import { projectRoot } from './cli/data-folder.ts';
import { chartContainers, processes, rendered, secrets, wrongSettings } from './testing/deployment.ts';

const chart = join(projectRoot, 'helm/carillon');
const folder = mkdtempSync(join(tmpdir(), 'carillon-chart-'));
const values = join(chart, 'tests/values.yaml');
let tools: ChartTools;
beforeAll(async () => {
  tools = await chartTools((text) => process.stdout.write(`  ${text}\n`));
}, 900_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const everything = [
  'ingress.enabled=true',
  'ingress.host=carillon.example.com',
  'ingress.tlsSecret=console',
  'monitoring.serviceMonitor.enabled=true',
  'monitoring.prometheusRule.enabled=true',
  'monitoring.dashboard.enabled=true',
  'gateway.autoscaling.enabled=true',
  'services.task.autoscaling.enabled=true',
  'mqttGateway.listeners={tcp,tls,ws,wss}',
  'mqttGateway.tlsSecret=devices',
  'otlpUrl=http://collector:4318',
  'mqttGateway.proxyFrom={10.0.0.0/8}',
  'phones.tlsSecret=phones',
  'phones.url=https://phones.example.com:8081',
  'phones.trustedProxies={10.0.0.0/8}',
];
const ways: Record<string, string[]> = {
  'as it is': [],
  'with everything': everything,
  'with the bus in PostgreSQL': ['bus=postgres'],
};
const template = (sets: readonly string[]): Promise<string> =>
  execute(tools.helm, [
    'template',
    'carillon',
    chart,
    '-f',
    values,
    '--kube-version',
    kubernetesVersion,
    ...sets.flatMap((set) => ['--set', set]),
  ]);

describe('the chart', () => {
  it('passes helm lint and its own tests [OPS-01/chart-tests]', async () => {
    expect(await execute(tools.helm, ['lint', '--strict', chart, '-f', values])).toContain('0 chart(s) failed');
    expect(await execute(tools.helmUnittest, [chart])).toMatch(/Tests:\s+\d+ passed/);
  });

  it.for(Object.keys(ways))(
    '%s, is valid and gives each process only the settings that it reads [OPS-01/chart-settings]',
    async (way) => {
      const text = await template(ways[way]!);
      const file = join(folder, 'rendered.yaml');
      writeFileSync(file, text);
      // Resources of the Prometheus operator have a schema of their own, which is not available here.
      const answer = JSON.parse(
        await execute(tools.kubeconform, [
          '-strict',
          '-summary',
          '-output',
          'json',
          '-skip',
          'ServiceMonitor,PrometheusRule',
          '-schema-location',
          tools.schemas,
          '-kubernetes-version',
          kubernetesVersion,
          file,
        ]),
      ) as { summary: Record<string, number> };
      expect(answer.summary).toMatchObject({ invalid: 0, errors: 0 });
      expect(answer.summary['valid']).toBeGreaterThan(30);
      const containers = chartContainers(rendered(text).filter((d) => d.kind !== 'Pod'));
      expect(containers.map((c) => c.process).toSorted()).toEqual(Object.keys(processes).toSorted());
      expect(containers.flatMap((c) => wrongSettings(c.process, c.environment))).toEqual([]);
      // The rendered chart contains no secret.
      for (const value of Object.values(secrets).filter((v) => v.length > 12)) expect(text).not.toContain(value);
    },
  );

  it('a field unknown to Kubernetes is found', async () => {
    const file = join(folder, 'wrong.yaml');
    writeFileSync(file, (await template([])).replace('readinessProbe:', 'readynessProbe:'));
    await expect(execute(tools.kubeconform, ['-strict', '-schema-location', tools.schemas, file])).rejects.toThrow(
      'readynessProbe',
    );
  });

  it('wrong values are refused with a sentence that names them', async () => {
    for (const [set, named] of [
      ['services.auth.replicas=0', 'replicas'],
      ['gateway.replica=3', 'replica'],
      ['mqttGateway.listeners={quic}', 'listeners'],
      ['database.port=99999', 'port'],
      ['publicUrl=somewhere', 'publicUrl'],
      ['bus=rabbit', 'bus'],
    ] as const) {
      await expect(template([set]), set).rejects.toThrow(named);
    }
  });
});
