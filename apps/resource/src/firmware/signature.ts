import { createPrivateKey, createPublicKey, sign, type KeyObject } from 'node:crypto';

/** What stands before the seed of an Ed25519 key in PKCS #8 (RFC 8410). */
const head = Buffer.from('302e020100300506032b657004220420', 'hex');

/** What a file is signed as (docs/device-link.md, Files). */
export interface SignedFile {
  /** That a device has when it has installed the file. */
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
/** 32 bytes in base64url, as JWK has them. */
const publicOf = (key: KeyObject): string => createPublicKey(key).export({ format: 'jwk' }).x!;
const signed = (text: string, key: KeyObject): string => sign(null, Buffer.from(text), key).toString('base64url');

export const fileText = ({ version, size, sha256 }: SignedFile): string =>
  `carillon firmware 1\n${version}\n${size}\n${sha256}`;
export const keyText = (publicKey: string): string => `carillon key 1\n${publicKey}`;

/** Signs files by the key of the installation, and lets the key before it say that this one follows. */
export class Signer {
  /** The public key. */
  readonly key: string;
  readonly endorsements: readonly Endorsement[];
  private readonly own: KeyObject;

  constructor(seed: Buffer, before?: Buffer) {
    this.own = keyOf(seed);
    this.key = publicOf(this.own);
    const older = before && !before.equals(seed) ? keyOf(before) : undefined;
    this.endorsements = older ? [{ key: publicOf(older), signature: signed(keyText(this.key), older) }] : [];
  }

  /** Names what it says of itself: another name, and everything has to be told anew. */
  get name(): string {
    return [this.key, ...this.endorsements.map(({ key }) => key)].join(' ');
  }

  sign(file: SignedFile): string {
    return signed(fileText(file), this.own);
  }
}
