import { createHash, randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadDelta, type DeltaBase, type LoadOptions } from './index.ts';
import { littleEndian, packageOf, TestFiles, TestKey } from './test-files.ts';

const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest();

const old = randomBytes(900_000);
/** Two parts of the old image have changed places, and something is new. */
const image = Buffer.concat([old.subarray(500_000, 800_000), randomBytes(3_000), old.subarray(0, 500_000)]);
const windows = [
  {
    bytes: image.subarray(0, 400_000),
    ranges: [
      [500_000, 300_000],
      [0, 100_000],
    ] as const,
  },
  { bytes: image.subarray(400_000), ranges: [[90_000, 410_000]] as const },
];
const good = packageOf(old, image, windows);
const version = '2.4.10';
const backOff = { firstMs: 1, mostMs: 5 };

let files: TestFiles;
let pinned: string | null;
beforeEach(async () => {
  files = await TestFiles.start(good);
  pinned = null;
});
afterEach(() => files.stop());

/** Loads the server's package as a device that runs `base`. */
async function load({
  base = old,
  more = {},
  whole = image,
  ...options
}: LoadOptions & { base?: Buffer; more?: Partial<DeltaBase>; whole?: Buffer } = {}) {
  const made: Buffer[] = [];
  const delta = files.linked(version);
  const own = new TestFilesOf(files.key, whole);
  const wrong = await loadDelta(
    delta,
    own.linked(version),
    version,
    {
      size: base.length,
      sha256: sha256(base).toString('hex'),
      read: (into, at) => {
        if (at + into.length > base.length) throw new Error('nothing is read behind the end of the image');
        base.copy(into, 0, at);
      },
      ...more,
    },
    { read: () => pinned, write: (key) => void (pinned = key) },
    {
      backOff,
      sink: { begin: () => void (made.length = 0), write: (bytes) => void made.push(Buffer.from(bytes)) },
      ...options,
    },
  );
  return { wrong, image: Buffer.concat(made) };
}
/** The file of a command that no test downloads. */
class TestFilesOf {
  constructor(
    private readonly key: TestKey,
    private readonly bytes: Buffer,
  ) {}
  linked = (name: string) => {
    const file = { size: this.bytes.length, sha256: sha256(this.bytes).toString('hex') };
    const signature = this.key.sign(`carillon firmware 1\n${name}\n${file.size}\n${file.sha256}`);
    return { url: 'http://127.0.0.1:9/f/token/desk.bin', ...file, signature, signedBy: this.key.name };
  };
}

describe('a device that loads a differential package', () => {
  it('makes the new image from the running one, with far fewer bytes, and pins the key', async () => {
    const { wrong, image: made } = await load();
    expect([wrong, made.equals(image), pinned]).toEqual([null, true, files.key.name]);
    expect(good.length).toBeLessThan(5_000);
  });

  it('makes it even when the connection breaks every thousand bytes, or the server restarts', async () => {
    files.answer = (request, response, nth) => (nth < 9 ? files.send(request, response, 1_000) : undefined);
    expect(await load()).toEqual({ wrong: null, image });
    files.answer = (request, response, nth) => {
      delete request.headers.range;
      return nth === files.asked.length && files.asked.length < 12 ? files.send(request, response, 900) : undefined;
    };
    expect(await load()).toEqual({ wrong: null, image });
  });

  it('recognizes a package for another image by its first bytes, and loads no more of it', async () => {
    // Its windows use no old data, so that only its first bytes show the mismatch.
    const windows = [0, 1].map((n) => ({ bytes: image.subarray(n * 401_500, (n + 1) * 401_500), ranges: [] }));
    files.bytes = Buffer.concat([packageOf(old, image, windows), randomBytes(20_000_000)]);
    let sent = 0;
    files.answer = (_request, response) => {
      response.writeHead(200, { 'content-length': files.bytes.length, etag: files.etag });
      const send = (): void => {
        if (response.destroyed) return;
        response.write(files.bytes.subarray(sent, (sent += 65_536)), () => setImmediate(send));
      };
      send();
      return 'answered';
    };
    const { wrong, image: made } = await load({ base: Buffer.concat([old.subarray(1), Buffer.alloc(1)]) });
    expect([wrong, made.length, sent < files.bytes.length / 2]).toEqual(['delta', 0, true]);
  });

  it('refuses one that makes another image than the command says, also with an unknown base sum', async () => {
    const other = Buffer.from(old);
    other[95_000]! ^= 1;
    const { wrong } = await load({ base: other, more: { sha256: undefined as never } });
    expect(wrong).toBe('delta');
    expect((await load({ whole: Buffer.concat([image, image]) })).wrong).toBe('delta');
  });

  it.each<[string, Buffer]>([
    ['that ends before the image does', packageOf(old, image, windows.slice(0, 1))],
    ['with something behind its end', Buffer.concat([good, Buffer.alloc(1)])],
    [
      'with a range behind the end of the old image',
      Buffer.concat([good.subarray(0, 92), littleEndian(899_999, 2), good.subarray(100)]),
    ],
    [
      'with a window larger than one may be',
      Buffer.concat([good.subarray(0, 80), littleEndian(524_289), good.subarray(84)]),
    ],
    [
      'with a frame that cannot be unpacked',
      Buffer.concat([good.subarray(0, 140), Buffer.alloc(50), good.subarray(190)]),
    ],
    ['with more ranges than there may be', Buffer.concat([good.subarray(0, 88), littleEndian(65), good.subarray(92)])],
    ['that is none', randomBytes(5_000)],
  ])('refuses one %s', async (_, bytes) => {
    files.bytes = bytes;
    expect((await load()).wrong).toBe('delta');
  });

  it('refuses one that is damaged or signed by an untrusted key, and keeps its key', async () => {
    const answer = files.linked.bind(files);
    files.linked = (file) => {
      files.linked = answer;
      const linked = answer(file);
      files.bytes = Buffer.concat([good.subarray(0, 200), Buffer.from([good[200]! ^ 1]), good.subarray(201)]);
      return linked;
    };
    expect(['delta', 'checksum']).toContain((await load()).wrong);
    pinned = new TestKey().name;
    const before = pinned;
    expect([(await load()).wrong, pinned]).toEqual(['signature', before]);
  });
});
