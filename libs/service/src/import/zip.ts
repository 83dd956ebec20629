/** An entry as the directory of a ZIP file declares it; not unpacked. */
export interface ZipEntry {
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
/** A workbook has a few dozen. */
const mostEntries = 2_000;

/**
 * Returns the entries that a ZIP file declares; undefined when it is not a ZIP file, or one that no spreadsheet program
 * writes.
 */
export function zipEntries(bytes: Buffer): ZipEntry[] | undefined {
  if (bytes.length < 22 || bytes.readUInt32LE(0) !== headerMark) return undefined;
  const end = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  if (end === -1 || end + 22 > bytes.length || bytes.readUInt32LE(end) !== endMark) return undefined;
  const count = bytes.readUInt16LE(end + 10);
  if (count === 0 || count > mostEntries) return undefined;
  const entries: ZipEntry[] = [];
  let at = bytes.readUInt32LE(end + 16);
  for (let i = 0; i < count; i++) {
    if (at + 46 > end || bytes.readUInt32LE(at) !== entryMark) return undefined;
    const length = bytes.readUInt16LE(at + 28);
    const [packedSize, size] = [bytes.readUInt32LE(at + 20), bytes.readUInt32LE(at + 24)];
    // ZIP64 stores sizes elsewhere: no file within the size limit needs it.
    if (size === 0xffffffff || packedSize === 0xffffffff || at + 46 + length > end) return undefined;
    entries.push({
      name: bytes.toString('utf8', at + 46, at + 46 + length),
      size,
      packedSize,
      method: bytes.readUInt16LE(at + 10),
      at: bytes.readUInt32LE(at + 42),
    });
    at += 46 + length + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return entries;
}

/** Returns the packed bytes of an entry; undefined when they are outside of the file. */
export function packed(bytes: Buffer, { at, packedSize }: ZipEntry): Buffer | undefined {
  if (at + 30 > bytes.length || bytes.readUInt32LE(at) !== headerMark) return undefined;
  const start = at + 30 + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28);
  return start + packedSize > bytes.length ? undefined : bytes.subarray(start, start + packedSize);
}
