import { createHash, randomBytes } from 'node:crypto';
import { deviceState, orgSite, taskFile } from '@carillon/contracts';
import { envelope, toRecord } from '@carillon/messaging';
import { columns, computed, currentSql, platform, uuidv7 } from '@carillon/persistence';
import { CONTEXT_KEY, downloadKey, downloadPath, downloadToken, type DownloadGrant } from '@carillon/service';
import { eventually, newActor, type Actor } from '@carillon/testing';
import { goodFiles } from '../content/content-example.ts';
import { StoredFile } from '../store/stored-file.entity.ts';
import type { TestedStore } from '../upload/upload-test.ts';
import { DeviceCopy } from './device-copy.entity.ts';
import { SiteCopy } from './site-copy.entity.ts';
import { TaskFileCopy } from './task-file-copy.entity.ts';

const stored = columns(StoredFile, 's', ['id']);
const device = columns(DeviceCopy, 'd', ['id', 'companyId', 'firmware', 'previousFirmware', 'ownerEpoch', 'version']);
const known = columns(DeviceCopy, 'd', [], { n: computed<number>('count(*)::int') });
const task = columns(TaskFileCopy, 't', ['id', 'stopped', 'endedAt', 'version']);
const siteRow = columns(SiteCopy, 's', ['version']);
let versions = 0;

export interface TestedDevice {
  id: string;
  companyId: string;
  ownerEpoch: number;
  model: string;
  firmware: string | null;
  siteId: string | null;
}

/** Creates an image of this length without two equal blocks, with the header of an image. */
export function image(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  for (let at = 0; at + 4 <= length; at += 4) bytes.writeUInt32LE((at * 2_654_435_761) >>> 0, at);
  goodFiles['.bin']!.copy(bytes);
  randomBytes(16).copy(bytes, goodFiles['.bin']!.length);
  return bytes;
}

/** Publishes devices and tasks, and creates links like the task service. */
export function downloads(store: TestedStore) {
  const look = <T>(work: () => Promise<T>): Promise<T> => platform(store.service.database, 'look', work);
  const key = downloadKey(store.service.app.get<Buffer>(CONTEXT_KEY, { strict: false }));
  const copyOf = (id: string) =>
    look(() => currentSql().rows(device, `select ${device} from device_copy d where d.id = $1`, [id]));
  const addDevices = async (all: readonly Partial<TestedDevice>[]): Promise<TestedDevice[]> => {
    const devices = all.map((device) => ({
      id: uuidv7(),
      companyId: uuidv7(),
      ownerEpoch: 1,
      model: 'X7A',
      firmware: '1.0.0',
      siteId: null,
      ...device,
    }));
    await store.bus.publish(
      devices.map(({ companyId, ...device }) =>
        toRecord(
          deviceState,
          device.id,
          {
            ...device,
            orgId: companyId,
            mac: '001122334455',
            name: 'Desk',
            sn: '',
            internalIp: null,
            configured: true,
            failedLines: 0,
            configFailed: false,
            capabilities: [],
          },
          envelope('device', { companyId, version: ++versions }),
        ),
      ),
    );
    const first = versions - devices.length + 1;
    const latest = new Map(devices.map(({ id }, i) => [id, first + i]));
    await eventually(async () => {
      const sql = `
        select ${known} from unnest($1::uuid[], $2::bigint[]) t (id, version)
        join device_copy d on d.id = t.id and d.version = t.version
      `;
      const [found] = await look(() => currentSql().rows(known, sql, [[...latest.keys()], [...latest.values()]]));
      if (found!.n < latest.size) throw new Error('not known yet');
    });
    return devices;
  };
  return {
    look,
    copyOf,
    rows: async (table: 'download' | 'stored_file', id: string): Promise<number> =>
      look(async () => (await currentSql().query(`select from ${table} where id = $1`, [id])).rowCount),

    /** Stores bytes and returns their id. */
    async file(owner: Actor, bytes: Buffer): Promise<string> {
      await store.upload(owner, 'image.bin', bytes, 'firmware');
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const [found] = await look(() =>
        currentSql().rows(stored, `select ${stored} from stored_file s where s.sha256 = $1 and s.company_id = $2`, [
          sha256,
          owner.companyId,
        ]),
      );
      return found!.id;
    },

    publishDevice: async (device: Partial<TestedDevice> = {}): Promise<TestedDevice> =>
      (await addDevices([device]))[0]!,
    /** Publishes devices in one batch, in order. */
    addDevices,

    /** Publishes a site with its download limit. */
    async site(id: string, companyId: string, downloadMbit: number | null, parentId: string | null = null) {
      const version = ++versions;
      const data = { id, companyId, parentId, name: 'Site', segments: [], autoAssign: false, downloadMbit };
      await store.bus.publish([toRecord(orgSite, id, data, envelope('site', { companyId, version }))]);
      await eventually(async () => {
        const [row] = await look(() =>
          currentSql().rows(siteRow, `select ${siteRow} from site_copy s where s.id = $1`, [id]),
        );
        if (row?.version !== version) throw new Error('not known yet');
      });
    },

    async remove({ id, companyId }: TestedDevice): Promise<void> {
      await store.bus.publish([toRecord(deviceState, id, null, envelope('device', { companyId }))]);
      await eventually(async () => {
        if ((await copyOf(id)).length > 0) throw new Error('still there');
      });
    },

    /** Publishes a task with a file; null when it has ended. */
    async task(
      id: string,
      companyId: string,
      state: { stopped: boolean; objectId?: string; noun?: string } | null,
    ): Promise<void> {
      const version = ++versions;
      const data = state && { taskId: id, noun: 'firmware', objectId: uuidv7(), ...state };
      await store.bus.publish([toRecord(taskFile, id, data, envelope('file', { companyId, version }))]);
      await eventually(async () => {
        const [row] = await look(() =>
          currentSql().rows(task, `select ${task} from task_file_copy t where t.id = $1`, [id]),
        );
        if (state ? row?.version !== version : row?.endedAt === null) throw new Error('not known yet');
      });
    },

    grant(fileId: string, to: TestedDevice, more: Partial<DownloadGrant> = {}): DownloadGrant {
      return {
        companyId: to.companyId,
        deviceId: to.id,
        ownerEpoch: to.ownerEpoch,
        taskId: uuidv7(),
        commandId: uuidv7(),
        fileId,
        beginBy: Date.now() + 600_000,
        until: Date.now() + 3_600_000,
        ...more,
      };
    },
    link: (grant: DownloadGrant, name = 'X7A 2.0.bin') => downloadPath(downloadToken(key, grant), name),
    /** The link of a phone over HTTP; `asked` is the name that it asks for. */
    phoneLink: (grant: DownloadGrant, name: string, asked = name) =>
      downloadPath(downloadToken(key, grant, name), asked),
    /** Creates a user with a device. */
    async own(): Promise<{ actor: Actor; to: TestedDevice }> {
      const actor = newActor();
      return { actor, to: await this.publishDevice({ companyId: actor.companyId }) };
    },
  };
}
