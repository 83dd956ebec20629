import { Worker } from 'node:worker_threads';

export interface Asking {
  url: string;
  headers: Record<string, string>;
  /** Calls at most. */ most: number;
}
/** Stops asking and gives the milliseconds of each call. */
export interface Asked {
  stop(): Promise<number[]>;
  /** All `most` calls. */ all: Promise<number[]>;
}

/** A person at the console in a thread of his own: what the bench itself does meanwhile is in none of his times. */
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
