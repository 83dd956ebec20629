import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';

export interface Product {
  folder: string;
  traceFile: string;
  /** Number of online devices, of 260. */ online: number;
}
declare module 'vitest' {
  interface ProvidedContext {
    products: Product[];
  }
}

/** Resolves imports to our sources. */
const sources = ['--conditions=carillon-source', '--disable-warning=ExperimentalWarning'];

/** Starts an installation for each lane of the browser tests. */
export default async function start(project: TestProject): Promise<() => Promise<void>> {
  // Built once before, so that they can start in parallel.
  if (
    spawnSync(
      process.execPath,
      [...sources, fileURLToPath(new URL('../../../libs/devtools/src/build.ts', import.meta.url))],
      { stdio: ['ignore', 'ignore', 'inherit'] },
    ).status !== 0
  )
    throw new Error('the product could not be built');
  const started = await Promise.all(Array.from({ length: project.config.maxWorkers }, startOne));
  project.provide(
    'products',
    started.map((s) => s.product),
  );
  return async () => {
    await Promise.all(started.map((s) => s.end()));
  };
}

/** Starts it in a separate process, because this file is loaded without the condition that resolves our sources. */
async function startOne(): Promise<{ product: Product; end: () => Promise<void> }> {
  const child = spawn(process.execPath, [...sources, fileURLToPath(new URL('product.ts', import.meta.url))], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = new Promise<number | null>((done) => {
    child.once('exit', done);
  });
  const line = await Promise.race([
    new Promise<string>((done) => {
      child.stdout.once('data', (data: Buffer) => done(data.toString()));
    }),
    ended,
  ]);
  if (typeof line !== 'string') throw new Error('the product could not be started');
  const end = async (): Promise<void> => {
    child.stdin.end();
    if ((await ended) !== 0) throw new Error('the product did not end as it should');
  };
  return { product: JSON.parse(line) as Product, end };
}
