/**
 * Measures a consumer that is a million records behind: its speed and memory, in its own process, beside the same
 * process without consumption. Run: `./carillon bench backlog`
 */
import { fork } from 'node:child_process';
import { bench, report } from '@carillon/devtools/bench';
import { testKafka } from '@carillon/testing/kafka';
import { KafkaBus } from '../src/drivers/kafka.ts';
import { record } from './kafka.ts';

const behind = 1_000_000;
const topic = 'bench.backlog.v1';
const [, , role, broker] = process.argv;

async function consume(count: number): Promise<void> {
  const bus = await KafkaBus.open({ connection: { brokers: [broker!] } });
  // Memory of the opened, idle bus: everything above it is due to the backlog.
  const rss = (): number => process.memoryUsage.rss() / 1_048_576;
  const idle = rss();
  /** Peaks in the first and the second half: a cost that grows with the backlog would be larger in the second. */
  const most = [idle, idle];
  let handled = 0;
  let done = (): void => undefined;
  const all = new Promise<void>((resolve) => {
    done = resolve;
  });
  const began = performance.now();
  // A millisecond a batch, like a fast handler with a transaction: records that arrive faster must wait at the broker.
  await bus.group({
    group: `g${count}`,
    topics: [topic],
    async handle({ records }) {
      await new Promise((resolve) => {
        setTimeout(resolve, 1);
      });
      const half = handled < count / 2 ? 0 : 1;
      most[half] = Math.max(most[half]!, rss());
      handled += records.length;
      if (handled >= count) done();
    },
  });
  await all;
  const seconds = (performance.now() - began) / 1_000;
  await bus.close();
  process.send!({ idle, most, seconds, handled });
}

if (role === 'consumer') {
  await consume(behind);
  process.exit(0);
}

await bench('a consumer that is a million records behind', async () => {
  const kafka = await testKafka();
  const bus = await KafkaBus.open({ connection: { brokers: [kafka.bootstrap] } });
  await bus.ensureTopics([{ name: topic, partitions: 24, cleanup: 'delete' }]);
  for (let n = 0; n < behind; n += 1_000)
    await bus.publish(Array.from({ length: 1_000 }, (_, i) => record(topic, n + i)));
  const child = fork(import.meta.filename, ['consumer', kafka.bootstrap], {
    execArgv: ['--conditions=carillon-source', '--disable-warning=ExperimentalWarning'],
  });
  const result = await new Promise<{ idle: number; most: number[]; seconds: number; handled: number }>(
    (resolve, reject) => {
      child.once('message', (m) => resolve(m as never));
      child.once('exit', (code) => reject(new Error(`the consumer ended (${code})`)));
    },
  );
  report({ name: 'records handled', unit: '', value: result.handled, atLeast: behind });
  report({ name: 'caught up at', unit: 'records a second', value: behind / result.seconds });
  report({
    name: 'memory at most',
    unit: 'MB',
    value: Math.max(...result.most),
    atMost: 400,
    beside: { name: 'idle', value: result.idle },
  });
  report({
    name: 'memory of the second half over the first',
    unit: '',
    value: result.most[1]! / result.most[0]!,
    atMost: 1.15,
  });
  await bus.close();
  await kafka.stop();
});
