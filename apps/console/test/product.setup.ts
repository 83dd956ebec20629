import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext { product: { folder: string; traceFile: string; /** Of the 260 devices so many are there. */ online: number } }
}

/** One installation for all browser tests. In a process of its own, because this file is loaded without the condition that finds our sources. */
export default async function start(project: TestProject): Promise<() => Promise<void>> {
  const child = spawn(process.execPath, ['--conditions=carillon-source', '--disable-warning=ExperimentalWarning', fileURLToPath(new URL('product.ts', import.meta.url))], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise<number | null>((done) => { child.once('exit', done); });
  const line = await Promise.race([new Promise<string>((done) => { child.stdout.once('data', (data: Buffer) => done(data.toString())); }), ended]);
  if (typeof line !== 'string') throw new Error('the product could not be started');
  project.provide('product', JSON.parse(line) as { folder: string; traceFile: string; online: number });
  return async () => {
    child.stdin.end();
    if (await ended !== 0) throw new Error('the product did not end as it should');
  };
}
