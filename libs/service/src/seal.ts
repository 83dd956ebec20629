import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** A key of its own for each purpose, so that what is sealed for one opens nowhere else. */
const keyFor = (key: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', key, '', `carillon seal ${purpose}`, 32));

/**
 * A value that only who has the key can read or make: AES-256-GCM, the purpose bound to it. Whoever gives a nonce gives
 * no other value with it.
 */
export function seal(key: Buffer, purpose: string, value: unknown, nonce = randomBytes(12)): string {
  const cipher = createCipheriv('aes-256-gcm', keyFor(key, purpose), nonce);
  const text = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, text, cipher.getAuthTag()]).toString('base64url');
}

/** Undefined when it was sealed with another key or for another purpose, or altered. */
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
