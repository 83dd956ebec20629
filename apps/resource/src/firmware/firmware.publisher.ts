import { Inject, Injectable } from '@nestjs/common';
import { firmwareState, type FirmwarePath } from '@carillon/contracts';
import { emitMany } from '@carillon/messaging';
import { columns, computed, currentSql, Database } from '@carillon/persistence';
import { CONFIG, WorkLoop } from '@carillon/service';
import type { ResourceConfig } from '../config.ts';
import { Firmware, OfficialFirmware, type SignedKept } from './firmware.entity.ts';
import { Signer } from './signature.ts';

const published = ['id', 'name', 'version', 'least', 'models', 'files', 'deltas', 'revision', 'damagedAt'] as const;
const signed = ['id', 'version', 'files', 'deltas', 'signer'] as const;
const lists = { firmware: columns(Firmware, 'f', signed), official_firmware: columns(OfficialFirmware, 'f', signed) };
const mine = columns(Firmware, 'f', published, { companyId: computed<string | null>('f.company_id') });
const official = columns(OfficialFirmware, 'f', published, { companyId: computed<string | null>('null::uuid') });
const tables = [
  ['mine', 'firmware', mine],
  ['official', 'official_firmware', official],
] as const;

/** What a stored signature belongs to. */
type Signed = Pick<Firmware, 'version' | 'signer'>;
const sizeOf = ({ size, sha256 }: SignedKept) => ({ size, sha256 });

const atOnce = 200;
/** A process of the previous version may still sign with the old key for a while. */
const againMs = 3_600_000;

/** Publishes firmware with its signatures, and republishes all of it when the key has changed. */
@Injectable()
export class FirmwarePublisher extends WorkLoop<string> {
  private readonly signer: Signer;

  constructor(database: Database, @Inject(CONFIG) { signingKey, signingKeyBefore }: ResourceConfig) {
    super(database, { reason: 'sign all firmware by the new key', tickMs: againMs, atOnce });
    this.signer = new Signer(signingKey, signingKeyBefore);
  }

  /** Returns the signer that a row published by this process stores. */
  get signerName(): string {
    return this.signer.name;
  }

  /** Returns whether the stored signature of a file is that of its row; a file without one has not been signed yet. */
  isSigned(signed: Signed, { size, sha256, signature }: SignedKept): boolean {
    if (signature === undefined || !this.signer.knows(signed.signer)) return true;
    return this.signer.verifies({ version: signed.version, size, sha256 }, signature);
  }

  /** Signs the files of a new row. */
  signed<File extends SignedKept>(version: string, files: readonly File[]): File[] {
    return files.map((file) => ({ ...file, signature: this.signer.sign({ version, ...sizeOf(file) }) }));
  }

  /** Signs files for another version or with a new key. A file whose signature is wrong keeps it. */
  signedAgain<File extends SignedKept>(signed: Signed, version: string, files: readonly File[]): File[] {
    return files.map((file) => (this.isSigned(signed, file) ? this.signed(version, [file])[0]! : file));
  }

  async changed(path: FirmwarePath, ids: readonly string[]): Promise<void> {
    const [, table, list] = tables.find(([prefix]) => prefix === path)!;
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
      const before = await currentSql().rows(
        lists[table],
        `
          select ${lists[table]}
          from ${table} f
          where f.signer is distinct from $1
          order by f.id
          limit $2
          for update skip locked
        `,
        [this.signer.name, atOnce - claimed.length],
      );
      const again = before.map((row) => ({
        id: row.id,
        files: this.signedAgain(row, row.version, row.files),
        deltas: this.signedAgain(row, row.version, row.deltas),
      }));
      const rows = await currentSql().rows(
        list,
        `
          update ${table} f set signer = $1, revision = revision + 1, files = x.files, deltas = x.deltas
          from jsonb_to_recordset($2::jsonb) as x(id uuid, files jsonb, deltas jsonb)
          where f.id = x.id
          returning ${list}
        `,
        [this.signer.name, JSON.stringify(again)],
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

  private async emit(path: FirmwarePath, rows: readonly FirmwareState[]): Promise<void> {
    const { signer } = this;
    await emitMany(
      firmwareState,
      'firmware',
      rows.map(({ companyId, revision, files, deltas, version, damagedAt, ...row }) => {
        const fileOf = ({ id, name, size, sha256, signature }: SignedKept) => ({
          fileId: id,
          fileName: name,
          size,
          sha256,
          signature: signature ?? signer.sign({ version, size, sha256 }),
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
            damaged: damagedAt !== null,
            endorsements: [...signer.endorsements],
          },
        };
      }),
    );
  }
}
type FirmwareState = typeof mine extends { read(row: never): infer R } ? R : never;
