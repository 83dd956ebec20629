// @module-tag slow
import { createServer } from 'node:net';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findJars } from './kafka.jars.ts';
import { prepareKafka, startKafka } from './kafka.ts';

const alive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

describe('a local Kafka broker', () => {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-kafka-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('serves after a start and after SIGKILL, and replaces one whose starter is gone', async () => {
    const kafka = await startKafka({ folder, bound: true });
    const [node] = kafka.nodes;
    const first = node!.pid;
    await node!.signal('SIGKILL');
    expect([alive(first), node!.pid]).toEqual([false, 0]);
    await node!.start();
    const second = node!.pid;
    // Another starter, like after a crash of the first: same folder, same address.
    const later = await prepareKafka({ folder, bound: true });
    await later.nodes[0]!.start();
    expect([later.bootstrap, alive(second), alive(later.nodes[0]!.pid)]).toEqual([kafka.bootstrap, false, true]);
    await later.stop();
    expect(readdirSync(join(folder, 'node-1'))).toContain('data');
    expect(readdirSync(join(folder, 'node-1'))).not.toContain('pid');
  });

  it('starts when its port becomes free, which a killed broker may hold for a moment', async () => {
    const kafka = await prepareKafka({ folder, bound: true });
    const [node] = kafka.nodes;
    const holder = createServer();
    await new Promise<void>((done) => {
      holder.listen(node!.port, '127.0.0.1', done);
    });
    const started = node!.start();
    setTimeout(() => holder.close(), 500);
    await started;
    await kafka.stop();
  });

  it('names what is missing without Java', async () => {
    const path = process.env['PATH'];
    process.env['PATH'] = folder;
    try {
      await expect(findJars()).rejects.toThrow(
        'Kafka needs Java 17 or newer, which is not here (Debian: apt-get install default-jre-headless maven).',
      );
    } finally {
      process.env['PATH'] = path;
    }
  });
});
