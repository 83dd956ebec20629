/**
 * Pictures by what is in them, not by what they call themselves: only pictures are ever sent back to a browser. For
 * server and browser.
 */
export type PictureKind = 'jpg' | 'png' | 'ico';
export const pictureTypes: Record<PictureKind, string> = { jpg: 'image/jpeg', png: 'image/png', ico: 'image/x-icon' };

const begins = (bytes: Uint8Array, signature: readonly number[], at = 0): boolean =>
  signature.every((byte, i) => bytes[at + i] === byte);
const png = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** The directory of an icon, each picture of which lies in the file and is a PNG or a bitmap. */
function isIcon(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 22 || !begins(bytes, [0, 0, 1, 0])) return false;
  const count = view.getUint16(4, true);
  if (count < 1 || count > 64 || 6 + count * 16 > bytes.length) return false;
  return Array.from({ length: count }, (_, i) => 6 + i * 16).every((at) => {
    const [size, offset] = [view.getUint32(at + 8, true), view.getUint32(at + 12, true)];
    return (
      size > 40 &&
      offset >= 6 + count * 16 &&
      offset + size <= bytes.length &&
      (begins(bytes, png, offset) || view.getUint32(offset, true) === 40)
    );
  });
}

export function pictureKind(bytes: Uint8Array): PictureKind | undefined {
  const { length } = bytes;
  if (begins(bytes, png)) return length > 45 && begins(bytes, [0x49, 0x45, 0x4e, 0x44], length - 8) ? 'png' : undefined;
  if (begins(bytes, [0xff, 0xd8, 0xff])) return begins(bytes, [0xff, 0xd9], length - 2) ? 'jpg' : undefined;
  return isIcon(bytes) ? 'ico' : undefined;
}
