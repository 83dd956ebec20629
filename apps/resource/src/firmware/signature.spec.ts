import { createPublicKey, randomBytes, verify } from 'node:crypto';
import { expect, it } from 'vitest';
import { Signer } from './signature.ts';

const holds = (text: string, signature: string, key: string): boolean =>
  verify(
    null,
    Buffer.from(text),
    createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: key }, format: 'jwk' }),
    Buffer.from(signature, 'base64url'),
  );
const file = { version: '2.10.0', size: 3, sha256: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad' };
const text = `carillon firmware 1\n2.10.0\n3\n${file.sha256}`;

it('signs a file by version, size and checksum, so that anyone can check it with the public key', () => {
  const signer = new Signer(randomBytes(32));
  const signature = signer.sign(file);
  expect(signer.key).toMatch(/^[\w-]{43}$/);
  expect(signature).toMatch(/^[\w-]{86}$/);
  expect(holds(text, signature, signer.key)).toBe(true);
  expect(holds(text.replace('2.10.0', '2.10.1'), signature, signer.key)).toBe(false);
  expect(holds(text, signature, new Signer(randomBytes(32)).key)).toBe(false);
});

it('a seed creates the key of RFC 8032', () => {
  const seed = Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex');
  expect(Buffer.from(new Signer(seed).key, 'base64url').toString('hex')).toBe(
    'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
  );
});

it('an older key endorses its successor, and not itself', () => {
  const [old, seed] = [randomBytes(32), randomBytes(32)];
  const signer = new Signer(seed, old);
  const before = new Signer(old);
  expect(signer.endorsements).toEqual([{ key: before.key, signature: expect.any(String) }]);
  expect(holds(`carillon key 1\n${signer.key}`, signer.endorsements[0]!.signature, before.key)).toBe(true);
  expect(before.endorsements).toEqual([]);
  expect(new Signer(old, old).endorsements).toEqual([]);
  expect(new Set([signer.name, before.name, new Signer(seed).name]).size).toBe(3);
});
