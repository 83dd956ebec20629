import { randomBytes } from 'node:crypto';
import { zstdCompressSync, constants } from 'node:zlib';
import { addFirmware, deleteFirmwareDelta, getFirmware, makeFirmwareDelta } from '@carillon/contracts';
import { bench, percentile, report, runs, spread } from '@carillon/devtools/bench';
import { up, type Instance } from './lib/instance.ts';
import { person } from './lib/person.ts';

const megabyte = 1_048_576;
const pause = (ms: number) =>
  new Promise((done) => {
    setTimeout(done, ms);
  });

/** Returns random words of an invented language, which compress to a third, like code and text. */
function words(bytes: number): Buffer {
  const list = Array.from({ length: 4_096 }, () => randomBytes(2 + Math.floor(Math.random() * 9)));
  const parts: Buffer[] = [];
  for (let length = 0; length < bytes;) {
    const part = list[Math.floor(Math.random() ** 2 * list.length)]!;
    parts.push(part);
    length += part.length;
  }
  return Buffer.concat(parts).subarray(0, bytes);
}

/**
 * Returns two images of 50 MB: relinked code that has moved, with other addresses; edited texts; and blocks of a
 * compressed file system of which some are new, removed or moved.
 */
function images(): { old: Buffer; next: Buffer; fresh: number } {
  const [code, text, blocks] = [words(14 * megabyte), words(6 * megabyte), randomBytes(28 * megabyte)];
  const pad = Buffer.alloc(2 * megabyte, 0xff);
  const linked = Buffer.concat([code.subarray(0, 3 * megabyte), words(20_000), code.subarray(3 * megabyte)]);
  let fresh = 20_000;
  for (let at = 4 * megabyte; at < linked.length - 8; at += 40 + Math.floor(Math.random() * 400)) {
    linked.writeInt32LE((linked.readInt32LE(at) + 20_000) | 0, at);
    fresh += 4;
  }
  const edited = Buffer.from(text);
  for (let n = 0; n < 500; n++) edited.set(randomBytes(12), Math.floor(Math.random() * (edited.length - 12)));
  const moved = Buffer.concat([
    blocks.subarray(12 * megabyte, 15 * megabyte),
    randomBytes(2 * megabyte),
    blocks.subarray(0, 12 * megabyte),
    blocks.subarray(16 * megabyte),
  ]);
  fresh += 500 * 12 + 2 * megabyte;
  // The mark keeps the image from being recognized as another format.
  const mark = Buffer.from([0, 1, 2]);
  return {
    old: Buffer.concat([mark, code, blocks, text, pad]),
    next: Buffer.concat([mark, linked, moved, edited, pad]),
    fresh,
  };
}

async function upload({ url, headers }: Instance, bytes: Buffer): Promise<string> {
  const tus = { ...headers, 'tus-resumable': '1.0.0' };
  const begun = await fetch(`${url}/api/f/resource/firmware/upload`, {
    method: 'POST',
    headers: {
      ...tus,
      'upload-length': String(bytes.length),
      'upload-metadata': `filename ${Buffer.from('a.bin').toString('base64')}`,
    },
  });
  const at = begun.headers.get('location')!;
  const sent = await fetch(url + at, {
    method: 'PATCH',
    headers: { ...tus, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
    body: new Uint8Array(bytes),
  });
  if (!sent.ok) throw new Error(`an upload was answered ${sent.status}`);
  return at.split('/').at(-1)!;
}

/**
 * Makes a differential package of two images of 50 MB with the product. Measures the time from its order until it is
 * listed, its size compared with the new data of the image and with the compressed image, and the duration of API calls
 * in the meantime compared with an idle product.
 */
await bench('delta', async () => {
  const instance = await up({ devices: 0 });
  try {
    const { old, next, fresh } = images();
    const add = async (version: string, bytes: Buffer) =>
      instance.call(addFirmware, {
        body: {
          name: 'Desk',
          version,
          models: ['X7A'],
          description: '',
          least: null,
          notice: { whom: 'nobody', at: null },
          upload: await upload(instance, bytes),
        },
      });
    const [from, to] = [await add('1.0', old), await add('1.1', next)];
    const asking = (most: number) => person({ url: instance.url, headers: instance.headers, most });
    await asking(100).all;
    const [seconds, sizes, busyP95, idleP95]: number[][] = [[], [], [], []];
    for (let run = 0; run < runs(); run++) {
      idleP95!.push(percentile(await asking(400).all, 0.95));
      const meanwhile = asking(Infinity);
      const began = performance.now();
      await instance.call(makeFirmwareDelta, { body: { firmwareId: to.id, fromId: from.id } });
      for (;;) {
        const { deltas, deltaOrders } = await instance.call(getFirmware, { params: { id: to.id } });
        const failed = deltaOrders.find(({ state }) => state === 'failed');
        if (failed) throw new Error(failed.msg!);
        if (deltas[0]) {
          seconds!.push((performance.now() - began) / 1_000);
          sizes!.push(deltas[0].size / megabyte);
          break;
        }
        await pause(100);
      }
      busyP95!.push(percentile(await meanwhile.stop(), 0.95));
      await instance.call(deleteFirmwareDelta, { query: { firmwareId: to.id, from: '1.0' } });
    }
    const packed = zstdCompressSync(next, { params: { [constants.ZSTD_c_compressionLevel]: 9 } }).length;
    report(
      { name: 'a package of two images of 50 MB', unit: 's', value: spread(seconds!).median, atMost: 60 },
      spread(seconds!),
    );
    report(
      {
        name: 'its size',
        unit: 'MB',
        value: spread(sizes!).median,
        beside: { name: 'bytes that are new', value: fresh / megabyte },
      },
      spread(sizes!),
    );
    process.stdout.write(
      `     the image: ${(next.length / megabyte).toFixed(1)} MB, packed by zstd -9 ${(packed / megabyte).toFixed(1)} MB\n`,
    );
    report(
      {
        name: 'p95 of the API meanwhile',
        unit: 'ms',
        value: spread(busyP95!).median,
        beside: { name: 'idle', value: spread(idleP95!).median },
      },
      spread(busyP95!),
    );
  } finally {
    instance.down();
  }
});
