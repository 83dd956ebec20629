import { crc32, deflateRawSync, gzipSync } from 'node:zlib';

/** An entry of an archive; its declaration may be false. */
export interface ZipEntry {
  name: string;
  bytes: Buffer;
  /** Offset of the stored bytes when they are shared with another entry. */
  at?: number;
  /** Declared size, when it differs from the true one. */
  size?: number;
}

/** Builds a packed ZIP file. */
export function zipOf(entries: readonly ZipEntry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, bytes, at, size } of entries) {
    const packed = deflateRawSync(bytes);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt32LE(crc32(bytes), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(size ?? bytes.length, 18);
    fields.writeUInt16LE(Buffer.byteLength(name), 22);
    directory.push(
      Buffer.from([0x50, 0x4b, 1, 2, 20, 0]),
      fields,
      Buffer.alloc(10),
      Buffer.from(new Uint32Array([at ?? offset]).buffer),
      Buffer.from(name),
    );
    if (at !== undefined) continue;
    const local = Buffer.concat([Buffer.from([0x50, 0x4b, 3, 4]), fields, Buffer.from(name), packed]);
    parts.push(local);
    offset += local.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, list, end]);
}

const bytes = (...list: number[]): Buffer => Buffer.from(list);
const noise = (length = 64): Buffer => Buffer.from(Array.from({ length }, (_, i) => (i * 37 + 11) % 256));

function png(width: number, height: number): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  return Buffer.concat([
    bytes(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13),
    Buffer.from('IHDR'),
    head,
    noise(),
  ]);
}
function tar(): Buffer {
  const head = Buffer.alloc(512);
  head.write('a.txt', 0);
  head.fill(' ', 148, 156);
  head.write(
    head
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, '0') + '\0 ',
    148,
  );
  return Buffer.concat([head, Buffer.alloc(1_024)]);
}
function sevenZip(): Buffer {
  const start = Buffer.alloc(20);
  start.writeBigUInt64LE(16n, 0);
  start.writeBigUInt64LE(8n, 8);
  const sum = Buffer.alloc(4);
  sum.writeUInt32LE(crc32(start));
  return Buffer.concat([bytes(0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c, 0, 4), sum, start, noise(24)]);
}
const bmp = Buffer.concat([Buffer.from('BM'), Buffer.alloc(12), bytes(40, 0, 0, 0), Buffer.alloc(60)]);
const der = Buffer.concat([bytes(0x30, 0x82, 0, 64), noise(64)]);
const pem = Buffer.from('-----BEGIN CERTIFICATE-----\nTUlJ\n-----END CERTIFICATE-----\n');

/** A valid file for each extension of the product's description. */
export const goodFiles: Readonly<Record<string, Buffer>> = {
  '.bmp': bmp,
  '.png': png(320, 240),
  '.z': Buffer.concat([bytes(0x1f, 0x9d, 0x90), noise()]),
  '.zip': zipOf([{ name: 'a.txt', bytes: Buffer.from('hello') }]),
  '.bin': noise(512),
  '.xml': Buffer.from('<?xml version="1.0"?><phone><ring>1</ring></phone>'),
  '.vcf': Buffer.from('BEGIN:VCARD\r\nFN:Anna\r\nEND:VCARD\r\n'),
  '.csv': Buffer.from('name;number\nÄnne;101\n'),
  '.7z': sevenZip(),
  '.pem': pem,
  '.crt': der,
  '.key': Buffer.from('-----BEGIN PRIVATE KEY-----\nTUlJ\n-----END PRIVATE KEY-----\n'),
  '.ovpn': Buffer.from('client\nremote vpn.example.com 1194\n'),
  '.tar': tar(),
  '.gz': gzipSync('hello'),
  '.der': der,
  '.txt': Buffer.from('\ufeffwords', 'utf16le'),
  '.cfg': Buffer.from('account.1.label = Hall\n'),
  '.wav': Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVEfmt ', 'latin1'), noise()]),
  '.apk': zipOf([{ name: 'AndroidManifest.xml', bytes: noise() }]),
  '.img': noise(512),
};

const zeros = Buffer.alloc(120_000_000);
/** Files that unpack to far more than their size. */
export const bombs: Readonly<Record<string, Buffer>> = {
  'zeros.zip': zipOf([{ name: 'zeros', bytes: zeros }]),
  'says-more.zip': zipOf([
    { name: 'a', bytes: Buffer.from('a'), size: 0xffff_fff0 },
    { name: 'b', bytes: Buffer.from('b') },
  ]),
  'shared.zip': zipOf([
    { name: 'a', bytes: Buffer.from('hello') },
    { name: 'b', bytes: Buffer.from('hello'), at: 0 },
  ]),
  'zeros.gz': gzipSync(zeros),
  'zeros.bin': gzipSync(zeros),
  'laughs.xml': Buffer.from('<!DOCTYPE a [<!ENTITY b "bb"><!ENTITY c "&b;&b;">]><a>&c;</a>'),
  'field.png': png(60_000, 60_000),
  'app.apk': zipOf([
    { name: 'AndroidManifest.xml', bytes: Buffer.from('a') },
    { name: 'zeros', bytes: zeros },
  ]),
};

/** Files whose content does not match the extension. */
export const wrongFiles: Readonly<Record<string, Buffer>> = {
  'page.bin': Buffer.from('<!doctype html><title>404</title>'),
  'program.bin': Buffer.concat([Buffer.from('MZ'), noise()]),
  'picture.img': png(10, 10),
  'text.z': Buffer.from('no image at all'),
  'bell.wav': png(10, 10),
  'logo.png': bmp,
  'logo.bmp': Buffer.from('BMW is no picture, it is a car of many years'),
  'pack.zip': noise(512),
  'half.zip': zipOf([{ name: 'a.txt', bytes: Buffer.from('hello') }]).subarray(0, -30),
  'out.zip': zipOf([{ name: '../../etc/passwd', bytes: Buffer.from('x') }]),
  'app.apk': zipOf([{ name: 'readme.txt', bytes: Buffer.from('no app') }]),
  'words.txt': Buffer.concat([Buffer.from('words'), Buffer.alloc(8)]),
  'phones.csv': noise(512),
  'people.vcf': Buffer.from('name;number'),
  'conf.xml': Buffer.from('{"json":true}'),
  'key.pem': der,
  'cert.crt': Buffer.concat([der, noise(5)]),
  'cert.der': pem,
  'files.tar': noise(1_024),
  'files.7z': Buffer.concat([bytes(0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c), noise(64)]),
  'files.gz': Buffer.concat([bytes(0x1f, 0x8b, 0x08), noise()]),
};
