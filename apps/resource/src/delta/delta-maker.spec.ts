import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { makeDelta } from './delta-maker.ts';
import { applied, factsOf } from './delta-test.ts';

async function made(old: Buffer, image: Buffer) {
  const parts: Buffer[] = [];
  const percents: number[] = [];
  await makeDelta(factsOf(old), factsOf(image), {
    read: async (side, at, length) => (side === 'from' ? old : image).subarray(at, at + length),
    write: async (bytes, percent) => {
      parts.push(Buffer.from(bytes));
      percents.push(percent);
    },
  });
  return { delta: Buffer.concat(parts), percents };
}

const old = randomBytes(3_000_000);
const magic = Buffer.concat([Buffer.from('37a430ec', 'hex'), randomBytes(200_000)]);
it.each<[string, Buffer, Buffer, number]>([
  ['the same image', old, old, 3_000],
  ['bytes in front, which move all others', old, Buffer.concat([randomBytes(777), old]), 1_600],
  ['parts that have changed places', old, Buffer.concat([old.subarray(1_234_567), old.subarray(0, 1_234_567)]), 5_000],
  ['a part that is gone', old, Buffer.concat([old.subarray(0, 400_001), old.subarray(900_003)]), 5_000],
  ['100 bytes that changed here and there', old, scattered(old, 100), 8_000],
  ['half that is new', old, Buffer.concat([old.subarray(0, 1_500_000), randomBytes(1_500_000)]), 1_510_000],
  ['nothing in common', old, randomBytes(1_000_000), 1_001_000],
  ['no more than padding', Buffer.alloc(2_000_000, 0xff), Buffer.alloc(3_000_000, 0xff), 2_000],
  ['an image of one byte', Buffer.alloc(1, 7), Buffer.alloc(1, 9), 110],
  ['an image of one byte, of a large one', Buffer.alloc(1, 7), old, 3_001_000],
  ['a dictionary that looks like a formatted one', magic, Buffer.concat([magic, Buffer.alloc(10)]), 700],
])('makes an image from another one with %s, in a package of limited size', async (_, from, to, most) => {
  const { delta, percents } = await made(from, to);
  expect(applied(delta, from).equals(to)).toBe(true);
  expect(delta.length).toBeLessThan(most);
  expect(percents).toEqual(percents.toSorted((a, b) => a - b));
  expect(percents.every((percent) => percent >= 0 && percent <= 100)).toBe(true);
});

function scattered(bytes: Buffer, count: number): Buffer {
  const image = Buffer.from(bytes);
  for (let n = 0; n < count; n++) image[Math.floor((n * image.length) / count) + 17]! ^= 0x55;
  return image;
}
