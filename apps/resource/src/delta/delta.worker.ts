import { constants, platform, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { makeDelta, type ImageFacts } from './delta-maker.ts';

/**
 * Makes a differential package in a thread of its own: what it computes holds up no call. The bytes come from the
 * thread that began it, and go there: it has no settings and no way to a file.
 */
export interface DeltaWork {
  from: ImageFacts;
  to: ImageFacts;
}
/** What the thread asks for, one after the other; each is answered once. */
export type DeltaAsked =
  | { read: 'from' | 'to'; at: number; length: number }
  | { write: Uint8Array<ArrayBuffer>; percent: number }
  | { over: true };

// On Linux it is the thread's own; elsewhere it would be the process's.
if (platform() === 'linux') setPriority(constants.priority.PRIORITY_LOW);

const port = parentPort!;
function ask(asked: DeltaAsked): Promise<unknown> {
  return new Promise((answered) => {
    port.once('message', answered);
    port.postMessage(asked);
  });
}

const { from, to } = workerData as DeltaWork;
await makeDelta(from, to, {
  read: async (read, at, length) => (await ask({ read, at, length })) as Uint8Array,
  write: async (bytes, percent) => {
    await ask({ write: new Uint8Array(bytes), percent });
  },
});
port.postMessage({ over: true } satisfies DeltaAsked);
port.close();
