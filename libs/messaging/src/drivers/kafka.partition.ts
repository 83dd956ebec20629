/**
 * Returns the partition of a key, which must never change: murmur2 as in Kafka's own clients, so that any tool finds
 * the key.
 */
export function partitionOf(key: string, partitions: number): number {
  return (murmur2(Buffer.from(key)) & 0x7fffffff) % partitions;
}

const m = 0x5bd1e995;

export function murmur2(data: Uint8Array): number {
  const length = data.length;
  let h = 0x9747b28c ^ length;
  const whole = length & ~3;
  for (let i = 0; i < whole; i += 4) {
    let k = Math.imul(data[i]! | (data[i + 1]! << 8) | (data[i + 2]! << 16) | (data[i + 3]! << 24), m);
    k = Math.imul(k ^ (k >>> 24), m);
    h = Math.imul(h, m) ^ k;
  }
  const rest = length - whole;
  if (rest >= 3) h ^= data[whole + 2]! << 16;
  if (rest >= 2) h ^= data[whole + 1]! << 8;
  if (rest >= 1) h = Math.imul(h ^ data[whole]!, m);
  h = Math.imul(h ^ (h >>> 13), m);
  return h ^ (h >>> 15);
}
