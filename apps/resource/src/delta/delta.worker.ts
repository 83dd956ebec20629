import { constants, platform, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { makeDelta, type ImageFacts } from './delta-maker.ts';

/**
 * Makes a differential package in a separate thread, so that the computation blocks no call. All bytes go through the
 * parent thread: the worker has no settings and no file access.
 */
export interface DeltaWork {
  from: ImageFacts;
  to: ImageFacts;
}
/** Requests of the thread, one at a time; each is answered once. */
export type DeltaAsked =
  | { read: 'from' | 'to'; at: number; length: number }
  | { write: Uint8Array<ArrayBuffer>; percent: number }
  | { over: true };

// On Linux the priority is per thread; elsewhere it would affect the process.
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
