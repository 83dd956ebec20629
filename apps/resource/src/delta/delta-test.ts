import { createHash } from 'node:crypto';
import { zstdDecompressSync } from 'node:zlib';
import { expect } from 'vitest';

export const factsOf = (bytes: Buffer) => ({
  size: bytes.length,
  sha256: createHash('sha256').update(bytes).digest('hex'),
});

/** Applies a package by docs/device-link.md only, and fails on any deviation from it. */
export function applied(delta: Buffer, old: Buffer): Buffer {
  expect(delta.toString('latin1', 0, 8)).toBe('CRLDLT01');
  expect(delta.readUInt32LE(8)).toBe(old.length);
  expect(delta.toString('hex', 16, 48)).toBe(factsOf(old).sha256);
  const parts: Buffer[] = [];
  let at = 80;
  const next = (): number => delta.readUInt32LE((at += 4) - 4);
  for (let bytes = 0; bytes < delta.readUInt32LE(12);) {
    const [length, packed, count] = [next(), next(), next()];
    expect([length <= 524_288, packed <= 1_048_576, count <= 64]).toEqual([true, true, true]);
    const ranges = Array.from({ length: count }, () => [next(), next()] as const);
    const dictionary = Buffer.concat(
      ranges.map(([from, size]) => {
        expect(from + size).toBeLessThanOrEqual(old.length);
        return old.subarray(from, from + size);
      }),
    );
    expect(dictionary.length).toBeLessThanOrEqual(1_048_576);
    expect(dictionary.subarray(0, 4).toString('hex')).not.toBe('37a430ec');
    const frame = delta.subarray(at, (at += packed));
    // Its header has the content size, which a device needs to allocate memory.
    expect((frame[4]! & 0xc0) !== 0 || (frame[4]! & 0x20) !== 0).toBe(true);
    const part = zstdDecompressSync(frame, dictionary.length > 0 ? { dictionary } : {});
    expect(part.length).toBe(length);
    parts.push(part);
    bytes += length;
  }
  expect(at).toBe(delta.length);
  const image = Buffer.concat(parts);
  expect(delta.toString('hex', 48, 80)).toBe(factsOf(image).sha256);
  return image;
}
