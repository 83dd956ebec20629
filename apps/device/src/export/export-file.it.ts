import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addDeviceExport } from '@carillon/contracts';
import type { PostgresBus } from '@carillon/messaging';
import { companySession, currentSql, transaction, uuidv7 } from '@carillon/persistence';
import type { ServiceDefinition } from '@carillon/service';
import { newActor, testBus, testService, type TestedService } from '@carillon/testing';
import { deviceService } from '../device.module.ts';

let bus: PostgresBus;
let service: TestedService;
const own = newActor();

beforeAll(async () => {
  bus = await testBus('export_file_bus');
  service = await testService(deviceService as unknown as ServiceDefinition, bus);
  await service.app.listen(0, '127.0.0.1');
});
afterAll(async () => {
  await service?.close();
  await bus?.close();
});

const inOwn = <T>(work: () => Promise<T>) => transaction(service.database, companySession(own.companyId), work);

/** Stores a file as its writer does. */
async function written(parts: readonly Buffer[]): Promise<string> {
  const id = uuidv7();
  await inOwn(async () => {
    await currentSql().query(
      `
        insert into list_export (
          id, company_id, user_id, path, name, maker, wanted, status, done, total, lease_until, created_at
        )
        values ($1, $2, $3, $4, '', '{}', '{}', 'success', 1, 1, now(), now())
      `,
      [id, own.companyId, own.userId, addDeviceExport.path],
    );
    for (const [number, bytes] of parts.entries())
      await currentSql().query('insert into list_export_part values ($1, $2, $3, $4, $5)', [
        uuidv7(),
        own.companyId,
        id,
        number,
        bytes,
      ]);
  });
  return id;
}
async function fetched(id: string): Promise<IncomingMessage> {
  const { port } = service.app.getHttpServer().address() as AddressInfo;
  const request = get({
    host: '127.0.0.1',
    port,
    path: `/api/f/device/export/${id}/file`,
    headers: service.headersOf(own),
  });
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  expect(answer.statusCode).toBe(200);
  return answer;
}
const manyParts = () => Array.from({ length: 200 }, () => randomBytes(262_144));
const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

it('sends a file of 50 MB completely and with its length', { tags: 'slow' }, async () => {
  const parts = manyParts();
  const answer = await fetched(await written(parts));
  const got: Buffer[] = [];
  for await (const piece of answer) got.push(piece as Buffer);
  expect(answer.headers['content-length']).toBe(String(200 * 262_144));
  expect(hashOf(Buffer.concat(got))).toBe(hashOf(Buffer.concat(parts)));
});

it('streams a file, buffers little for slow readers, and aborts when the file is deleted', async () => {
  const id = await written(manyParts());
  const answer = await fetched(id);
  // At most the socket buffers are full; nobody has read the body.
  await once(answer, 'readable');
  await inOwn(() => currentSql().query('delete from list_export where id = $1', [id]));
  let length = 0;
  const read = async () => {
    for await (const piece of answer) length += (piece as Buffer).length;
  };
  await expect(read()).rejects.toThrow('aborted');
  expect(length).toBeLessThan(100 * 262_144);
});
