/**
 * Returns the MD5 of a text's UTF-8 bytes as lower-case hex (RFC 1321). Used only because the token call requires it
 * (AUTH-03): it protects nothing, the server stores a slow salted hash of it.
 */
const turns = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21];
const sines = Array.from({ length: 64 }, (_, i) => Math.floor(Math.abs(Math.sin(i + 1)) * 2 ** 32) >>> 0);

export function md5(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const padded = new Uint8Array(((bytes.length + 8) >> 6) * 64 + 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, (bytes.length << 3) >>> 0, true);
  view.setUint32(padded.length - 4, Math.floor(bytes.length / 2 ** 29), true);
  const state = new Uint32Array([0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476]);
  for (let block = 0; block < padded.length; block += 64) {
    let [a, b, c, d] = state as unknown as [number, number, number, number];
    for (let i = 0; i < 64; i++) {
      const round = i >> 4;
      const [f, g] =
        round === 0
          ? [(b & c) | (~b & d), i]
          : round === 1
            ? [(d & b) | (~d & c), (5 * i + 1) & 15]
            : round === 2
              ? [b ^ c ^ d, (3 * i + 5) & 15]
              : [c ^ (b | ~d), (7 * i) & 15];
      const sum = (a + f + sines[i]! + view.getUint32(block + g * 4, true)) | 0;
      const turn = turns[round * 4 + (i & 3)]!;
      [a, d, c, b] = [d, c, b, (b + ((sum << turn) | (sum >>> (32 - turn)))) | 0];
    }
    state[0]! += a;
    state[1]! += b;
    state[2]! += c;
    state[3]! += d;
  }
  const out = new DataView(new ArrayBuffer(16));
  state.forEach((word, i) => out.setUint32(i * 4, word, true));
  return Array.from(new Uint8Array(out.buffer), (v) => v.toString(16).padStart(2, '0')).join('');
}
