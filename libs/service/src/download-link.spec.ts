import { randomBytes, randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { downloadKey, downloadPath, downloadToken, readDownloadToken } from './download-link.ts';

const key = downloadKey(randomBytes(32));
const grant = {
  companyId: randomUUID(),
  deviceId: randomUUID(),
  taskId: randomUUID(),
  commandId: randomUUID(),
  fileId: randomUUID(),
  ownerEpoch: 7,
  beginBy: 1_800_000_000_000,
  until: 1_800_003_600_000,
};

it('a link carries its whole grant in one path segment', () => {
  const token = downloadToken(key, grant);
  expect(readDownloadToken(key, token)).toEqual({ ...grant, isPhone: false });
  expect(token).toMatch(/^[\w-]{146}$/);
  expect(downloadPath(token, 'X7A 2.0;a.bin')).toBe(`/f/${token}/X7A%202.0%3Ba.bin`);
});

it('refuses a link that was altered anywhere, cut, or made with another key', () => {
  const token = downloadToken(key, grant);
  const bytes = Buffer.from(token, 'base64url');
  for (let at = 0; at < bytes.length; at++) {
    const altered = Buffer.from(bytes);
    altered[at]! ^= 1;
    expect(readDownloadToken(key, altered.toString('base64url')), `byte ${at}`).toBeUndefined();
  }
  for (const wrong of ['', 'x', token.slice(1), `${token}A`, token.slice(0, -4)])
    expect(readDownloadToken(key, wrong)).toBeUndefined();
  // Other spellings of the same bytes are refused too: the last letter has spare bits, and a decoder ignores the rest.
  const last = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'.indexOf(token.at(-1)!);
  const sibling = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'[last + 1]!;
  const respelled = [`${token}!`, ` ${token}`, `${token}=`, `${token.slice(0, -1)}${sibling}`];
  expect(respelled.map((text) => Buffer.from(text, 'base64url').toString('hex'))).toEqual(
    respelled.map(() => bytes.toString('hex')),
  );
  for (const text of respelled) expect(readDownloadToken(key, text), text).toBeUndefined();
  expect(readDownloadToken(downloadKey(randomBytes(32)), token)).toBeUndefined();
});

it('the link of a phone holds under the name of its file only', () => {
  const token = downloadToken(key, grant, 'grp2614fw.bin');
  expect(readDownloadToken(key, token, 'grp2614fw.bin')).toEqual({ ...grant, isPhone: true });
  for (const other of ['ring1.bin', 'grp2614fw.bin ', '', undefined])
    expect(readDownloadToken(key, token, other)).toBeUndefined();
  // A link of another device does not depend on the name, and is none of a phone.
  const own = Buffer.from(downloadToken(key, grant), 'base64url');
  own[0] = 2;
  expect(readDownloadToken(key, own.toString('base64url'), '')).toBeUndefined();
});
