import { X509Certificate, createPrivateKey } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { env } from './environment.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-env-'));
  file = join(folder, '.env');
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});
const read = () => parseEnv(readFileSync(file, 'utf8')) as Record<string, string>;

it('the environment file is made once, readable by its owner only, with a Kafka key and certificate', async () => {
  await env(file);
  const made = read();
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const certificate = new X509Certificate(Buffer.from(made['CARILLON_KAFKA_CERTIFICATE']!, 'base64'));
  const key = createPrivateKey({
    key: Buffer.from(made['CARILLON_KAFKA_KEY']!, 'base64'),
    format: 'der',
    type: 'pkcs8',
  });
  expect(certificate.checkPrivateKey(key)).toBe(true);
  expect([certificate.checkHost('kafka'), certificate.checkIP('127.0.0.1'), certificate.ca]).toEqual([
    'kafka',
    '127.0.0.1',
    false,
  ]);
  expect(certificate.validToDate.getTime() - Date.now()).toBeGreaterThan(9 * 365 * 86_400_000);
  await expect(env(file)).rejects.toThrow('is not written over');
  expect(read()).toEqual(made);
});

it('an older environment file gets the missing secrets; half of a key and certificate pair is refused', async () => {
  await env(file);
  const made = read();
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, `${text.replaceAll(/^CARILLON_KAFKA_(CERTIFICATE|KEY)=.*\n/gm, '')}CARILLON_HTTP_PORT=9000`);
  await env(file, { add: true });
  const {
    CARILLON_KAFKA_CERTIFICATE: certificate,
    CARILLON_KAFKA_KEY: key,
    CARILLON_HTTP_PORT: port,
    ...rest
  } = read();
  expect(port).toBe('9000');
  expect([certificate !== undefined, key !== undefined, certificate === made['CARILLON_KAFKA_CERTIFICATE']]).toEqual([
    true,
    true,
    false,
  ]);
  expect({ ...made, ...rest }).toEqual(made);
  writeFileSync(file, text.replace(/^CARILLON_KAFKA_KEY=.*\n/m, ''));
  await expect(env(file, { add: true })).rejects.toThrow('has CARILLON_KAFKA_CERTIFICATE alone');
});
