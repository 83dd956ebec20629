import { createHash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ico, jpg, png } from '@carillon/testing';
import { isShowable, readPicture } from '@carillon/contracts/picture';

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}
function pngOf(width: number, height: number, more: Buffer[] = []): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width);
  head.writeUInt32BE(height, 4);
  head.set([8, 0, 0, 0, 0], 8);
  return Buffer.concat([
    png.subarray(0, 8),
    chunk('IHDR', head),
    ...more,
    chunk('IDAT', deflateSync(Buffer.alloc(64))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
const segment = (marker: number, data: Buffer): Buffer =>
  Buffer.concat([Buffer.from([0xff, marker, (data.length + 2) >> 8, (data.length + 2) & 0xff]), data]);
/** Exif data with an orientation and the text of a place. */
const exif = segment(
  0xe1,
  Buffer.concat([
    Buffer.from('Exif\0\0', 'latin1'),
    Buffer.from([0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 0x01, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0]),
    Buffer.from('GPS 51.5 N'),
  ]),
);
const withSegments = (...segments: Buffer[]): Buffer =>
  Buffer.concat([jpg.subarray(0, 2), ...segments, jpg.subarray(2)]);

describe('a picture', () => {
  it('is recognized by its content, with its size', () => {
    expect([png, jpg, ico].map((bytes) => readPicture(bytes)).map((p) => [p?.kind, p?.width, p?.height])).toEqual([
      ['png', 1, 1],
      ['jpg', 160, 48],
      ['ico', 1, 1],
    ]);
  });

  it('of 20,000 by 20,000 pixels is not shown, however few bytes it has; nor one inside of an icon', () => {
    expect(isShowable(readPicture(pngOf(20_000, 20_000))!)).toBe(false);
    expect(isShowable(readPicture(pngOf(1, 4_097))!)).toBe(false);
    expect(isShowable(readPicture(pngOf(0, 1))!)).toBe(false);
    expect(isShowable(readPicture(pngOf(4_096, 4_096))!)).toBe(true);
    const big = pngOf(20_000, 20_000);
    const icon = Buffer.concat([ico.subarray(0, 22), big]);
    icon.writeUInt32LE(big.length, 14);
    expect(readPicture(icon)).toBeUndefined();
  });

  it('keeps nothing but the picture: no text, place, second picture or data behind its end', () => {
    const texted = pngOf(3, 3, [chunk('tEXt', Buffer.from('Author\0Somebody')), chunk('eXIf', Buffer.from('GPS'))]);
    expect(readPicture(texted)!.bytes).toEqual(new Uint8Array(pngOf(3, 3)));
    expect(readPicture(Buffer.concat([png, Buffer.from('<script>')]))).toBeUndefined();
    const photo = withSegments(exif, segment(0xfe, Buffer.from('a comment')), segment(0xe2, Buffer.from('MPF second')));
    const kept = Buffer.from(readPicture(Buffer.concat([photo, jpg]))!.bytes);
    for (const word of ['GPS', 'comment', 'MPF', 'ICC_PROFILE', 'Google'])
      expect(kept.includes(word), word).toBe(false);
    expect(kept.length).toBeLessThan(jpg.length);
    expect([kept.indexOf(Buffer.from([0xff, 0xda])) > 0, kept.subarray(-2)]).toEqual([true, Buffer.from([0xff, 0xd9])]);
    // The orientation belongs to the picture.
    expect(kept.includes(Buffer.from([0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6]))).toBe(true);
    // Cleaning twice changes nothing more.
    expect(Buffer.from(readPicture(kept)!.bytes)).toEqual(kept);
    expect(Buffer.from(readPicture(readPicture(jpg)!.bytes)!.bytes)).toEqual(Buffer.from(readPicture(jpg)!.bytes));
  });

  it('is read without an error, whatever is changed or cut off', () => {
    for (const bytes of [png, jpg, ico, withSegments(exif), pngOf(2, 2, [chunk('tEXt', Buffer.from('x'))])])
      for (let i = 0; i < 3_000; i++) {
        const seed = createHash('sha256').update(`${bytes.length} ${i}`).digest();
        const changed = Buffer.from(bytes);
        for (let k = 0; k < 1 + (i % 4); k++) changed[seed.readUInt32BE(k * 4) % changed.length] = seed[20 + k]!;
        const cut = i % 3 === 0 ? changed.subarray(0, seed.readUInt16BE(28) % changed.length) : changed;
        const read = readPicture(cut);
        if (read) expect(read.bytes.length).toBeLessThanOrEqual(cut.length + 36);
      }
  });
});
