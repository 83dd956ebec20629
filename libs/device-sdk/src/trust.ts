/** What a command says of a file, beside where it is. */
export interface SignedFile {
  size: number;
  /** In hexadecimal digits. */
  sha256: string;
  /** Ed25519, in base64url, as all keys and signatures. */
  signature: string;
  /** The public key that made it. */
  signedBy: string;
  /** What older keys say of that key. */
  endorsements?: readonly { key: string; signature: string }[];
}

/** The DER head of an Ed25519 public key; its 32 bytes follow. */
const keyHead = Buffer.from('302a300506032b6570032100', 'hex');

/** True when the key made this signature of this text. */
function isSigned(key: string, text: string, signature: string): boolean {
  // Not by import: a device that loads nothing does without it.
  const crypto = process.getBuiltinModule('node:crypto');
  const bytes = Buffer.from(key, 'base64url');
  // One key has one spelling: the pinned one is compared as text.
  if (bytes.length !== 32 || bytes.toString('base64url') !== key) return false;
  const publicKey = crypto.createPublicKey({ key: Buffer.concat([keyHead, bytes]), format: 'der', type: 'spki' });
  return crypto.verify(null, Buffer.from(text), publicKey, Buffer.from(signature, 'base64url'));
}

/** The bytes that are signed of a file, as docs/device-link.md has them. */
export const signedText = ({ size, sha256 }: Pick<SignedFile, 'size' | 'sha256'>, version: string): string =>
  `carillon firmware 1\n${version}\n${size}\n${sha256.toLowerCase()}`;

/** The bytes that an older key signs of the one that follows it. */
export const endorsedText = (key: string): string => `carillon key 1\n${key}`;

/**
 * Whether a device that has pinned this key takes the file: one that has pinned none takes the key it is given first,
 * and another only when the pinned one vouches for it.
 */
export function isTrusted(file: SignedFile, version: string, pinned: string | null): boolean {
  const { signedBy, signature, endorsements = [] } = file;
  const known =
    pinned === null ||
    pinned === signedBy ||
    endorsements.some((by) => by.key === pinned && isSigned(pinned, endorsedText(signedBy), by.signature));
  return known && isSigned(signedBy, signedText(file, version), signature);
}
