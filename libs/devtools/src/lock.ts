import { rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * One lock per machine, shared by all checkouts. It is an abstract socket: Linux frees it when its process ends, so
 * that `kill -9` leaves no lock behind.
 */
const machine = process.platform === 'linux' ? '\0carillon-machine' : join(tmpdir(), 'carillon-machine.sock');
/** Tells child processes that their parent holds the machine: a test may run a benchmark. */
const heldBy = 'CARILLON_MACHINE_HELD';

/** Returns a function that releases the lock, or undefined when another process holds it. */
function take(name: string, what: string): Promise<(() => void) | undefined> {
  const waiting = new Set<Socket>();
  const server = createServer((socket) => {
    waiting.add(socket);
    socket.on('error', () => undefined).on('close', () => waiting.delete(socket));
    socket.unref().write(`${what} (process ${process.pid})`);
  });
  const release = (): void => {
    server.close();
    // Closing a connection wakes the waiting process.
    for (const socket of waiting) socket.destroy();
  };
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(undefined);
      else reject(error);
    });
    server.listen(name, () => {
      server.unref();
      resolve(release);
    });
  });
}

/** Resolves when the holder releases the lock or dies. `say` receives what the holder does. */
function waitForHolder(name: string, say: (what: string) => void): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(name).setEncoding('utf8');
    socket.once('data', (what: string) => say(what));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // On systems without abstract sockets a killed holder leaves its socket file behind.
      if (error.code === 'ECONNREFUSED' && process.platform !== 'linux') rmSync(name, { force: true });
    });
    socket.once('close', () => resolve());
  });
}

/**
 * Waits for the machine's lock, then runs `fn`. Reports on stderr what it waits for. Child processes of `fn` do not
 * wait.
 */
export async function withMachine<T>(what: string, fn: () => Promise<T>, name = machine): Promise<T> {
  if (process.env[heldBy] !== undefined) return fn();
  let release: (() => void) | undefined;
  let said = '';
  const say = (holder: string): void => {
    if (holder !== said) process.stderr.write(`${what} waits for the machine: ${holder}\n`);
    said = holder;
  };
  while ((release = await take(name, what)) === undefined) await waitForHolder(name, say);
  process.env[heldBy] = String(process.pid);
  try {
    return await fn();
  } finally {
    delete process.env[heldBy];
    release();
  }
}
