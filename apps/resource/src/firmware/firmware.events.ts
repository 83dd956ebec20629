import { Inject, Injectable } from '@nestjs/common';
import { firmwareState, type FirmwarePath } from '@carillon/contracts';
import { emitMany } from '@carillon/messaging';
import { columns, computed, currentSql, Database } from '@carillon/persistence';
import { CONFIG, WorkLoop } from '@carillon/service';
import type { ResourceConfig } from '../config.ts';
import type { KeptFile } from '../upload/upload.queries.ts';
import { Firmware, OfficialFirmware } from './firmware.entity.ts';
import { Signer } from './signature.ts';

const told = ['id', 'name', 'version', 'least', 'models', 'files', 'deltas', 'revision'] as const;
const mine = columns(Firmware, 'f', told, { companyId: computed<string | null>('f.company_id') });
const official = columns(OfficialFirmware, 'f', told, { companyId: computed<string | null>('null::uuid') });
const tables = [
  ['mine', 'firmware', mine],
  ['official', 'official_firmware', official],
] as const;

const atOnce = 200;
/** A process of the previous version may still sign with the old key for a while. */
const againMs = 3_600_000;

/** Publishes firmware with its signatures, and republishes all of it when the key has changed. */
@Injectable()
export class FirmwareEvents extends WorkLoop<string> {
  private readonly signer: Signer;

  constructor(database: Database, @Inject(CONFIG) { signingKey, signingKeyBefore }: ResourceConfig) {
    super(database, { reason: 'sign all firmware by the new key', tickMs: againMs, atOnce });
    this.signer = new Signer(signingKey, signingKeyBefore);
  }

  /** Returns the signer that a row published by this process stores. */
  get signerName(): string {
    return this.signer.name;
  }

  async changed(path: FirmwarePath, ids: readonly string[]): Promise<void> {
    const [, table, list] = tables.find(([of]) => of === path)!;
    const rows = await currentSql().rows(list, `select ${list} from ${table} f where f.id = any ($1)`, [[...ids]]);
    await this.emit(path, rows);
  }

  async gone(path: FirmwarePath, { id, revision }: { id: string; revision: number }, companyId: string): Promise<void> {
    await emitMany(firmwareState, 'firmware', [
      { key: id, data: null, version: revision + 1, companyId: path === 'mine' ? companyId : null },
    ]);
  }

  protected async claim(): Promise<readonly string[]> {
    const claimed: string[] = [];
    for (const [path, table, list] of tables) {
      const rows = await currentSql().rows(
        list,
        `
          update ${table} f set signer = $1, revision = revision + 1
          where f.id in (
            select id from ${table} where signer is distinct from $1 order by id limit $2 for update skip locked
          )
          returning ${list}
        `,
        [this.signer.name, atOnce - claimed.length],
      );
      await this.emit(path, rows);
      claimed.push(...rows.map(({ id }) => id));
    }
    return claimed;
  }

  /** It was published with its claim. */
  protected perform(): Promise<void> {
    return Promise.resolve();
  }

  private async emit(path: FirmwarePath, rows: readonly Told[]): Promise<void> {
    const { signer } = this;
    await emitMany(
      firmwareState,
      'firmware',
      rows.map(({ companyId, revision, files, deltas, version, ...row }) => {
        const fileOf = ({ id, name, size, sha256 }: KeptFile) => ({
          fileId: id,
          fileName: name,
          size,
          sha256,
          signature: signer.sign({ version, size, sha256 }),
        });
        return {
          key: row.id,
          companyId,
          version: revision,
          data: {
            ...row,
            path,
            version,
            ...fileOf(files[0]!),
            deltas: deltas.map((delta) => ({
              from: delta.from,
              format: delta.format ?? 'maker',
              ...fileOf(delta),
            })),
            signedBy: signer.key,
            endorsements: [...signer.endorsements],
          },
        };
      }),
    );
  }
}
type Told = typeof mine extends { read(row: never): infer R } ? R : never;
