import { createHmac, hkdfSync } from 'node:crypto';

/**
 * Keyed hashes of claim codes: a copy of the database alone does not help to guess a code. Codes and MACs are in the
 * form of the contract.
 */
export class ClaimCodes {
  private readonly key: Buffer;

  constructor(dataKey: Buffer) {
    this.key = Buffer.from(hkdfSync('sha256', dataKey, '', 'carillon claim codes', 32));
  }

  /** Returns the hash under which a code waits for its import. */
  hash(code: string): string {
    return createHmac('sha256', this.key).update(`code ${code}`).digest('base64url');
  }

  /** Returns the stored hash of a device, from the hash of its code. */
  bind(mac: string, hash: string): string {
    return createHmac('sha256', this.key).update(`device ${mac} ${hash}`).digest('base64url');
  }
}
