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
/** Returns the text of any character width, without a byte order mark. */
const letters = (head: Buffer): string =>
  head
    .toString('latin1')
    .replaceAll('\0', '')
    .replace(/^(\xff\xfe|\xfe\xff|\xef\xbb\xbf)/, '')
    .trimStart();

/** Bytes that occur in no text encoding. */
const noText = /[\x00-\x08\x0e-\x1a\x1c-\x1f]/;

/** Checks a text completely. A text that defines XML entities multiplies when it is parsed. */
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

/** Returns whether the file is one ASN.1 value of its whole length. */
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
  // A picture of one colour packs a thousandfold, but no screen has this many pixels.
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

/**
 * Checks a 7z file. Its header gives the offset of the directory, which is itself packed, so the unpacked size is
 * unknown.
 */
async function sevenZip(file: FileBytes, head: Buffer): Promise<Flaw | undefined> {
  if (!begins(head, 0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c) || head.length < 32) return 'content';
  if (crc32(head.subarray(12, 32)) !== head.readUInt32LE(8)) return 'content';
  const end = 32n + head.readBigUInt64LE(12) + head.readBigUInt64LE(20);
  return when(end <= BigInt(file.size));
}

/** Checks the checksum of the first header, in which its own field counts as blanks. */
function isTar(head: Buffer): boolean {
  if (head.length < 512) return false;
  const sum = head.subarray(0, 512).reduce((total, byte, i) => total + (i >= 148 && i < 156 ? 32 : byte), 0);
  return Number.parseInt(head.toString('latin1', 148, 156).replaceAll(/[\0 ]/g, ''), 8) === sum;
}

/**
 * Checks a firmware image. Manufacturers use any format, so only known other types are refused: a page, a picture, a
 * program.
 */
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
  // Many are renamed archives.
  if (begins(head, 0x50, 0x4b, 0x03, 0x04)) return (await checkZip(file)) === 'bomb' ? 'bomb' : undefined;
  if (begins(head, 0x1f, 0x8b, 0x08)) return (await gzip(file, head)) === 'bomb' ? 'bomb' : undefined;
  return undefined;
};

/** Checks by extension. An extension that the operator added and that is not listed is a firmware image. */
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

/** Returns the extension of a name with its dot; empty without one. */
export const extensionOf = (name: string): string => /\.[A-Za-z0-9]{1,16}$/.exec(name)?.[0].toLowerCase() ?? '';

/** Returns the flaw of a file with that extension, by its content (STORE-05). */
export async function flawOf(file: FileBytes, extension: string): Promise<Flaw | undefined> {
  const head = await file.read(0, 4_096);
  return (checks[extension] ?? image)(file, head);
}
