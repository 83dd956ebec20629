import type { FileBytes, Flaw } from './file-bytes.ts';

const endMark = 0x06054b50;
const entryMark = 0x02014b50;
const mostEntries = 60_000;
const mostDirectory = 67_108_864;

/** Files that unpack to less are never bombs, however well they are packed; above it the ratio decides. */
export const harmless = 104_857_600;
export const mostTimes = 100;
export const mostUnpacked = 4_294_967_295;
export const isBomb = (unpacked: number, packed: number): boolean =>
  unpacked >= mostUnpacked || (unpacked > harmless && unpacked > packed * mostTimes);

/** Returns whether a name leads out of the target folder. */
const leadsOut = (name: string): boolean => /^([/\\]|[A-Za-z]:)/.test(name) || name.split(/[/\\]/).includes('..');

/** Checks the directory of a ZIP file without unpacking: its declarations, and whether they are plausible. */
export async function checkZip(file: FileBytes, mustHold?: string): Promise<Flaw | undefined> {
  const tail = await file.read(Math.max(0, file.size - 65_557), 65_557);
  const end = tail.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  if (end < 0 || tail.length - end < 22 || tail.readUInt32LE(end) !== endMark) return 'content';
  const count = tail.readUInt16LE(end + 10);
  const length = tail.readUInt32LE(end + 12);
  const start = tail.readUInt32LE(end + 16);
  // ZIP64 is only needed for files above the size limit.
  if (count > mostEntries || length > mostDirectory) return 'bomb';
  if (start + length > file.size) return 'content';
  const directory = await file.read(start, length);
  const spans: [from: number, to: number][] = [];
  let unpacked = 0;
  let held = mustHold === undefined;
  let at = 0;
  for (let i = 0; i < count; i++) {
    if (at + 46 > directory.length || directory.readUInt32LE(at) !== entryMark) return 'content';
    const packed = directory.readUInt32LE(at + 20);
    const size = directory.readUInt32LE(at + 24);
    const nameLength = directory.readUInt16LE(at + 28);
    const from = directory.readUInt32LE(at + 42);
    const name = directory.toString('utf8', at + 46, at + 46 + nameLength);
    if (leadsOut(name)) return 'content';
    if (size >= mostUnpacked) return 'bomb';
    held ||= name === mustHold;
    unpacked += size;
    spans.push([from, from + 30 + nameLength + packed]);
    at += 46 + nameLength + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
  }
  if (isBomb(unpacked, file.size)) return 'bomb';
  // Entries that share bytes unpack to more than any of them declares.
  spans.sort(([a], [b]) => a - b);
  if (spans.some(([from], i) => i > 0 && from < spans[i - 1]![1])) return 'bomb';
  if (spans.length > 0 && spans.at(-1)![1] > start) return 'content';
  return held ? undefined : 'content';
}
