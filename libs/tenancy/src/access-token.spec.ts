import { randomBytes, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { accessTokenSeconds, createAccessToken, verifyAccessToken } from './access-token.ts';
import { signContext, verifyContext } from './signed-context.ts';
import { systemContext } from './context.ts';

const key = randomBytes(32);
const now = 1_795_000_000_000;
const token = {
  userId: randomUUID(),
  companyId: randomUUID(),
  sessionId: randomUUID(),
  issuedAt: now,
  expiresAt: now + accessTokenSeconds * 1000,
  activeAt: now - 5,
};

test('an access token returns its content', () => {
  expect(verifyAccessToken(createAccessToken(token, key), key, now)).toEqual(token);
});

test('refuses an access token at its expiry, with another key, and before it was issued', () => {
  const text = createAccessToken(token, key);
  expect(verifyAccessToken(text, key, token.expiresAt - 1)).toBeDefined();
  expect(verifyAccessToken(text, key, token.expiresAt)).toBeUndefined();
  expect(verifyAccessToken(text, randomBytes(32), now)).toBeUndefined();
  expect(verifyAccessToken(text, key, now - 61_000)).toBeUndefined();
});

test('refuses an access token with any one character changed, added or left out', () => {
  const text = createAccessToken(token, key);
  for (let i = 0; i < text.length; i += 1) {
    const other = text[i] === 'A' ? 'B' : 'A';
    expect(verifyAccessToken(text.slice(0, i) + other + text.slice(i + 1), key, now), `character ${i}`).toBeUndefined();
    expect(verifyAccessToken(text.slice(0, i) + '!' + text.slice(i), key, now), `added at ${i}`).toBeUndefined();
  }
  expect(verifyAccessToken(text.slice(0, -1), key, now)).toBeUndefined();
  for (const strange of ['', '.', 'null', 'eyJhbGciOiJub25lIn0.e30.', `${text}=`, `${text}\n`])
    expect(verifyAccessToken(strange, key, now)).toBeUndefined();
});

test('accepts a signed context for a minute, and never an altered one or one without JSON', () => {
  const header = signContext(systemContext(token.companyId), key, now);
  expect(verifyContext(header, key, now)).toEqual({ ...systemContext(token.companyId), askedAt: now });
  const earlier = signContext({ ...systemContext(token.companyId), askedAt: now - 9_000 }, key, now);
  expect(verifyContext(earlier, key, now)).toMatchObject({ askedAt: now - 9_000 });
  expect(verifyContext(header, key, now + 60_001)).toBeUndefined();
  const [body, mac] = header.split('.') as [string, string];
  const altered = Buffer.from(JSON.stringify({ ...systemContext(token.userId), exp: now + 60_000 })).toString(
    'base64url',
  );
  for (const forged of [`${altered}.${mac}`, `${body}.`, `.${mac}`, body, `${body}.${mac.slice(0, -2)}`, 'x.y', ''])
    expect(verifyContext(forged, key, now)).toBeUndefined();
});
