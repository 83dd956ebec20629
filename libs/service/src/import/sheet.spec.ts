import { expect, test } from 'vitest';
import { crc32, deflateRawSync } from 'node:zlib';
import { CFB, utils, write, type BookType } from '@e965/xlsx';
import { readSheet } from './sheet.ts';

const book = (rows: unknown[][], bookType: BookType = 'xlsx') => {
  const made = utils.book_new();
  utils.book_append_sheet(made, utils.aoa_to_sheet(rows), 'Sheet');
  return write(made, { type: 'buffer', bookType, compression: true }) as Buffer;
};
const refusal = (file: Buffer, limits = {}): Promise<unknown> =>
  readSheet(file, limits).then(
    () => 'none',
    (e: { key: string }) => e.key,
  );

test.each(['xlsx', 'biff8'] as const)(
  '%s: reads cells as text, numbers as their digits, and ignores surrounding empty cells',
  async (type) => {
    const rows = [[], ['Name', 'Number', '__proto__'], ['Ä 日本', 13800138000, 'x'], [], [null, true, null]];
    expect(await readSheet(book(rows, type))).toEqual({
      name: 'Sheet',
      headers: ['Name', 'Number', '__proto__'],
      rows: [
        { number: 3, cells: ['Ä 日本', '13800138000', 'x'], marks: { 1: 'number' } },
        { number: 5, cells: ['', 'true', ''] },
      ],
    });
  },
);

