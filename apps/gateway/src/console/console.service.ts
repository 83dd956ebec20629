import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CONFIG } from '@carillon/service';
import type { GatewayConfig } from '../config.ts';

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.ico': 'image/x-icon',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.wasm': 'application/wasm',
};

interface File {
  path: string;
  size: number;
  type: string;
  etag: string;
  /** Compressed by the build. */
  brotli: { path: string; size: number } | undefined;
  immutable: boolean;
}

/** Paths that scanners ask for and that are no page: hidden files, files of other programs, internal metrics. */
const noPage =
  /\/\.|\.(php\d?|aspx?|jsp|cgi|sql|bak|zip|t?gz|tar|ini|conf|ya?ml|log|pem|key)$|^\/(metrics|actuator|debug|server-status)(\/|$)/i;

/** The name contains a hash of the content, so the file never changes: `index-B4xk91_z.js`. */
const hashed = /[-.][A-Za-z0-9_-]{8,64}\.[a-z0-9]{1,16}$/;

/**
 * The built console. Its files are listed once, so that a path can reach nothing else. Every other path of a browser is
 * a page of the console, which has its own router (SHELL-02).
 */
@Injectable()
export class ConsoleFiles {
  private readonly files = new Map<string, File>();

  constructor(@Inject(CONFIG) { consoleDir, consoleBefore }: GatewayConfig) {
    if (consoleDir) this.list(consoleDir, () => true);
    // A page that stays open during an update still loads assets of its own build.
    for (const before of consoleBefore.split(',').filter((folder) => folder !== ''))
      this.list(before, (name) => name.startsWith('/assets/') && !this.files.has(name));
  }

  private list(folder: string, wanted: (name: string) => boolean): void {
    if (!existsSync(folder)) return;
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (!entry.isFile() || path.endsWith('.br')) continue;
      const name = `/${relative(folder, path).split(sep).join('/')}`;
      if (!wanted(name)) continue;
      const brotli = existsSync(`${path}.br`) ? { path: `${path}.br`, size: statSync(`${path}.br`).size } : undefined;
      this.files.set(name, {
        path,
        size: statSync(path).size,
        type: types[extname(path)] ?? 'application/octet-stream',
        brotli,
        etag: `"${createHash('sha256').update(readFileSync(path)).digest('base64url').slice(0, 22)}"`,
        immutable: name !== '/index.html' && hashed.test(name),
      });
    }
  }

  /**
   * Returns the file of a path, or the console's page for any other path. Returns undefined for missing assets and for
   * names that servers keep internals under: these must not be 200.
   */
  find(path: string): File | undefined {
    const file = this.files.get(path);
    return file || path.startsWith('/assets/') || noPage.test(decodeURIComponent(path))
      ? file
      : this.files.get('/index.html');
  }

  send(file: File, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const brotli =
      file.brotli &&
      /(^|[\s,])br\s*(;\s*q=(?!0(\.0*)?\s*(,|$))|,|$)/.test(String(request.headers['accept-encoding'] ?? ''))
        ? file.brotli
        : undefined;
    const etag = brotli ? file.etag.replace(/"$/, '-br"') : file.etag;
    void reply
      .header('cache-control', file.immutable ? 'public, max-age=31536000, immutable' : 'no-cache')
      .header('etag', etag);
    if (file.brotli) void reply.header('vary', 'accept-encoding');
    if (
      String(request.headers['if-none-match'] ?? '')
        .split(',')
        .some((tag) => tag.trim() === etag)
    )
      return reply.status(304).send();
    void reply.header('content-type', file.type).header('content-length', brotli?.size ?? file.size);
    if (brotli) void reply.header('content-encoding', 'br');
    return request.method === 'HEAD' ? reply.send() : reply.send(createReadStream(brotli?.path ?? file.path));
  }
}
