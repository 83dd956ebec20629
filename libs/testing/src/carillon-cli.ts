import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';

export const projectRoot = resolve(import.meta.dirname, '../../..');

export interface CliAnswer {
  code: number | null;
  stdout: string;
  stderr: string;
  ms: number;
}
export interface CliOptions {
  env?: Record<string, string>;
  /** Program and arguments before `./carillon`, such as another user or a limit. */
  through?: readonly string[];
  root?: string;
}

/** Runs `./carillon` and waits for its end. */
export function carillon(args: readonly string[], options: CliOptions = {}): Promise<CliAnswer> {
  const began = performance.now();
  const [program, ...rest] = [...(options.through ?? []), join(options.root ?? projectRoot, 'carillon'), ...args];
  const child = spawn(program!, rest, {
    cwd: options.root ?? projectRoot,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (text: Buffer) => {
    stdout += text.toString();
  });
  child.stderr.on('data', (text: Buffer) => {
    stderr += text.toString();
  });
  return new Promise((done, reject) => {
    child.on('error', reject);
    // `exit`, not `close`: background processes may hold the pipes.
    child.on('exit', (code) => setImmediate(() => done({ code, stdout, stderr, ms: performance.now() - began })));
  });
}
