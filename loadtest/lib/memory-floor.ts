import { spawn, type ChildProcess } from 'node:child_process';
import { chownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@carillon/devtools/free-port';
import { binaries, initdb, startPostgres, stopPostgres } from '@carillon/testing/postgres-binaries';
import { pss, root } from './instance.ts';

/** The product's own memory settings. */
const settings = {
  shared_buffers: '48MB',
  effective_cache_size: '512MB',
  work_mem: '4MB',
  maintenance_work_mem: '32MB',
  io_method: 'sync',
  jit: 'off',
  huge_pages: 'off',
  max_parallel_workers: '0',
  max_worker_processes: '2',
  max_connections: '200',
};

const children = (pid: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((child) => {
      try {
        return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${child}/status`, 'utf8'))![1]) === pid;
      } catch {
        return false;
      }
    });

async function node(script: string, ...args: string[]): Promise<{ child: ChildProcess; line: string }> {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(root, 'loadtest/lib', script), ...args],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const line = await new Promise<string>((r, failed) => {
    child.stdout!.once('data', (c: Buffer) => r(c.toString().trim()));
    child.once('exit', () => failed(new Error(`${script} ended`)));
  });
  return { child, line };
}

/**
 * The floor of `bench memory`: PostgreSQL with the product's settings, a plain Node process that answers HTTP from a
 * row and holds MQTT connections, and a plain one that opens them. Returns the PSS of all in MB. Throws when one of
 * them answers wrongly.
 */
export async function memoryFloor(connections: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-floor-'));
  rmSync(folder, { recursive: true });
  mkdirSync(folder, { mode: 0o755 });
  const programs = await binaries();
  if (programs.user) chownSync(folder, programs.user.uid, programs.user.gid);
  await initdb(programs, join(folder, 'data'));
  const port = await freePort();
  const postgres = await startPostgres(programs, join(folder, 'data'), port, settings);
  const started: ChildProcess[] = [];
  try {
    const server = await node('bare-server.ts', String(port));
    started.push(server.child);
    const [http, mqtt] = server.line.split(' ');
    const devices = await node('bare-devices.ts', mqtt!, String(connections));
    started.push(devices.child);
    if (devices.line !== String(connections))
      throw new Error(`the floor holds ${devices.line} of ${connections} connections`);
    const answer = (await fetch(`http://127.0.0.1:${http}/`).then((r) => r.json())) as {
      connections: number;
      row: string;
    };
    if (answer.connections !== connections || answer.row !== 'here')
      throw new Error(`the floor does not answer right: ${JSON.stringify(answer)}`);
    await new Promise((r) => {
      setTimeout(r, 3_000);
    });
    return [postgres.pid!, ...children(postgres.pid!), ...started.map((c) => c.pid!)].reduce(
      (sum, pid) => sum + pss(pid),
      0,
    );
  } finally {
    for (const child of started) child.kill();
    await stopPostgres(postgres, 'immediate');
    rmSync(folder, { recursive: true, force: true });
  }
}
