import { spawn } from 'node:child_process';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { lines } from './floor-devices.ts';
import { machineCpu, root, type Instance } from './instance.ts';

const command = (n: number): string =>
  `${JSON.stringify({ n, id: `01920000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`, action: 'reboot', args: { whenIdle: true }, expiresAt: 1_800_000_000_000 })}\n`;

/**
 * The floor of `bench fleet`: as many connections and one order, rows for the devices in transactions of 500, a command
 * to each socket, one answer each, and the answers written in transactions of 500 to the product's own PostgreSQL. No
 * broker, bus, permissions or restart.
 */
export async function fleetFloor(
  instance: Instance,
  count: number,
): Promise<{ run(): Promise<{ seconds: number; cpuMs: number }>; close(): Promise<void> }> {
  const server = instance.postgres();
  const admin = new pg.Client({ ...server, database: 'postgres' });
  await admin.connect();
  await admin.query('create database fleet_floor');
  await admin.end();
  const client = new pg.Client({ ...server, database: 'fleet_floor' });
  await client.connect();
  await client.query('create table row (run int, n int, status text, primary key (run, n))');
  const sockets: Socket[] = [];
  let answered: (n: number) => void = () => undefined;
  const listener = createServer((socket) => {
    lines(socket, (text) => {
      const { hello, n, status } = JSON.parse(text) as { hello?: number; n: number; status?: string };
      if (hello !== undefined) sockets[hello] = socket;
      else if (status === 'success') answered(n);
    });
  });
  await new Promise<void>((r) => {
    listener.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 }, r);
  });
  const { port } = listener.address() as { port: number };
  // A separate process: both ends of 15,000 connections are more files than one process may open.
  const devices = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(root, 'loadtest/lib/floor-devices.ts'), String(port), String(count)],
    { stdio: ['pipe', 'inherit', 'inherit'] },
  );
  while (Array.from({ length: count }, (_, n) => sockets[n]).some((s) => s === undefined))
    await new Promise((r) => {
      setTimeout(r, 20);
    });

  let number = 0;
  return {
    async run() {
      const run = ++number;
      const [began, cpu] = [performance.now(), machineCpu()];
      const waiting: number[] = [];
      let wake: () => void = () => undefined;
      answered = (n) => {
        waiting.push(n);
        wake();
      };
      const writing = (async () => {
        for (let written = 0; written < count;) {
          if (waiting.length === 0)
            await new Promise<void>((r) => {
              wake = r;
            });
          const some = waiting.splice(0, 500);
          await client.query(
            `update row set status = 'success' where run = $1 and n = any($2::int[]) and status = 'process'`,
            [run, some],
          );
          written += some.length;
        }
      })();
      for (let from = 0; from < count; from += 500) {
        const some = Array.from({ length: Math.min(500, count - from) }, (_, i) => from + i);
        await client.query(`insert into row select $1, n, 'process' from unnest($2::int[]) n`, [run, some]);
        for (const n of some) sockets[n]!.write(command(n));
      }
      await writing;
      const result = { seconds: (performance.now() - began) / 1000, cpuMs: machineCpu() - cpu };
      const { rows } = await client.query<{ n: number }>(
        `select count(*)::int as n from row where run = $1 and status = 'success'`,
        [run],
      );
      if (rows[0]!.n !== count) throw new Error(`the floor does not answer right: ${rows[0]!.n} of ${count}`);
      return result;
    },
    async close() {
      devices.stdin.end();
      for (const socket of sockets) socket.destroy();
      listener.close();
      await client.end();
    },
  };
}