/** Builds a ZIP file. `declared`: the size that each entry claims; `zip64`: sizes are in the ZIP64 field. */
function zip(
  entries: Record<string, Buffer>,
  { declared, zip64 = false }: { declared?: number; zip64?: boolean } = {},
): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, content] of Object.entries(entries)) {
    const packedBytes = deflateRawSync(content);
    const title = Buffer.from(name);
    const sizes = Buffer.alloc(18);
    sizes.writeUInt16LE(8, 0);
    sizes.writeUInt32LE(crc32(content), 6);
    sizes.writeUInt32LE(packedBytes.length, 10);
    sizes.writeUInt32LE(declared ?? content.length, 14);
    const lengths = Buffer.alloc(4);
    lengths.writeUInt16LE(title.length, 0);
    const head = Buffer.concat([Buffer.from('504b030414000000', 'hex'), sizes, lengths, title]);
    const offset = Buffer.alloc(14);
    offset.writeUInt32LE(at, 10);
    const far = Buffer.alloc(zip64 ? 20 : 0);
    const [directorySizes, directoryLengths] = [Buffer.from(sizes), Buffer.from(lengths)];
    if (zip64) {
      far.writeUInt16LE(1, 0);
      far.writeUInt16LE(16, 2);
      far.writeBigUInt64LE(BigInt(content.length), 4);
      far.writeBigUInt64LE(BigInt(packedBytes.length), 12);
      directorySizes.writeUInt32LE(0xffffffff, 10);
      directorySizes.writeUInt32LE(0xffffffff, 14);
      directoryLengths.writeUInt16LE(far.length, 2);
    }
    directory.push(
      Buffer.concat([Buffer.from('504b0102140014000000', 'hex'), directorySizes, directoryLengths, offset, title, far]),
    );
    parts.push(head, packedBytes);
    at += head.length + packedBytes.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(directory.length, 8);
  end.writeUInt16LE(directory.length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, list, end]);
}
/** Returns the parts of a workbook. */
function partsOf(file: Buffer): Record<string, Buffer> {
  const { FileIndex, FullPaths } = CFB.read(file, { type: 'buffer' }) as {
    FileIndex: { content?: Uint8Array }[];
    FullPaths: string[];
  };
  return Object.fromEntries(
    FileIndex.flatMap(({ content }, n) => {
      const path = FullPaths[n]!.replace(/^Root Entry\//, '');
      return content && content.length > 0 && !path.startsWith('\u0001') ? [[path, Buffer.from(content)]] : [];
    }),
  );
}
const good = [['Name'], ['A']];

test('a workbook that is too large is refused before or while it is unpacked', async () => {
  const parts = partsOf(book(good));
  expect(await readSheet(zip(parts))).toMatchObject({ rows: [{ cells: ['A'] }] });
  const bomb = { ...parts, 'xl/worksheets/bomb.xml': Buffer.alloc(200_000_000) };
  const [honest, lying] = [zip(bomb), zip(bomb, { declared: 1_000 })];
  const began = performance.now();
  expect(await refusal(honest)).toBe('import.tooHeavy');
  expect(await refusal(lying)).toBe('import.tooHeavy');
  // Unpacking the bomb completely takes far longer, even on an idle machine.
  expect(performance.now() - began).toBeLessThan(10_000);
});

const renamed = (parts: Record<string, Buffer>, name: (path: string) => string): Record<string, Buffer> =>
  Object.fromEntries(Object.entries(parts).map(([path, content]) => [name(path), content]));
test.each<[string, (parts: Record<string, Buffer>) => Buffer]>([
  ['sizes in the ZIP64 part', (parts) => zip(parts, { zip64: true })],
  ['backslashes between folders', (parts) => zip(renamed(parts, (path) => path.replaceAll('/', '\\')))],
  ['lower-case names', (parts) => zip(renamed(parts, (path) => path.toLowerCase()))],
])('reads a workbook with %s', async (_, write) => {
  expect(await readSheet(write(partsOf(book(good))))).toMatchObject({ rows: [{ cells: ['A'] }] });
});

test('takes a text document for no workbook', async () => {
  const types = '<Types><Override ContentType="application/vnd.ms-word.document.main+xml"/></Types>';
  const parts = { ...partsOf(book(good)), '[Content_Types].xml': Buffer.from(types) };
  expect(await refusal(zip(parts))).toBe('file.typeWrong');
});

test('refuses one long text in more cells than there is room for', async () => {
  const long = 'x'.repeat(512);
  const rows = [
    Array.from({ length: 64 }, (_, n) => `H${n}`),
    ...Array.from({ length: 2_500 }, () => Array(64).fill(long)),
  ];
  expect(await refusal(book(rows))).toBe('import.tooHeavy');
});

test('macros, document types and entities are refused', async () => {
  const parts = partsOf(book(good));
  expect(await refusal(zip({ ...parts, 'xl/vbaProject.bin': Buffer.from('x') }))).toBe('import.macros');
  expect(await refusal(zip({ ...parts, 'xl/macrosheets/sheet1.xml': Buffer.from('x') }))).toBe('import.macros');
  const laughs = Buffer.from('<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY lol "lol">]><sst>&lol;</sst>');
  expect(await refusal(zip({ ...parts, 'xl/sharedStrings.xml': laughs }))).toBe('file.importFormat');
  const old = CFB.read(book(good, 'biff8'), { type: 'buffer' });
  CFB.utils.cfb_add(old, '/_VBA_PROJECT_CUR/VBA/dir', Buffer.from('x'));
  expect(await refusal(Buffer.from(CFB.write(old, { type: 'buffer' }) as Buffer))).toBe('import.macros');
});

test('too many rows or columns and too long work are refused with their limit', async () => {
  const wide = [Array.from({ length: 65 }, (_, n) => `H${n}`), ['A']];
  expect(await refusal(book(wide))).toBe('import.tooManyColumns');
  const long = [['Name'], ...Array.from({ length: 50_001 }, (_, n) => [`N${n}`])];
  expect(await refusal(book(long))).toBe('import.tooManyRows');
  expect((await readSheet(book(long.slice(0, 50_001)))).rows).toHaveLength(50_000);
  expect(await refusal(book(long), { seconds: 0.01 })).toBe('import.tooHeavy');
  expect(await refusal(book(long), { memoryMb: 8 })).toBe('import.tooHeavy');
});

test('of a formula the result is read, of an error that it is one, and what no database takes is left out', async () => {
  const sheet = utils.aoa_to_sheet([
    ['A', 'B', 'C'],
    [{ t: 'n', v: 3, f: '1+2' }, { t: 'e', v: 0x17 }, 'x\u0000\ud800y'],
  ]);
  const made = utils.book_new();
  utils.book_append_sheet(made, sheet, 'S');
  const file = write(made, { type: 'buffer', bookType: 'biff8' }) as Buffer;
  expect((await readSheet(Buffer.from(file))).rows[0]!.cells).toEqual(['3', '#REF!', expect.stringMatching(/^x.?y$/)]);
});

test('reads .csv when allowed: quoted values may hold separators and lines, and formulas stay text', async () => {
  const csv = (text: string) => readSheet(Buffer.from(text), { csv: true });
  const rows = [
    { number: 2, cells: ['=cmd|1!A1', 'two\nlines, one; value'] },
    { number: 4, cells: ['say "no"', ''] },
  ];
  for (const separator of [',', ';'])
    for (const end of ['\n', '\r\n', '\r'])
      for (const start of ['', '\uFEFF'])
        for (const last of ['', end])
          expect(
            await csv(
              start +
                [
                  ['Name', '"Number"'],
                  ['=cmd|1!A1', '"two\nlines, one; value"'],
                  ['', ''],
                  ['"say ""no"""', ''],
                ]
                  .map((row) => row.join(separator))
                  .join(end) +
                last,
            ),
          ).toEqual({ name: '', headers: ['Name', 'Number'], rows });
  expect(await csv('MAC\n0c383e000001')).toEqual({
    name: '',
    headers: ['MAC'],
    rows: [{ number: 2, cells: ['0c383e000001'] }],
  });
  expect(await refusal(Buffer.from('a,b\n1,2'))).toBe('file.typeWrong');
  for (const broken of ['a,b\n"1,2', 'a,b\n"1"2,3'])
    expect(await refusal(Buffer.from(broken), { csv: true })).toBe('file.importFormat');
});
