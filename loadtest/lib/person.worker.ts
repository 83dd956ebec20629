import { parentPort, workerData } from 'node:worker_threads';
import { createClient, getUserInfo, listDevices, listTasks } from '@carillon/contracts';
import type { Asking } from './person.ts';

const { url, headers, most } = workerData as Asking;
const call = createClient({ baseUrl: url, headers: () => headers });
const asked = [
  () => call(listTasks, { query: {} }),
  () => call(getUserInfo, {}),
  () => call(listDevices, { query: {} }),
];

let over = false;
parentPort!.once('message', () => {
  over = true;
});

/** The requests of a console, one after the other, twenty per second. */
const took: number[] = [];
for (let i = 0; i < most && !over; i++) {
  const began = performance.now();
  await asked[i % asked.length]!();
  took.push(performance.now() - began);
  await new Promise((r) => {
    setTimeout(r, 50 - Math.min(49, took.at(-1)!));
  });
}
parentPort!.postMessage(took);
parentPort!.close();
