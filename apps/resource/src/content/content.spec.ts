import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { bombs, goodFiles, wrongFiles } from './content-example.ts';
import { extensionOf, flawOf } from './content.ts';

const flaw = (name: string, bytes: Buffer) =>
  flawOf(
    {
      size: bytes.length,
      read: (start, length) => Promise.resolve(bytes.subarray(start, start + length)),
      // Pieces of any length, so that a searched word may be split between two.
      stream: () =>
        Readable.from(
          Array.from({ length: Math.ceil(bytes.length / 65_537) }, (_, i) =>
            bytes.subarray(i * 65_537, (i + 1) * 65_537),
          ),
        ),
    },
    extensionOf(name),
  );

test.each(Object.entries(goodFiles))('accepts a valid %s file', async (ending, bytes) => {
  expect(await flaw(`file${ending.toUpperCase()}`, bytes)).toBeUndefined();
});
test.each(Object.entries(wrongFiles))('recognizes %s as something else', async (name, bytes) => {
  expect(await flaw(name, bytes)).toBe('content');
});
test.each(Object.entries(bombs))('%s is a bomb', async (name, bytes) => {
  expect(await flaw(name, bytes)).toBe('bomb');
});
test('finds entity definitions across two pieces of a text, also in UTF-16', async () => {
  const entity = '<!ENTITY b "bb">';
  for (let shift = 65_520; shift < 65_540; shift++)
    expect(await flaw('a.xml', Buffer.from(`<a>${' '.repeat(shift - 3)}${entity}`)), String(shift)).toBe('bomb');
  expect(await flaw('a.xml', Buffer.from(`\ufeff<a>${entity}`, 'utf16le'))).toBe('bomb');
});
test('a large archive of ordinary files is no bomb', async () => {
  expect(await flaw('a.gz', goodFiles['.gz']!)).toBeUndefined();
  expect(extensionOf('a.tar.GZ')).toBe('.gz');
  expect(extensionOf('.zip/evil')).toBe('');
});
