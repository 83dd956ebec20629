// @module-tag slow
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { toDeadLetter } from '@carillon/messaging';
import { KafkaBus } from '@carillon/messaging/kafka';
import { eventually } from '@carillon/testing/bus-journal';
import { testKafka, type TestKafka } from '@carillon/testing/kafka';
import { projectRoot } from './data-folder.ts';
import { declaredTopics } from '@carillon/service/bus-access';

let kafka: TestKafka;
beforeAll(async () => {
  kafka = await testKafka();
});
afterAll(() => kafka.stop());

async function command(name: string, ...more: string[]): Promise<{ code: number | null; text: string }> {
  const child = spawn(
    process.execPath,
    [
      '--conditions=carillon-source',
      '--disable-warning=ExperimentalWarning',
      join(projectRoot, 'apps/standalone/src/cli/main.ts'),
      name,
      '--brokers',
      kafka.bootstrap,
      ...more,
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let text = '';
  for (const out of [child.stdout, child.stderr])
    out.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
  return new Promise((resolve) => {
    child.on('close', (code) => resolve({ code, text }));
  });
}

it('creates declared topics, reports differences, applies settings on request, keeps partition counts', async () => {
  const bus = await KafkaBus.open({ connection: { brokers: [kafka.bootstrap] } });
  // Topics that an older release or a person created.
  await bus.ensureTopics([
    { name: 'live.v1', partitions: 2, cleanup: 'delete', retentionMs: 600_000 },
    { name: 'link.command.v1', partitions: 24, cleanup: 'delete', retentionMs: 77_000 },
  ]);
  const first = await command('topics');
  expect(first.code).toBe(1);
  expect(first.text).toContain(`made       device.state.v1`);
  expect(first.text).toContain('refused    live.v1 partitions: 2 is there, 6 is declared');
  expect(first.text).toContain('different  link.command.v1 retention.ms: 77000 is there, 3600000 is declared');
  expect(first.text).toContain(`${declaredTopics.length} topics, ${declaredTopics.length - 2} made, 2 different`);
  const second = await command('topics', '--apply');
  expect([second.code, second.text.split('\n').slice(0, 3).toSorted()]).toEqual([
    1,
    [
      `${declaredTopics.length} topics, 0 made, 1 different`,
      'changed    link.command.v1 retention.ms: 77000 is there, 3600000 is declared',
      'refused    live.v1 partitions: 2 is there, 6 is declared',
    ].toSorted(),
  ]);
  await eventually('the broker knows', async () => (await bus.differences(declaredTopics)).length === 1);
  expect(await bus.differences(declaredTopics)).toEqual([
    { topic: 'live.v1', what: 'partitions', declared: '6', there: '2' },
  ]);
  await bus.close();
});

it('reports in one sentence that Kafka does not answer', async () => {
  const child = await command('topics', '--brokers', '127.0.0.1:1');
  expect([child.code, child.text]).toEqual([
    1,
    expect.stringMatching(/^carillon: No Kafka answers at 127\.0\.0\.1:1: .*\n$/),
  ]);
});

it('lists a dead letter on Kafka, sends it back to its topic and then forgets it', async () => {
  const bus = await KafkaBus.open({ connection: { brokers: [kafka.bootstrap] } });
  await bus.ensureTopics(declaredTopics);
  const id = '0199aaaa-0000-7000-8000-00000000dead';
  const record = {
    topic: 'link.report.v1',
    partition: 0,
    offset: 1n,
    timestamp: 1,
    key: 'k',
    headers: { id, type: 'state' },
    value: '{}',
  };
  await bus.publish([toDeadLetter('device', record, new Error('broken release'))]);
  expect((await command('dead-letters', 'list', '--group', 'device')).text).toContain(`${id}`);
  const came: string[] = [];
  const feed = await bus.fanout({
    topics: ['link.report.v1'],
    from: 'end',
    handle: ({ records }) => {
      came.push(...records.map((r) => `${r.headers['id']} ${r.value}`));
    },
  });
  await feed.caughtUp;
  expect((await command('dead-letters', 'retry', id)).text).toBe(`device       ${id}  sent again\n`);
  await eventually('it came', () => came.length > 0);
  expect(came).toEqual([`${id} {}`]);
  expect((await command('dead-letters', 'list')).text).toBe('');
  await bus.close();
});
