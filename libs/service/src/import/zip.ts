import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';

/** An entry as the directory of a ZIP file declares it; not unpacked. */
export interface ZipEntry {
  /** Its path with `/` between the folders, whatever the writer used. */
  name: string;
  /** Declared unpacked size in bytes. */
  size: number;
  packedSize: number;
  method: number;
  /** Offset of its own header. */
  at: number;
}

const endMark = 0x06054b50;
const entryMark = 0x02014b50;
const headerMark = 0x04034b50;
const locatorMark = 0x07064b50;
const end64Mark = 0x06064b50;
/** A workbook has a few dozen. */
const mostEntries = 2_000;
/** The value of a 32-bit field whose number is in the ZIP64 field instead. */
const elsewhere = 0xffffffff;

/** Returns the number of entries and the offset of the directory, which ZIP64 stores in a record before the end. */
function directoryOf(bytes: Buffer, end: number): { count: number; at: number } | undefined {
  const [count, at] = [bytes.readUInt16LE(end + 10), bytes.readUInt32LE(end + 16)];
  if (count !== 0xffff && at !== elsewhere) return { count, at };
  if (end < 20 || bytes.readUInt32LE(end - 20) !== locatorMark) return undefined;
  const record = Number(bytes.readBigUInt64LE(end - 12));
  if (record + 56 > end || bytes.readUInt32LE(record) !== end64Mark) return undefined;
  return { count: Number(bytes.readBigUInt64LE(record + 32)), at: Number(bytes.readBigUInt64LE(record + 48)) };
}

/** Returns the sizes and the offset of an entry, taken from its ZIP64 field when the usual fields refer to it. */
function numbersOf(bytes: Buffer, at: number): Pick<ZipEntry, 'size' | 'packedSize' | 'at'> | undefined {
  const usual = [bytes.readUInt32LE(at + 24), bytes.readUInt32LE(at + 20), bytes.readUInt32LE(at + 42)];
  let field = at + 46 + bytes.readUInt16LE(at + 28);
  const last = field + bytes.readUInt16LE(at + 30);
  let from = usual.includes(elsewhere) ? undefined : 0;
  for (; from === undefined && field + 4 <= last; field += 4 + bytes.readUInt16LE(field + 2))
    if (bytes.readUInt16LE(field) === 1) from = field + 4;
  if (from === undefined) return undefined;
  const numbers = usual.map((number) => {
    if (number !== elsewhere) return number;
    const read = from! + 8 <= last ? Number(bytes.readBigUInt64LE(from)) : Number.NaN;
    from! += 8;
    return read;
  });
  const [size, packedSize, header] = numbers as [number, number, number];
  return numbers.every(Number.isSafeInteger) ? { size, packedSize, at: header } : undefined;
}

/**
 * Returns the entries that a ZIP file declares; undefined when it is not a ZIP file, or one that no spreadsheet program
 * writes.
 */
export function zipEntries(bytes: Buffer): ZipEntry[] | undefined {
  if (bytes.length < 22 || bytes.readUInt32LE(0) !== headerMark) return undefined;
  const end = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  if (end === -1 || end + 22 > bytes.length || bytes.readUInt32LE(end) !== endMark) return undefined;
  const directory = directoryOf(bytes, end);
  if (!directory || directory.count === 0 || directory.count > mostEntries) return undefined;
  const entries: ZipEntry[] = [];
  let at = directory.at;
  for (let i = 0; i < directory.count; i++) {
    if (at + 46 > end || bytes.readUInt32LE(at) !== entryMark) return undefined;
    const length = bytes.readUInt16LE(at + 28);
    const next = at + 46 + length + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
    const numbers = next > end ? undefined : numbersOf(bytes, at);
    if (!numbers) return undefined;
    const name = bytes.toString('utf8', at + 46, at + 46 + length).replaceAll('\\', '/');
    entries.push({ name, method: bytes.readUInt16LE(at + 10), ...numbers });
    at = next;
  }
  return entries;
}

/** Returns the packed bytes of an entry; undefined when they are outside of the file. */
export function packed(bytes: Buffer, { at, packedSize }: ZipEntry): Buffer | undefined {
  if (at + 30 > bytes.length || bytes.readUInt32LE(at) !== headerMark) return undefined;
  const start = at + 30 + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28);
  return start + packedSize > bytes.length ? undefined : bytes.subarray(start, start + packedSize);
}

/** Returns the unpacked bytes of an entry; undefined when they are damaged or longer than `most`. */
export function unpacked(bytes: Buffer, entry: ZipEntry, most: number): Buffer | undefined {
  const content = packed(bytes, entry);
  if (entry.method === 0 || !content) return content;
  try {
    return inflateRawSync(content, { maxOutputLength: most });
  } catch {
    return undefined;
  }
}

/**
 * Returns a ZIP file of these parts, whose sizes, sums and names are right, whatever they were before. `method`: 0 leaves
 * them unpacked, 8 packs them.
 */
export function zipOf(parts: ReadonlyMap<string, Buffer>, method: 0 | 8): Buffer {
  const [files, directory]: [Buffer[], Buffer[]] = [[], []];
  let at = 0;
  for (const [name, content] of parts) {
    const title = Buffer.from(name);
    const held = method === 8 ? deflateRawSync(content) : content;
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt16LE(method, 4);
    facts.writeUInt32LE(crc32(content), 10);
    facts.writeUInt32LE(held.length, 14);
    facts.writeUInt32LE(content.length, 18);
    facts.writeUInt16LE(title.length, 22);
    const head = Buffer.alloc(4);
    head.writeUInt32LE(headerMark);
    const entry = Buffer.alloc(6);
    entry.writeUInt32LE(entryMark);
    entry.writeUInt16LE(20, 4);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(at, 10);
    files.push(head, facts, title, held);
    directory.push(entry, facts, place, title);
    at += 30 + title.length + held.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(endMark);
  end.writeUInt16LE(parts.size, 8);
  end.writeUInt16LE(parts.size, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...files, list, end]);
}
