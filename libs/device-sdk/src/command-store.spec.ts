import { appendFile, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CommandLog } from './command-store.ts';

let folder: string;
let file: string;
beforeEach(async () => {
  file = path.join((folder = await mkdtemp(path.join(tmpdir(), 'carillon-log-'))), 'commands.log');
});
afterEach(() => rm(folder, { recursive: true }));

const done = (id: string) => ({ id, action: 'note', answer: { status: 'success' as const } });

describe('the command log', () => {
  it('returns to each device its own records, and is readable only by its owner', async () => {
    const log = await CommandLog.open(file);
    await Promise.all([
      log.forDevice('a').write(done('1')),
      log.forDevice('b').write(done('2')),
      log.forDevice('a').write({ ...done('1'), told: true }),
    ]);
    await log.close();
    const again = await CommandLog.open(file);
    expect([
      await again.forDevice('a').recall('1'),
      await again.forDevice('a').recall('2'),
      await again.forDevice('b').recall('2'),
    ]).toEqual([{ ...done('1'), told: true }, undefined, done('2')]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await again.close();
  });

  it('is in the file when write resolves', async () => {
    const log = await CommandLog.open(file, { sync: false });
    for (let i = 0; i < 50; i++) {
      await log.forDevice('a').write(done(`${i}`));
      expect((await readFile(file, 'utf8')).trimEnd().split('\n').at(-1)).toBe(
        JSON.stringify({ mac: 'a', ...done(`${i}`) }),
      );
    }
    await log.close();
  });

  it('survives a line that was cut off in the middle, and continues behind it', async () => {
    const log = await CommandLog.open(file);
    await log.forDevice('a').write(done('1'));
    await log.close();
    await appendFile(file, '{"mac":"a","id":"2","act');
    const again = await CommandLog.open(file);
    await again.forDevice('a').write(done('3'));
    await again.close();
    const third = await CommandLog.open(file);
    expect([...(await third.forDevice('a').all())].map(({ id }) => id)).toEqual(['1', '3']);
    await third.close();
  });

  it('forgets the oldest finished command beyond 64, and never a running one', async () => {
    const log = await CommandLog.open(file, { sync: false });
    const store = log.forDevice('a');
    await store.write({ id: 'running', action: 'note' });
    for (let i = 0; i < 100; i++) await store.write(done(`${i}`));
    const ids = [...(await store.all())].map(({ id }) => id);
    expect([ids.length, ids[0], ids[1], ids.at(-1)]).toEqual([64, 'running', '37', '99']);
    await log.close();
  });

  it('compacts when most of it is old, without losing new records or duplicating foreign lines', async () => {
    const counts = new Map<string, number>();
    const foreign = {
      load: (line: string) => {
        const { foreign: name, n } = JSON.parse(line) as { foreign: string; n: number };
        counts.set(name, (counts.get(name) ?? 0) + n);
      },
      lines: function* () {
        for (const [name, n] of counts) yield JSON.stringify({ foreign: name, n });
      },
      count: () => counts.size,
    };
    const log = await CommandLog.open(file, { sync: false, foreign });
    const writes: Promise<void>[] = [];
    for (let i = 0; i < 20_000; i++) {
      counts.set('x', (counts.get('x') ?? 0) + 1);
      writes.push(log.append(JSON.stringify({ foreign: 'x', n: 1 })), log.forDevice(`m${i % 5}`).write(done(`${i}`)));
      if (i % 500 === 0) await Promise.all(writes.splice(0));
    }
    await Promise.all(writes);
    await log.close();
    expect((await readFile(file, 'utf8')).split('\n').length).toBeLessThan(4_000);
    counts.clear();
    const again = await CommandLog.open(file, { sync: false, foreign });
    expect(counts.get('x')).toBe(20_000);
    for (let m = 0; m < 5; m++)
      expect([...(await again.forDevice(`m${m}`).all())].map(({ id }) => Number(id))).toEqual(
        Array.from({ length: 64 }, (_, i) => 20_000 - 5 * (64 - i) + m),
      );
    await again.close();
  });

  it('rejects a write that failed', async () => {
    const log = await CommandLog.open(file);
    await log.close();
    await expect(log.forDevice('a').write(done('1'))).rejects.toThrow('closed');
  });
});
