import { createHash, randomBytes } from 'node:crypto';

/** Account with which a request is signed. */
export interface SipCredentials {
  user: string;
  password: string;
}

const algorithms: Readonly<Record<string, string>> = { MD5: 'md5', 'SHA-256': 'sha256' };
/** A parameter of a challenge; the bounds keep a long challenge from costing its square. */
const parameter = /([\w-]{1,32})=(?:"((?:[^"\\]|\\.){0,512})"|([^\s,"]{1,512}))/g;
const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;

/**
 * Returns the header line that answers a digest challenge (RFC 8760, RFC 7616); undefined for one that cannot be
 * answered. `status` is 401 of the other side or 407 of a proxy.
 */
export function answerChallenge(
  { status, challenge }: { status: number; challenge?: string },
  uri: string,
  { user, password }: SipCredentials,
): string | undefined {
  if ((status !== 401 && status !== 407) || challenge === undefined || !/^digest\s/i.test(challenge)) return undefined;
  const values = new Map(
    [...challenge.matchAll(parameter)].map(([, name, text, token]) => [
      name!.toLowerCase(),
      text?.replaceAll(/\\(.)/g, '$1') ?? token!,
    ]),
  );
  const [realm, nonce] = [values.get('realm'), values.get('nonce')];
  const named = (values.get('algorithm') ?? 'MD5').toUpperCase();
  const algorithm = algorithms[named];
  const offered = values
    .get('qop')
    ?.split(',')
    .map((one) => one.trim().toLowerCase());
  if (realm === undefined || nonce === undefined || !algorithm || offered?.includes('auth') === false) return undefined;
  const hash = (text: string): string => createHash(algorithm).update(text).digest('hex');
  const [secret, request] = [hash(`${user}:${realm}:${password}`), hash(`NOTIFY:${uri}`)];
  const cnonce = randomBytes(8).toString('hex');
  const response = offered
    ? hash(`${secret}:${nonce}:00000001:${cnonce}:auth:${request}`)
    : hash(`${secret}:${nonce}:${request}`);
  const opaque = values.get('opaque');
  return [
    `${status === 407 ? 'Proxy-Authorization' : 'Authorization'}: Digest username=${quoted(user)}`,
    `realm=${quoted(realm)}`,
    `nonce=${quoted(nonce)}`,
    `uri=${quoted(uri)}`,
    `response="${response}"`,
    `algorithm=${named}`,
    ...(offered ? [`cnonce="${cnonce}"`, 'qop=auth', 'nc=00000001'] : []),
    ...(opaque === undefined ? [] : [`opaque=${quoted(opaque)}`]),
  ].join(', ');
}
