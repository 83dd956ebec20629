import { createHash } from 'node:crypto';
import { readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Trouble } from './trouble.ts';

/**
 * Returns the name of the folder's lock, which allows one supervisor per data folder. The lock is an abstract socket:
 * Linux frees it with its process, so that a `kill -9` leaves no lock behind and no reused pid is taken for the
 * supervisor.
 */
function nameOf(folder: string): string {
  const name = `carillon-${createHash('sha256').update(realpathSync(folder)).digest('hex').slice(0, 32)}`;
  return process.platform === 'linux' ? `\0${name}` : join(tmpdir(), `${name}.sock`);
}

/**
 * Returns the pid of the supervisor that holds the folder, or undefined. Any user of the machine can take the socket
 * name and report any pid, which `down` would end; so the process must be a supervisor that belongs to us or to the
 * folder's owner.
 */
export async function holderOf(folder: string): Promise<number | undefined> {
  const pid = await askHolder(folder);
  if (pid === undefined || process.platform !== 'linux') return pid;
  try {
    const { uid } = statSync(`/proc/${pid}`);
    const own = uid === process.getuid?.() || uid === statSync(folder).uid;
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    // A process that is ending has no command line any more.
    if (command === '') return undefined;
    if (own && command.split('\0').some((argument) => argument.endsWith('/cli/main.ts'))) return pid;
  } catch {
    // The process has ended in between.
    return undefined;
  }
  throw new Trouble(
    `The name of ${folder} on this machine is held by a process that is no Carillon of yours; choose another --data.`,
  );
}

function askHolder(folder: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    const socket = connect(nameOf(folder)).setEncoding('utf8');
    let answer = '';
    socket.setTimeout(5_000, () => socket.destroy());
    socket.on('data', (text: string) => {
      answer += text;
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(/^[1-9]\d{0,9}$/.test(answer) ? Number(answer) : undefined));
  });
}

/** Locks the folder until this process ends. Returns false when another process holds the lock. */
export async function hold(folder: string): Promise<boolean> {
  const name = nameOf(folder);
  for (let attempt = 0; attempt < 2; attempt++) {
    const server: Server = createServer((socket) => {
      socket.on('error', () => undefined).end(String(process.pid));
    });
    const held = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false)).listen(name, () => resolve(true));
    });
    if (held) {
      server.unref();
      return true;
    }
    // On systems without abstract sockets a killed holder leaves its socket file behind.
    if (process.platform === 'linux' || (await holderOf(folder)) !== undefined) return false;
    rmSync(name, { force: true });
  }
  return false;
}
