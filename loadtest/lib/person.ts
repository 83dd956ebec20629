import { Worker } from 'node:worker_threads';

export interface Asking {
  url: string;
  headers: Record<string, string>;
  /** Maximum number of calls. */ most: number;
}
/** Stops and returns the milliseconds of each call. */
export interface Asked {
  stop(): Promise<number[]>;
  /** Resolves after all `most` calls. */ all: Promise<number[]>;
}

/** Simulates a user of the console in a separate thread, so that the bench's own work does not count in the times. */
export function person(asking: Asking): Asked {
  const worker = new Worker(new URL('./person.worker.ts', import.meta.url), { workerData: asking });
  const all = new Promise<number[]>((resolve, reject) => {
    worker.once('message', resolve).once('error', reject);
  });
  return {
    all,
    stop() {
      worker.postMessage('stop');
      return all;
    },
  };
}
