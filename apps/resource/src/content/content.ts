import { crc32, createGunzip } from 'node:zlib';
import { pipeline } from 'node:stream/promises';
import type { FileBytes, Flaw } from './file-bytes.ts';
import { checkZip, isBomb } from './zip.ts';

type Check = (file: FileBytes, head: Buffer) => Flaw | undefined | Promise<Flaw | undefined>;

const when = (right: boolean): Flaw | undefined => (right ? undefined : 'content');
const begins = (head: Buffer, ...bytes: number[]): boolean => head.subarray(0, bytes.length).equals(Buffer.from(bytes));
const says = (head: Buffer, at: number, text: string): boolean =>
  head.toString('latin1', at, at + text.length) === text;

const isUtf16 = (head: Buffer): boolean => begins(head, 0xff, 0xfe) || begins(head, 0xfe, 0xff);
/** As letters, whatever their width, without the mark before them. */
const letters = (head: Buffer): string =>
  head
    .toString('latin1')
    .replaceAll('\0', '')
    .replace(/^(\xff\xfe|\xfe\xff|\xef\xbb\xbf)/, '')
    .trimStart();

/** Bytes that no text of any alphabet has. */
const noText = /[\x00-\x08\x0e-\x1a\x1c-\x1f]/;

/** A text to its end. One that defines words for longer ones (XML's entities) multiplies itself when it is read. */
async function checkText(file: FileBytes, head: Buffer, multiplies: boolean): Promise<Flaw | undefined> {
  const wide = isUtf16(head);
  let rest = '';
  for await (const part of file.stream() as AsyncIterable<Buffer>) {
    const text = part.toString('latin1');
    if (!wide && noText.test(text)) return 'content';
    if (!multiplies) continue;
    const seen = rest + text.replaceAll('\0', '');
    if (seen.includes('<!ENTITY')) return 'bomb';
    rest = seen.slice(-8);
  }
  return undefined;
}
const text: Check = (file, head) => checkText(file, head, false);

/** One value of ASN.1 that is as long as the file. */
function isDer(file: FileBytes, head: Buffer): boolean {
  if (head[0] !== 0x30 || head.length < 4) return false;
  const first = head[1]!;
  if (first < 0x80) return file.size === first + 2;
  const digits = first & 0x7f;
  return digits >= 1 && digits <= 4 && file.size === head.readUIntBE(2, digits) + 2 + digits;
}
const isPem = (head: Buffer): boolean => /-----BEGIN [A-Z0-9 ]+-----/.test(head.toString('latin1'));

function png(head: Buffer): Flaw | undefined {
  if (!begins(head, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a) || !says(head, 12, 'IHDR') || head.length < 24)
    return 'content';
  // A picture of one colour packs a thousandfold, and no screen has so many points.
  return head.readUInt32BE(16) * head.readUInt32BE(20) > 100_000_000 ? 'bomb' : undefined;
}

const gzip: Check = async (file, head) => {
  if (!begins(head, 0x1f, 0x8b, 0x08)) return 'content';
  let unpacked = 0;
  let bomb = false;
  try {
    await pipeline(file.stream(), createGunzip(), async (parts: AsyncIterable<Buffer>) => {
      for await (const part of parts) {
        unpacked += part.length;
        if (isBomb(unpacked, file.size)) {
          bomb = true;
          throw new Error('a bomb');
        }
      }
    });
  } catch {
    return bomb ? 'bomb' : 'content';
  }
  return undefined;
};

/** Its header names where the directory is, which is packed itself: what it unpacks to stands nowhere in clear. */
async function sevenZip(file: FileBytes, head: Buffer): Promise<Flaw | undefined> {
  if (!begins(head, 0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c) || head.length < 32) return 'content';
  if (crc32(head.subarray(12, 32)) !== head.readUInt32LE(8)) return 'content';
  const end = 32n + head.readBigUInt64LE(12) + head.readBigUInt64LE(20);
  return when(end <= BigInt(file.size));
}

/** The sum that stands in the first header, with blanks in its own place. */
function isTar(head: Buffer): boolean {
  if (head.length < 512) return false;
  const sum = head.subarray(0, 512).reduce((total, byte, i) => total + (i >= 148 && i < 156 ? 32 : byte), 0);
  return Number.parseInt(head.toString('latin1', 148, 156).replaceAll(/[\0 ]/g, ''), 8) === sum;
}

/** Images of makers have every form: what is known to be something else is none, as a page, a picture or a program. */
const image: Check = async (file, head) => {
  const other =
    png(head) !== 'content' ||
    begins(head, 0xff, 0xd8, 0xff) ||
    ['GIF8', '%PDF', 'MZ', 'BM'].some((mark) => says(head, 0, mark)) ||
    (says(head, 0, 'RIFF') && says(head, 8, 'WAVE')) ||
    isPem(head) ||
    !noText.test(head.toString('latin1')) ||
    isUtf16(head);
  if (other) return 'content';
  // Many are archives by another name.
  if (begins(head, 0x50, 0x4b, 0x03, 0x04)) return (await checkZip(file)) === 'bomb' ? 'bomb' : undefined;
  if (begins(head, 0x1f, 0x8b, 0x08)) return (await gzip(file, head)) === 'bomb' ? 'bomb' : undefined;
  return undefined;
};

/** What stands in a file of each ending. One that the operator added and that is not here is an image of a maker. */
const checks: Readonly<Record<string, Check>> = {
  '.png': (_, head) => png(head),
  '.bmp': (file, head) =>
    when(says(head, 0, 'BM') && head.length >= 26 && [12, 40, 52, 56, 64, 108, 124].includes(head.readUInt32LE(14))),
  '.wav': (_, head) => when(says(head, 0, 'RIFF') && says(head, 8, 'WAVE')),
  '.zip': (file) => checkZip(file),
  '.apk': (file) => checkZip(file, 'AndroidManifest.xml'),
  '.7z': sevenZip,
  '.gz': gzip,
  '.tar': (_, head) => when(isTar(head)),
  '.xml': async (file, head) => when(letters(head).startsWith('<')) ?? checkText(file, head, true),
  '.vcf': async (file, head) => when(/^BEGIN:VCARD/i.test(letters(head))) ?? text(file, head),
  '.csv': text,
  '.txt': text,
  '.cfg': text,
  '.ovpn': text,
  '.pem': (_, head) => when(isPem(head)),
  '.crt': (file, head) => when(isPem(head) || isDer(file, head)),
  '.key': (file, head) => when(isPem(head) || isDer(file, head)),
  '.der': (file, head) => when(isDer(file, head)),
};

/** The ending of a name, with its dot; empty when it has none. */
export const extensionOf = (name: string): string => /\.[A-Za-z0-9]{1,16}$/.exec(name)?.[0].toLowerCase() ?? '';

/** What is wrong with a file of that ending, by its content (STORE-05). */
export async function flawOf(file: FileBytes, extension: string): Promise<Flaw | undefined> {
  const head = await file.read(0, 4_096);
  return (checks[extension] ?? image)(file, head);
}
