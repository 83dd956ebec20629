import { createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';

/** PKCS #8 prefix of an Ed25519 seed (RFC 8410). */
const head = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The signed facts of a file (docs/device-link.md, Files). */
export interface SignedFile {
  /** The version that a device has after installing the file. */
  version: string;
  size: number;
  sha256: string;
}
export interface Endorsement {
  /** The older public key. */
  key: string;
  signature: string;
}

const keyOf = (seed: Buffer): KeyObject =>
  createPrivateKey({ key: Buffer.concat([head, seed]), format: 'der', type: 'pkcs8' });
/** Returns 32 bytes in base64url, as in JWK. */
const publicOf = (key: KeyObject): string => createPublicKey(key).export({ format: 'jwk' }).x!;
const signed = (text: string, key: KeyObject): string => sign(null, Buffer.from(text), key).toString('base64url');

export const fileText = ({ version, size, sha256 }: SignedFile): string =>
  `carillon firmware 1\n${version}\n${size}\n${sha256}`;
export const keyText = (publicKey: string): string => `carillon key 1\n${publicKey}`;

/** Signs files with the key of the installation, which the previous key endorses. */
export class Signer {
  /** The public key. */
  readonly key: string;
  readonly endorsements: readonly Endorsement[];
  private readonly own: KeyObject;
  private readonly older: KeyObject | undefined;

  constructor(seed: Buffer, before?: Buffer) {
    this.own = keyOf(seed);
    this.key = publicOf(this.own);
    const older = before && !before.equals(seed) ? keyOf(before) : undefined;
    this.older = older;
    this.endorsements = older ? [{ key: publicOf(older), signature: signed(keyText(this.key), older) }] : [];
  }

  /** Identifies this key and its endorsements: when it changes, everything must be republished. */
  get name(): string {
    return [this.key, ...this.endorsements.map(({ key }) => key)].join(' ');
  }

  /** Returns whether a signer with this name has a key in common, so that its signatures can be verified. */
  knows(name: string | null): boolean {
    const key = name?.split(' ')[0];
    return key === this.key || (this.older !== undefined && key === publicOf(this.older));
  }

  /** Returns whether a signature is that of the file, by this key or the previous one. */
  verifies(file: SignedFile, signature: string): boolean {
    return [this.own, ...(this.older ? [this.older] : [])].some((key) =>
      verify(null, Buffer.from(fileText(file)), createPublicKey(key), Buffer.from(signature, 'base64url')),
    );
  }

  sign(file: SignedFile): string {
    return signed(fileText(file), this.own);
  }
}
