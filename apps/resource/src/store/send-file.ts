import type { FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { KeptFile } from '../upload/upload.queries.ts';
import type { FileDriver } from './file-driver.ts';

/** `bytes=5-`, `bytes=5-9`, `bytes=-5`: the one range that is asked for; undefined when it is none that can be answered. */
export function rangeOf(header: string, size: number): { from: number; to: number } | undefined {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header) ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined;
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const to = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  return from <= to && from < size ? { from, to } : undefined;
}

/** How a request for a file is answered, before its bytes (RFC 9110, sections 13 and 14). */
export interface FileAnswer {
  status: 200 | 206 | 304 | 416;
  headers: Record<string, string | number>;
  /** What goes out, both ends included; undefined when nothing does. */
  range: { from: number; to: number } | undefined;
}

/** The part that is asked for, the whole, or that there is no such part. */
export function fileAnswer(file: KeptFile, asked: IncomingHttpHeaders): FileAnswer {
  const etag = `"${file.sha256}"`;
  const headers = {
    etag,
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-cache',
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(file.name)}`,
  };
  if (asked['if-none-match'] === etag) return { status: 304, headers, range: undefined };
  const header = asked.range !== undefined && (asked['if-range'] ?? etag) === etag ? asked.range : undefined;
  const range = header === undefined ? undefined : rangeOf(header, file.size);
  if (range)
    return {
      status: 206,
      headers: {
        ...headers,
        'content-range': `bytes ${range.from}-${range.to}/${file.size}`,
        'content-length': range.to - range.from + 1,
      },
      range,
    };
  if (header !== undefined && /^bytes=\d+-\d*$/.test(header) && Number.parseInt(header.slice(6), 10) >= file.size)
    return {
      status: 416,
      headers: { ...headers, 'content-range': `bytes */${file.size}`, 'content-length': 0 },
      range: undefined,
    };
  return {
    status: 200,
    headers: { ...headers, 'content-length': file.size },
    range: { from: 0, to: file.size - 1 },
  };
}

/** Answers a file as it is read, whole or from where it was broken off; whole also when there is no such part. */
export function sendFile(
  file: KeptFile,
  files: FileDriver,
  request: FastifyRequest,
  reply: FastifyReply,
): Readable | null {
  const part = fileAnswer(file, request.headers);
  const { status, headers, range } = part.status === 416 ? fileAnswer(file, {}) : part;
  void reply.status(status).headers(headers);
  return range ? files.read(file.id, range.from, range.to) : null;
}
