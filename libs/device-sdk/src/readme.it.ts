import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { TestPlatform } from './test-platform.ts';

it('the example of the README is 20 lines, and reboots a device once', async () => {
  const here = path.join(import.meta.dirname, '..');
  const example = /```ts\n([\s\S]*?)```/.exec(await readFile(path.join(here, 'README.md'), 'utf8'))![1]!;
  expect(example.split('\n').filter((line) => line.trim() !== '').length).toBeLessThanOrEqual(20);

  const platform = await TestPlatform.start({ port: 0, allows: (_mac, secret) => secret === 'correct horse' });
  const folder = await mkdtemp(path.join(tmpdir(), 'carillon-readme-'));
  await mkdir(path.join(here, 'dist'), { recursive: true });
  const file = path.join(here, 'dist', `readme-${process.pid}.ts`);
  await writeFile(file, example.replace('mqtt://127.0.0.1:1883', platform.url));
  const child = spawn(process.execPath, ['--conditions=carillon-source', file, 'correct horse'], {
    cwd: folder,
    stdio: 'inherit',
  });
  try {
    await platform.next(({ kind }) => kind === 'state');
    const id = platform.send('0c383e000001');
    await platform.next(({ payload }) => payload.boot === 'reboot');
    expect(platform.answers(id).map(({ status }) => status)).toEqual(['accepted', 'success']);
  } finally {
    child.kill('SIGKILL');
    await once(child, 'exit');
    await platform.stop();
    await rm(folder, { recursive: true });
    await rm(file);
  }
});
