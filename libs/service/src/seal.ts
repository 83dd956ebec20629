import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Derives a key per purpose, so that a value sealed for one purpose cannot be opened for another. */
const keyFor = (key: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', key, '', `carillon seal ${purpose}`, 32));

/** Encrypts a value with AES-256-GCM, bound to its purpose. A given nonce must not be used for another value. */
export function seal(key: Buffer, purpose: string, value: unknown, nonce = randomBytes(12)): string {
  const cipher = createCipheriv('aes-256-gcm', keyFor(key, purpose), nonce);
  const text = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, text, cipher.getAuthTag()]).toString('base64url');
}

/** Decrypts a value. Returns undefined when it has another key or purpose, or was altered. */
export function unseal<T>(key: Buffer, purpose: string, sealed: string): T | undefined {
  const bytes = Buffer.from(sealed, 'base64url');
  if (bytes.length < 28) return undefined;
  const decipher = createDecipheriv('aes-256-gcm', keyFor(key, purpose), bytes.subarray(0, 12));
  decipher.setAuthTag(bytes.subarray(-16));
  try {
    return JSON.parse(
      Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString('utf8'),
    ) as T;
  } catch {
    return undefined;
  }
}
