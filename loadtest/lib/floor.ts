import { spawn } from 'node:child_process';
import { createServer, request } from 'node:http';
import { connect, createServer as createTcp, type Socket } from 'node:net';
import { testPostgres } from '@carillon/testing/postgres';
import pg from 'pg';

/**
 * Floors: the minimum that any program must do for the same result, without our code. Each returns a correct result or
 * throws.
 */

/**
 * Starts a Node process with a plain HTTP server that answers once, and runs one query in a running PostgreSQL. Returns
 * the seconds.
 */
export async function startFloor(): Promise<number> {
  const began = performance.now();
  const child = spawn(
    process.execPath,
    [
      '-e',
      `require('http').createServer((q, s) => s.end('ok')).listen(0, '127.0.0.1', function () { process.stdout.write(String(this.address().port) + '\\n') })`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const port = Number(
    await new Promise<string>((r) => {
      child.stdout.once('data', (c: Buffer) => r(c.toString()));
    }),
  );
  const answer = await fetch(`http://127.0.0.1:${port}`).then((r) => r.text());
  const admin = await testPostgres();
  const client = new pg.Client({
    host: admin.host,
    port: admin.port,
    user: admin.user,
    password: admin.password,
    database: 'postgres',
  });
  await client.connect();
  const { rows } = await client.query<{ two: number }>('select 1 + 1 as two');
  await client.end();
  child.kill();
  if (answer !== 'ok' || rows[0]?.two !== 2) throw new Error('the floor does not answer right');
  return (performance.now() - began) / 1000;
}

/**
 * A click without the product: an HTTP server that commits one row in PostgreSQL and writes a line to a TCP socket.
 * `click` resolves with the milliseconds from the request to the line at the socket's other end.
 */
export async function clickFloor(): Promise<{ click(): Promise<number>; close(): Promise<void> }> {
  const admin = await testPostgres();
  const client = new pg.Client({
    host: admin.host,
    port: admin.port,
    user: admin.user,
    password: admin.password,
    database: 'postgres',
  });
  await client.connect();
  await client.query('create table if not exists bench_floor (id bigint generated always as identity, body text)');
  let device: Socket | undefined;
  const tcp = createTcp((socket) => {
    device = socket;
    socket.setNoDelay(true);
  });
  await new Promise<void>((r) => {
    tcp.listen(0, '127.0.0.1', r);
  });
  const http = createServer((q, s) => {
    let body = '';
    q.on('data', (c: Buffer) => {
      body += c.toString();
    });
    q.on(
      'end',
      () =>
        void (async () => {
          await client.query('insert into bench_floor (body) values ($1)', [body]);
          device!.write(`${body}\n`);
          s.end('{}');
        })(),
    );
  });
  await new Promise<void>((r) => {
    http.listen(0, '127.0.0.1', r);
  });
  const ear = connect((tcp.address() as { port: number }).port, '127.0.0.1');
  ear.setNoDelay(true);
  await new Promise<void>((r) => {
    ear.once('connect', () => r());
  });
  const port = (http.address() as { port: number }).port;
  let n = 0;
  return {
    async click() {
      const id = `command ${n++}`;
      const heard = new Promise<string>((r) => {
        ear.once('data', (c: Buffer) => r(c.toString().trim()));
      });
      const began = performance.now();
      const q = request({ port, host: '127.0.0.1', method: 'POST', path: '/' });
      q.on('response', (s) => s.resume());
      q.end(id);
      if ((await heard) !== id) throw new Error('the floor does not answer right');
      return performance.now() - began;
    },
    async close() {
      ear.destroy();
      http.close();
      http.closeAllConnections();
      tcp.close();
      device?.destroy();
      await client.query('drop table bench_floor');
      await client.end();
    },
  };
}
