import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@carillon/devtools/free-port';
import { startS3 } from '@carillon/devtools/s3';
import { guard } from './guard.ts';

/** A real S3 store for one test file. */
export interface TestS3 {
  endpoint: string;
  keyId: string;
  keySecret: string;
  /** Creates a bucket and returns its name. */
  bucket(): string;
  stop(): Promise<void>;
}

export async function testS3(): Promise<TestS3> {
  const dir = mkdtempSync(join(tmpdir(), 'carillon-s3-'));
  const [keyId, keySecret] = ['carillon', 'Store-Secret-1'];
  const server = await startS3({ port: await freePort(), dir, keyId, keySecret });
  const watched = guard(server.pid, 'versitygw', dir);
  server.process.unref();
  let buckets = 0;
  return {
    endpoint: server.endpoint,
    keyId,
    keySecret,
    bucket() {
      const name = `files-${buckets++}`;
      mkdirSync(join(dir, 'buckets', name));
      return name;
    },
    async stop() {
      await server.stop();
      watched.kill('SIGKILL');
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
