import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PostgresBus } from '@carillon/messaging';
import type { Redis, ServiceDefinition } from '@carillon/service';
import { testBus, testService, type Actor, type Sharing, type TestedService } from '@carillon/testing';
import { resourceService } from '../resource.module.ts';

export interface TestedStore {
  service: TestedService;
  bus: PostgresBus;
  folder: string;
  /** Returns the keys of the files on the disk. */
  onDisk(): string[];
  /** Sends a raw request of the upload protocol. */
  tus(
    actor: Actor,
    method: string,
    url: string,
    headers?: Record<string, string>,
    payload?: Buffer,
  ): Promise<{ status: number; headers: Record<string, unknown>; error: string | undefined; msg: string | undefined }>;
  /** Begins an upload and returns its address, or the error. */
  begin(actor: Actor, name: string, size: number, noun?: string): Promise<string>;
  /** Uploads a file as one part. Returns the upload's id, or the error. */
  upload(actor: Actor, name: string, bytes: Buffer, noun?: string): Promise<string>;
  /** Starts another process with the same database, bus and folder. The caller closes it. */
  another(redis?: Redis): Promise<TestedService>;
  close(): Promise<void>;
}

/** Starts the service with its own folder. */
export async function testStore(
  name: string,
  values: Record<string, unknown> = {},
  sharing: Sharing = {},
): Promise<TestedStore> {
  const bus = await testBus(name);
  const folder = mkdtempSync(join(tmpdir(), 'carillon-files-'));
  const config = {
    filesFolder: folder,
    signingKey: randomBytes(32),
    dataKey: randomBytes(32),
    uploadReserve: 0,
    ...values,
  };
  const service = await testService(resourceService as unknown as ServiceDefinition, bus, config, sharing);
  const fastify = service.app.getHttpAdapter().getInstance();
  const tus: TestedStore['tus'] = async (actor, method, url, headers = {}, payload) => {
    const answer = await fastify.inject({
      method: method as 'GET',
      url,
      headers: {
        ...service.headersOf(actor),
        'tus-resumable': '1.0.0',
        ...(payload ? { 'content-type': 'application/offset+octet-stream' } : {}),
        ...headers,
      },
      ...(payload ? { payload } : {}),
    });
    const body = answer.body.startsWith('{') ? (JSON.parse(answer.body) as { error?: string; msg?: string }) : {};
    return { status: answer.statusCode, headers: answer.headers, error: body.error, msg: body.msg };
  };
  const begin: TestedStore['begin'] = async (actor, file, size, noun = 'resourceFile') => {
    const { status, headers, error } = await tus(actor, 'POST', `/api/f/resource/${noun}/upload`, {
      'upload-length': String(size),
      'upload-metadata': `filename ${Buffer.from(file).toString('base64')}`,
    });
    return status === 201 ? String(headers['location']) : `${status} ${error}`;
  };
  return {
    service,
    bus,
    folder,
    onDisk: () => readdirSync(folder).flatMap((part) => readdirSync(join(folder, part))),
    tus,
    begin,
    async upload(actor, file, bytes, noun) {
      const at = await begin(actor, file, bytes.length, noun);
      if (!at.startsWith('/')) return at;
      const { status, error } = await tus(actor, 'PATCH', at, { 'upload-offset': '0' }, bytes);
      return status === 204 ? at.split('/').at(-1)! : `${status} ${error}`;
    },
    another: (redis) =>
      testService(resourceService as unknown as ServiceDefinition, bus, config, {
        ...(redis ? { redis } : {}),
        beside: service,
      }),
    async close() {
      await service.close();
      await bus.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
