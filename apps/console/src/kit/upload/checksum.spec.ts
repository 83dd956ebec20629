import { createHash, randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { checksumOf } from './checksum.ts';

const { signal } = new AbortController();

it.each([0, 1_000, 33_554_432, 33_554_433])('computes the checksum of %i bytes, with progress', async (size) => {
  const bytes = randomBytes(size);
  const read: number[] = [];
  const sum = await checksumOf(new Blob([bytes]), (n) => read.push(n), signal);
  expect(sum).toBe(createHash('sha256').update(bytes).digest('hex'));
  expect(read.at(-1)).toBe(size);
  expect(read).toHaveLength(size > 33_554_432 ? 33 : 1);
});

it('stops to read a large file when it is aborted', async () => {
  const stop = new AbortController();
  const read: number[] = [];
  const reading = checksumOf(
    new Blob([randomBytes(34_000_000)]),
    (n) => {
      read.push(n);
      stop.abort();
    },
    stop.signal,
  );
  await expect(reading).rejects.toThrow('aborted');
  expect(read).toHaveLength(1);
});
