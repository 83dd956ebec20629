import { zstdCompressSync, zstdDecompressSync, constants } from 'node:zlib';

/**
 * Makes a differential package in the format `zstd-windows` (docs/device-link.md, Differential packages; the reasons
 * are in docs/adr/0032-deltas.md). Holds one window, its base data and an index of fixed size, however large the images
 * are. Knows nothing of the product.
 */
export interface ImageFacts {
  /** Size in bytes. */
  size: number;
  /** In hexadecimal digits. */
  sha256: string;
}

export interface DeltaIo {
  /** Returns exactly the requested bytes of an image. */
  read(side: 'from' | 'to', at: number, length: number): Promise<Uint8Array>;
  /** Writes the next part of the package; `percent` of the work is then done. */
  write(bytes: Uint8Array, percent: number): Promise<void>;
}

const windowBytes = 524_288;
/** Most bytes of the old image that one window may use. */
const dictionaryBytes = 1_048_576;
/** Unit from which a dictionary is assembled. */
const grainBytes = 16_384;
const mostGrains = dictionaryBytes / grainBytes;
const level = 12;
/** zstd would interpret a dictionary with this prefix as one with its own tables. */
const dictionaryMagic = 0xec30a437;

/**
 * Finds equal places by content-defined marks: a mark depends only on the preceding bytes, so that moved data has the
 * same ones.
 */
const reach = 64;
const mostMarks = 131_072;
/** Most probes for a mark, for any image. */
const mostProbes = 32;
const gears = Uint32Array.from({ length: 256 }, (_, n) => {
  let x = Math.imul(n + 1, 0x9e3779b1);
  x = Math.imul(x ^ (x >>> 15), 0x85ebca77);
  return x ^ (x >>> 13);
});

/** Calls `mark` with a hash of the bytes before each mark, and its position; one in `2 ** bits` positions is one. */
function eachMark(bytes: Uint8Array, bits: number, mark: (sum: number, at: number) => void): void {
  const shift = 32 - bits;
  let gear = 0;
  for (let n = 0; n < bytes.length; n++) {
    gear = ((gear << 1) + gears[bytes[n]!]!) | 0;
    if (gear >>> shift !== 0 || n < reach) continue;
    let sum = 0x811c9dc5;
    for (let k = n - reach + 1; k <= n; k++) sum = Math.imul(sum ^ bytes[k]!, 0x01000193);
    mark(sum >>> 0, n + 1);
  }
}

/** Positions of the old image's marks, the first of equal ones. 4 MiB. */
class Marks {
  private readonly sums = new Uint32Array(mostMarks * 4);
  /** Position plus one; 0 is free. */
  private readonly places = new Uint32Array(mostMarks * 4);
  private count = 0;

  add(sum: number, place: number): void {
    if (this.count >= mostMarks * 2) return;
    const slot = this.slot(sum);
    if (slot === undefined || this.places[slot] !== 0) return;
    this.sums[slot] = sum;
    this.places[slot] = place + 1;
    this.count++;
  }

  find(sum: number): number | undefined {
    const slot = this.slot(sum);
    const place = slot === undefined ? 0 : this.places[slot]!;
    return place === 0 ? undefined : place - 1;
  }

  /** Returns the slot of the sum or a free one; undefined when too many others are in the way. */
  private slot(sum: number): number | undefined {
    const last = this.sums.length - 1;
    const first = Math.imul(sum, 0x9e3779b1);
    for (let n = 0; n < mostProbes; n++) {
      const slot = (first + n) & last;
      if (this.places[slot] === 0 || this.sums[slot] === sum) return slot;
    }
    return undefined;
  }
}

/** Returns the ranges of the old image that have most in common with a window, in order. */
function rangesOf(part: Uint8Array, bits: number, marks: Marks, size: number): { at: number; length: number }[] {
  const hits = new Map<number, number>();
  eachMark(part, bits, (sum) => {
    const place = marks.find(sum);
    if (place === undefined) return;
    const grain = Math.floor((place - 1) / grainBytes);
    hits.set(grain, (hits.get(grain) ?? 0) + 1);
  });
  const last = Math.floor((size - 1) / grainBytes);
  const chosen = new Set<number>();
  const choose = (grain: number) => {
    if (chosen.size < mostGrains && grain >= 0 && grain <= last) chosen.add(grain);
  };
  const byHits = [...hits].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  for (const [grain] of byHits) choose(grain);
  // Data beside a mark is equal too, up to the next mark.
  for (const [grain] of byHits) for (const beside of [grain - 1, grain + 1]) choose(beside);
  const ranges: { at: number; length: number }[] = [];
  for (const grain of [...chosen].sort((a, b) => a - b)) {
    const at = grain * grainBytes;
    const length = Math.min(grainBytes, size - at);
    const before = ranges.at(-1);
    if (before && before.at + before.length === at) before.length += length;
    else ranges.push({ at, length });
  }
  return ranges;
}

function head(from: ImageFacts, to: ImageFacts): Buffer {
  const bytes = Buffer.alloc(80);
  bytes.write('CRLDLT01', 'latin1');
  bytes.writeUInt32LE(from.size, 8);
  bytes.writeUInt32LE(to.size, 12);
  bytes.write(from.sha256, 16, 'hex');
  bytes.write(to.sha256, 48, 'hex');
  return bytes;
}

/** Writes the package that turns `from` into `to`. Rejects when a window does not unpack to its source. */
export async function makeDelta(from: ImageFacts, to: ImageFacts, { read, write }: DeltaIo): Promise<void> {
  const bits = Math.max(9, Math.ceil(Math.log2(from.size / mostMarks)));
  const marks = new Marks();
  const all = from.size + 9 * to.size;
  const percent = (done: number): number => Math.min(99, Math.floor((100 * done) / all));
  for (let at = 0; at < from.size; at += windowBytes) {
    const part = await read('from', at, Math.min(windowBytes, from.size - at));
    eachMark(part, bits, (sum, place) => marks.add(sum, at + place));
  }
  await write(head(from, to), percent(from.size));
  for (let at = 0; at < to.size; at += windowBytes) {
    const part = await read('to', at, Math.min(windowBytes, to.size - at));
    const ranges = rangesOf(part, bits, marks, from.size);
    const parts: Uint8Array[] = [];
    for (const range of ranges) parts.push(await read('from', range.at, range.length));
    let dictionary = Buffer.concat(parts);
    while (dictionary.length >= 4 && dictionary.readUInt32LE() === dictionaryMagic) {
      ranges[0]!.at += 4;
      ranges[0]!.length -= 4;
      dictionary = dictionary.subarray(4);
    }
    const frame = packed(part, dictionary);
    const window = Buffer.alloc(12 + 8 * ranges.length);
    [part.length, frame.length, ranges.length, ...ranges.flatMap((range) => [range.at, range.length])].forEach(
      (number, n) => window.writeUInt32LE(number, 4 * n),
    );
    await write(Buffer.concat([window, frame]), percent(from.size + 9 * (at + part.length)));
  }
}

function packed(part: Uint8Array, dictionary: Buffer): Buffer {
  const given = dictionary.length > 0 ? { dictionary } : {};
  const frame = zstdCompressSync(part, {
    ...given,
    pledgedSrcSize: part.length,
    params: { [constants.ZSTD_c_compressionLevel]: level },
  });
  // Never offer a device what it could not unpack.
  if (!zstdDecompressSync(frame, { ...given, maxOutputLength: part.length }).equals(part))
    throw new Error('a window does not unpack to what it was made of');
  return frame;
}
