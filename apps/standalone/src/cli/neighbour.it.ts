import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, chownSync, mkdtempSync, realpathSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDataFolder, projectRoot } from './data-folder.ts';
import { holderOf } from './lock.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-neighbour-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Runs `then` while another process holds the folder's lock name and reports this pid. */
async function squat<T>(says: string, then: () => Promise<T>): Promise<T> {
  const name = `\0carillon-${createHash('sha256').update(realpathSync(folder)).digest('hex').slice(0, 32)}`;
  const server = createServer((socket) => {
    socket.end(says);
  });
  await new Promise<void>((resolve) => {
    server.listen(name, resolve);
  });
  try {
    return await then();
  } finally {
    await new Promise((resolve) => {
      server.close(resolve);
    });
  }
}

describe.skipIf(process.platform !== 'linux')('another user of the machine', () => {
  it('cannot make `down` end a process that is no supervisor', async () => {
    const other = spawn('sleep', ['60']);
    try {
      for (const pid of [other.pid!, process.pid])
        await squat(String(pid), () => expect(holderOf(folder)).rejects.toThrow(/no Carillon of yours/));
      for (const says of ['-1', '0', '1e3', 'x', '', '99999999999', '0x10'])
        await squat(says, async () => expect(await holderOf(folder), says).toBeUndefined());
    } finally {
      other.kill('SIGKILL');
    }
  });

  it('can neither list the data folder nor enter its subfolders', () => {
    const data = join(folder, 'data');
    openDataFolder(data);
    expect(statSync(data).mode & 0o066).toBe(0);
    for (const name of ['run', 'logs']) expect(statSync(join(data, name)).mode & 0o077, name).toBe(0);
  });

  it.skipIf(process.getuid?.() !== 0)('cannot pass off their own folder as a data folder', () => {
    chmodSync(folder, 0o777);
    chownSync(folder, 12_345, 12_345);
    const module = join(projectRoot, 'apps/standalone/src/cli/data-folder.ts');
    // The modules are loaded as root, because another user may not be able to read the checkout.
    const asked = (uid: number) => {
      const script = [
        `import { openDataFolder } from ${JSON.stringify(module)};`,
        `process.setgid(${uid}); process.setuid(${uid});`,
        `openDataFolder(${JSON.stringify(folder)});`,
      ].join(' ');
      const args = ['--conditions=carillon-source', '--input-type=module', '-e', script];
      return spawnSync(process.execPath, args, { encoding: 'utf8', cwd: '/' });
    };
    expect(asked(12_346).stderr).toMatch(/belongs to another user/);
    expect(asked(12_345).stderr).toBe('');
  });
});
