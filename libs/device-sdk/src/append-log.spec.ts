import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppendLog } from './append-log.ts';

let folder: string;
let file: string;
beforeEach(async () => {
  file = path.join((folder = await mkdtemp(path.join(tmpdir(), 'carillon-log-'))), 'sub', 'lines.log');
});
afterEach(() => rm(folder, { recursive: true }));

const open = (sync = false) => AppendLog.open(file, { sync, load: () => undefined });
const content = () => readFile(file, 'utf8');

describe('the append log', () => {
  it('writes the lines of one tick together and in order', async () => {
    const log = await open(true);
    const [first] = [log.append('1'), log.append('2'), log.append('3')];
    await first;
    expect(await content()).toBe('1\n2\n3\n');
    await log.close();
  });

  it('holds each line once when a rewrite meets an append, and later lines behind it', async () => {
    const log = await open();
    await log.append('old');
    const memory = ['old', 'with'];
    const written = [log.append('with'), log.rewrite(() => memory)];
    await Promise.resolve();
    written.push(log.append('during'));
    await Promise.all(written);
    expect([await content(), log.lines]).toEqual(['old\nwith\nduring\n', 3]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await log.append('after');
    await log.close();
    expect(await content()).toBe('old\nwith\nduring\nafter\n');
  });

  it('writes everything before it closes, and rejects later lines', async () => {
    const log = await open();
    for (let i = 0; i < 100; i++) void log.append(`${i}`);
    await log.close();
    expect((await content()).split('\n')).toHaveLength(101);
    await expect(log.append('late')).rejects.toThrow('closed');
  });
});
