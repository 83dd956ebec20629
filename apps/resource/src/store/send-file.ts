import type { FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { KeptFile } from '../upload/upload.queries.ts';
import type { FileDriver } from './file-driver.ts';

/** Parses the single range of `bytes=5-`, `bytes=5-9` or `bytes=-5`; undefined when it cannot be served. */
export function rangeOf(header: string, size: number): { from: number; to: number } | undefined {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header) ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined;
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const to = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  return from <= to && from < size ? { from, to } : undefined;
}

/** Status, headers and range of a file response (RFC 9110, sections 13 and 14). */
export interface FileAnswer {
  status: 200 | 206 | 304 | 416;
  headers: Record<string, string | number>;
  /** The sent range, both ends inclusive; undefined when nothing is sent. */
  range: { from: number; to: number } | undefined;
}

/** Decides between a range, the whole file, and an unsatisfiable range. */
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

/** Sends a file, completely or from where the client resumes; completely also for an unsatisfiable range. */
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
