import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';

export interface Product { folder: string; traceFile: string; /** Of the 260 devices so many are there. */ online: number }
declare module 'vitest' {
  interface ProvidedContext { products: Product[] }
}

/** As many as test files that run at the same time (vitest.config.ts). */
const lanes = process.env.CARILLON_TEST_WAY === 'cluster' ? 1 : 2;

/** An installation for each lane of the browser tests. */
export default async function start(project: TestProject): Promise<() => Promise<void>> {
  // One after the other: the first builds what is needed.
  const started: Awaited<ReturnType<typeof startOne>>[] = [];
  for (let lane = 0; lane < lanes; lane++) started.push(await startOne());
  project.provide('products', started.map((s) => s.product));
  return async () => { await Promise.all(started.map((s) => s.end())); };
}

/** In a process of its own, because this file is loaded without the condition that finds our sources. */
async function startOne(): Promise<{ product: Product; end: () => Promise<void> }> {
  const child = spawn(process.execPath, ['--conditions=carillon-source', '--disable-warning=ExperimentalWarning', fileURLToPath(new URL('product.ts', import.meta.url))], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise<number | null>((done) => { child.once('exit', done); });
  const line = await Promise.race([new Promise<string>((done) => { child.stdout.once('data', (data: Buffer) => done(data.toString())); }), ended]);
  if (typeof line !== 'string') throw new Error('the product could not be started');
  const end = async (): Promise<void> => {
    child.stdin.end();
    if (await ended !== 0) throw new Error('the product did not end as it should');
  };
  return { product: JSON.parse(line) as Product, end };
}
