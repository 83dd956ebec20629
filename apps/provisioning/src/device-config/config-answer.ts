import type { IncomingHttpHeaders } from 'node:http';

/** A file as a device gets it. */
export interface ConfigFile {
  bytes: Buffer;
  contentType: string;
  /** Strong: another content has another one. */
  etag: string;
}

/** An answer with a file, a part of it, or only what is known about it. */
export interface ConfigAnswer {
  status: 200 | 206 | 304 | 416;
  headers: Record<string, string | number>;
  body: Buffer | null;
  /** What became of the request when every byte was sent. */
  outcome: 'loaded' | 'unchanged' | 'partial';
}

interface Part {
  from: number;
  /** Inclusive. */
  to: number;
}

/** Returns whether `If-None-Match` names the version; the comparison is weak (RFC 9110, 13.1.2). */
const names = (list: string, etag: string): boolean =>
  list.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === etag);

/**
 * Returns the part that a request asks for; null when the file has no such bytes, undefined for the whole file. Several
 * ranges, other units and invalid ones are ignored (RFC 9110, 14.2).
 */
function partOf(
  { range, 'if-range': ifRange }: IncomingHttpHeaders,
  etag: string,
  size: number,
): Part | null | undefined {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined;
  if (ifRange !== undefined && ifRange !== etag) return undefined;
  if (first === '')
    return Number(last) === 0 || size === 0 ? null : { from: Math.max(0, size - Number(last)), to: size - 1 };
  if (last !== '' && Number(last) < Number(first)) return undefined;
  if (Number(first) >= size) return null;
  return { from: Number(first), to: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
}

/** Answers GET and HEAD for a file (RFC 9110, sections 9.3, 13 and 14). */
export function configAnswer(
  method: string | undefined,
  asked: IncomingHttpHeaders,
  { bytes, contentType, etag }: ConfigFile,
): ConfigAnswer {
  const isGet = method !== 'HEAD';
  const headers = {
    etag,
    'accept-ranges': 'bytes',
    'cache-control': 'no-store',
    'content-type': contentType,
    'x-content-type-options': 'nosniff',
  };
  if (names(asked['if-none-match'] ?? '', etag))
    return { status: 304, headers, body: null, outcome: isGet ? 'unchanged' : 'partial' };
  // A range has a meaning for GET only.
  const part = isGet ? partOf(asked, etag, bytes.length) : undefined;
  if (part === null)
    return {
      status: 416,
      headers: { ...headers, 'content-range': `bytes */${bytes.length}`, 'content-length': 0 },
      body: null,
      outcome: 'partial',
    };
  if (part !== undefined) {
    const { from, to } = part;
    const range = `bytes ${from}-${to}/${bytes.length}`;
    return {
      status: 206,
      headers: { ...headers, 'content-range': range, 'content-length': to - from + 1 },
      body: bytes.subarray(from, to + 1),
      outcome: 'partial',
    };
  }
  return {
    status: 200,
    headers: { ...headers, 'content-length': bytes.length },
    body: isGet ? bytes : null,
    outcome: isGet ? 'loaded' : 'partial',
  };
}
