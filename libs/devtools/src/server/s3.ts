import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { builtWithGo } from './cached-tool.ts';

export interface S3Server {
  pid: number;
  endpoint: string;
  process: ChildProcess;
  stop(): Promise<void>;
}

const answers = (port: number): Promise<boolean> =>
  new Promise((done) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.once('connect', () => done(true)).once('error', () => done(false));
    socket.once('connect', () => socket.destroy());
  });

/** Returns whether Go is there to build the store. */
export const canStartS3 = (): boolean =>
  process.env['CARILLON_TEST_S3'] !== 'no' && spawnSync('go', ['version'], { stdio: 'ignore' }).status === 0;

/** Returns the folder of the program; Go builds it once. */
export const ensureS3 = (): Promise<string> => builtWithGo('s3', [['github.com/versity/versitygw/cmd/versitygw']]);

/** Starts an S3 store on loopback, with its buckets as folders in `dir`. */
export async function startS3(options: {
  port: number;
  dir: string;
  keyId: string;
  keySecret: string;
}): Promise<S3Server> {
  const { port, dir } = options;
  const folder = await ensureS3();
  mkdirSync(join(dir, 'meta'), { recursive: true });
  mkdirSync(join(dir, 'buckets'), { recursive: true });
  // Attributes go into files, because some temporary file systems have no extended attributes.
  const store = ['posix', '--sidecar', join(dir, 'meta'), join(dir, 'buckets')];
  const child = spawn(join(folder, 'versitygw'), ['--port', `127.0.0.1:${port}`, '--quiet', ...store], {
    cwd: dir,
    stdio: 'ignore',
    env: { PATH: '/usr/bin:/bin', ROOT_ACCESS_KEY_ID: options.keyId, ROOT_SECRET_ACCESS_KEY: options.keySecret },
  });
  let hasEnded = false;
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve()).once('error', () => resolve());
  }).then(() => {
    hasEnded = true;
  });
  const until = Date.now() + 60_000;
  while (!(await answers(port))) {
    if (hasEnded || Date.now() > until) {
      child.kill('SIGKILL');
      throw new Error(`the S3 store did not start on port ${port}`);
    }
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
  }
  return {
    pid: child.pid!,
    endpoint: `http://127.0.0.1:${port}`,
    process: child,
    async stop() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
