/**
 * Recognizes pictures by content, not by declared type: only pictures are ever sent to a browser. They are rebuilt from
 * the parts that a picture needs, so that nothing else of the file is kept: no location, camera, text or second picture
 * behind the end (docs/adr/0015-pictures.md). For server and browser.
 */
export type PictureKind = 'jpg' | 'png' | 'ico';
export const pictureTypes: Record<PictureKind, string> = { jpg: 'image/jpeg', png: 'image/png', ico: 'image/x-icon' };
/** Most pixels per side: a browser allocates memory for all of them, however small the file is. */
export const pictureSide = 4_096;

export interface Picture {
  kind: PictureKind;
  width: number;
  height: number;
  /** The part of the file that is kept. */
  bytes: Uint8Array;
}

const begins = (bytes: Uint8Array, signature: readonly number[], at = 0): boolean =>
  signature.every((byte, i) => bytes[at + i] === byte);
const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
const joined = (parts: readonly Uint8Array[]): Uint8Array => {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
};
const fits = (width: number, height: number, most: number): boolean =>
  width > 0 && height > 0 && width <= most && height <= most;

const pngSignature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
/** PNG's critical chunks, and the transparency chunk. */
const pngChunks = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']);

function readPng(bytes: Uint8Array): Picture | undefined {
  const view = viewOf(bytes);
  const kept = [bytes.subarray(0, 8)];
  let [width, height, pixels] = [0, 0, 0];
  for (let at = 8; at + 12 <= bytes.length;) {
    const length = view.getUint32(at);
    const end = at + 12 + length;
    if (end > bytes.length) return undefined;
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    if ((at === 8) !== (type === 'IHDR')) return undefined;
    if (type === 'IHDR') {
      if (length !== 13) return undefined;
      [width, height] = [view.getUint32(at + 8), view.getUint32(at + 12)];
    }
    if (type === 'IDAT') pixels += length;
    if (pngChunks.has(type)) kept.push(bytes.subarray(at, end));
    if (type === 'IEND')
      return pixels > 0 && end === bytes.length ? { kind: 'png', width, height, bytes: joined(kept) } : undefined;
    at = end;
  }
  return undefined;
}

/** Segments that a decoder needs: frames, tables, restarts, the scan, and Adobe's colour transform. */
const jpegNeeds = (marker: number): boolean =>
  (marker >= 0xc0 && marker <= 0xcf) || marker === 0xdb || marker === 0xdd || marker === 0xda || marker === 0xee;
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

/** Returns the orientation of a photo (Exif, tag 0x0112); undefined when it has none. */
function orientationOf(exif: Uint8Array): number | undefined {
  if (!begins(exif, [0x45, 0x78, 0x69, 0x66, 0, 0]) || exif.length < 14) return undefined;
  const view = viewOf(exif.subarray(6));
  const little = view.getUint16(0) === 0x4949;
  const first = view.getUint32(4, little);
  if (first + 2 > view.byteLength) return undefined;
  const count = view.getUint16(first, little);
  for (let i = 0, at = first + 2; i < count && at + 12 <= view.byteLength; i++, at += 12) {
    const value = view.getUint16(at + 8, little);
    if (view.getUint16(at, little) === 0x0112 && value >= 2 && value <= 8) return value;
  }
  return undefined;
}

/** Returns an Exif segment with the orientation only. */
const exifOf = (orientation: number): Uint8Array =>
  Uint8Array.of(
    ...[0xff, 0xe1, 0, 34, 0x45, 0x78, 0x69, 0x66, 0, 0, 0x4d, 0x4d, 0, 42, 0, 0, 0, 8],
    ...[0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0],
  );

function readJpeg(bytes: Uint8Array): Picture | undefined {
  const view = viewOf(bytes);
  const kept: Uint8Array[] = [];
  let orientation: number | undefined;
  let frame: { width: number; height: number } | undefined;
  let scans = 0;
  for (let at = 2; at + 2 <= bytes.length;) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1]!;
    // A marker may have any number of leading 0xff bytes.
    if (marker === 0xff) {
      at++;
      continue;
    }
    if (marker === 0xd9) {
      if (!frame || scans === 0) return undefined;
      const start = [bytes.subarray(0, 2), ...(orientation === undefined ? [] : [exifOf(orientation)])];
      return { kind: 'jpg', ...frame, bytes: joined([...start, ...kept, Uint8Array.of(0xff, 0xd9)]) };
    }
    if (at + 4 > bytes.length) return undefined;
    const end = at + 2 + view.getUint16(at + 2);
    if (end > bytes.length || end < at + 4) return undefined;
    if (isFrame(marker)) {
      // Several frames mean hierarchical JPEG, which no browser shows.
      if (frame || end < at + 9) return undefined;
      frame = { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    }
    if (marker === 0xe1) orientation ??= orientationOf(bytes.subarray(at + 4, end));
    let next = end;
    if (marker === 0xda) {
      scans++;
      // Scan data: 0xff is followed by 0 or by a restart marker.
      while (next + 1 < bytes.length) {
        const after = bytes[next + 1]!;
        if (bytes[next] === 0xff && after !== 0 && after !== 0xff && !(after >= 0xd0 && after <= 0xd7)) break;
        next++;
      }
    }
    if (jpegNeeds(marker)) kept.push(bytes.subarray(at, next));
    at = next;
  }
  return undefined;
}

/** Reads an icon: each picture in its directory is a PNG or a bitmap within the icon size. */
function readIcon(bytes: Uint8Array): Picture | undefined {
  const view = viewOf(bytes);
  if (bytes.length < 22 || !begins(bytes, [0, 0, 1, 0])) return undefined;
  const count = view.getUint16(4, true);
  if (count < 1 || count > 64 || 6 + count * 16 > bytes.length) return undefined;
  const head = bytes.slice(0, 6 + count * 16);
  const inner: Uint8Array[] = [];
  let place = head.length;
  let [width, height] = [0, 0];
  for (let at = 6; at < head.length; at += 16) {
    const [size, offset] = [view.getUint32(at + 8, true), view.getUint32(at + 12, true)];
    if (size <= 40 || offset < head.length || offset + size > bytes.length) return undefined;
    const one = readIconPicture(bytes.subarray(offset, offset + size));
    if (!one || !fits(one.width, one.height, 512)) return undefined;
    viewOf(head).setUint32(at + 8, one.bytes.length, true);
    viewOf(head).setUint32(at + 12, place, true);
    inner.push(one.bytes);
    place += one.bytes.length;
    [width, height] = [Math.max(width, one.width), Math.max(height, one.height)];
  }
  return { kind: 'ico', width, height, bytes: joined([head, ...inner]) };
}

function readIconPicture(bytes: Uint8Array): Pick<Picture, 'width' | 'height' | 'bytes'> | undefined {
  if (begins(bytes, pngSignature)) return readPng(bytes);
  const view = viewOf(bytes);
  // A bitmap's height includes its mask.
  return view.getUint32(0, true) === 40
    ? { width: view.getInt32(4, true), height: view.getInt32(8, true) / 2, bytes }
    : undefined;
}

/** Returns the picture of a file, without foreign data; undefined when the type is not supported. */
export function readPicture(bytes: Uint8Array): Picture | undefined {
  if (begins(bytes, pngSignature)) return readPng(bytes);
  return begins(bytes, [0xff, 0xd8, 0xff]) ? readJpeg(bytes) : readIcon(bytes);
}

/** Returns whether a browser can show it within the pixel limit. */
export const isShowable = ({ width, height }: Picture): boolean => fits(width, height, pictureSide);
