/** A command's description of a file, besides its address. */
export interface SignedFile {
  size: number;
  /** In hexadecimal digits. */
  sha256: string;
  /** Ed25519, in base64url like all keys and signatures. */
  signature: string;
  /** The public key of the signature. */
  signedBy: string;
  /** Endorsements of that key by older ones. */
  endorsements?: readonly { key: string; signature: string }[];
}

/** The DER prefix of an Ed25519 public key; its 32 bytes follow. */
const keyHead = Buffer.from('302a300506032b6570032100', 'hex');

/** Returns whether the key made this signature of this text. */
function isSigned(key: string, text: string, signature: string): boolean {
  // Loaded on demand: a device without downloads does not need it.
  const crypto = process.getBuiltinModule('node:crypto');
  const bytes = Buffer.from(key, 'base64url');
  // Accept one spelling only, because the pinned key is compared as text.
  if (bytes.length !== 32 || bytes.toString('base64url') !== key) return false;
  const publicKey = crypto.createPublicKey({ key: Buffer.concat([keyHead, bytes]), format: 'der', type: 'spki' });
  return crypto.verify(null, Buffer.from(text), publicKey, Buffer.from(signature, 'base64url'));
}

/** Returns the text that is signed for a file (docs/device-link.md). */
export const signedText = ({ size, sha256 }: Pick<SignedFile, 'size' | 'sha256'>, version: string): string =>
  `carillon firmware 1\n${version}\n${size}\n${sha256.toLowerCase()}`;

/** Returns the text that an older key signs to endorse its successor. */
export const endorsedText = (key: string): string => `carillon key 1\n${key}`;

/**
 * Returns whether a device with this pinned key accepts the file: without one it accepts the first key, and later
 * another key only when the pinned one endorses it.
 */
export function isTrusted(file: SignedFile, version: string, pinned: string | null): boolean {
  const { signedBy, signature, endorsements = [] } = file;
  const known =
    pinned === null ||
    pinned === signedBy ||
    endorsements.some((by) => by.key === pinned && isSigned(pinned, endorsedText(signedBy), by.signature));
  return known && isSigned(signedBy, signedText(file, version), signature);
}
