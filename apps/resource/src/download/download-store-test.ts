import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { rawRequest } from '@carillon/testing';
import { testStore, type TestedStore } from '../upload/upload-test.ts';
import { downloads } from './download-test.ts';
import { Downloads } from './download.service.ts';

/** Longer than the buffers of a connection. */
export const long = 4 * 1_048_576 + 123;
export const refused = ({ status, json }: { status: number; json: { error?: string } }) => [status, json?.error];
export const over = [410, 'file.linkOver'];

/** Starts the store behind a socket. Closes it after the tests. */
export async function startDownloads() {
  async function listen({ service }: TestedStore, name: string): Promise<{ socketPath: string }> {
    const socketPath = join(folder, `${name}.sock`);
    await service.app.getHttpAdapter().getInstance().listen({ path: socketPath });
    return { socketPath };
  }
  const store = await testStore('download_bus', { downloadCheckMs: 200, downloadIdleSeconds: 3_600 });
  const rig = downloads(store);
  const running = store.service.app.get(Downloads, { strict: false });
  const folder = mkdtempSync(join(tmpdir(), 'carillon-download-'));
  const at = await listen(store, 'service');
  afterAll(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    rawRequest(at, { path, headers, method });
  function ask(path: string, headers: Record<string, string> = {}, { socketPath } = at): Socket {
    const lines = Object.entries({ host: 'x', connection: 'close', ...headers }).map(
      ([name, value]) => `${name}: ${value}`,
    );
    const socket = connect(socketPath);
    socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    return socket;
  }
  /** Reads the start and then stops reading. */
  async function stall(path: string, where = at): Promise<Socket> {
    const socket = ask(path, {}, where).on('error', () => undefined);
    await once(socket, 'data');
    socket.pause();
    return socket;
  }
  return { store, rig, running, folder, at, listen, get, ask, stall };
}
