import { createHash } from 'node:crypto';
import { readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Trouble } from './trouble.ts';

/**
 * One supervisor for a data folder. The lock is a socket with a name: Linux frees an abstract one with its process, so
 * that a `kill -9` leaves none behind and no process id that went to somebody else is ever taken for the supervisor's.
 */
function nameOf(folder: string): string {
  const name = `carillon-${createHash('sha256').update(realpathSync(folder)).digest('hex').slice(0, 32)}`;
  return process.platform === 'linux' ? `\0${name}` : join(tmpdir(), `${name}.sock`);
}

/**
 * Process id of the supervisor that holds the folder, or undefined. Any user of the machine may take a name and say any
 * number under it, and `down` would end that process: it must be a supervisor, ours or of the folder's owner.
 */
export async function holderOf(folder: string): Promise<number | undefined> {
  const pid = await askHolder(folder);
  if (pid === undefined || process.platform !== 'linux') return pid;
  try {
    const { uid } = statSync(`/proc/${pid}`);
    const own = uid === process.getuid?.() || uid === statSync(folder).uid;
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    // A process that is just ending has no command line any more.
    if (command === '') return undefined;
    if (own && command.split('\0').some((argument) => argument.endsWith('/cli/main.ts'))) return pid;
  } catch {
    // It has ended since.
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

/** Holds the folder until this process ends; false when another one does. */
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
    // Where names are files, a killed holder leaves its file.
    if (process.platform === 'linux' || (await holderOf(folder)) !== undefined) return false;
    rmSync(name, { force: true });
  }
  return false;
}
