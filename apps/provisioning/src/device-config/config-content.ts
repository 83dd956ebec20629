import { createHash, createHmac, hkdfSync } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { currentSql } from '@carillon/persistence';
import { CompanySecrets, CONFIG } from '@carillon/service';
import { uuidText } from '@carillon/tenancy';
import type { ProvisioningConfig } from '../config.ts';
import { linkText, type Desired } from './desired.ts';

/** A content with the values by which a device verifies it. */
export interface MadeContent {
  id: string;
  /** What the device reports back: the same for the same content of a company. */
  version: string;
  desired: Desired;
  /** The content as a device on the MQTT link loads it. */
  text: string;
  size: number;
  sha256: string;
}
type Kept = Pick<MadeContent, 'desired' | 'text'>;

const placeOf = (id: string): string => `config_content.sealed ${id}`;

/** Makes, keeps and opens what devices load. */
@Injectable()
export class ConfigContents {
  private readonly key: Buffer;

  constructor(
    private readonly secrets: CompanySecrets,
    @Inject(CONFIG) { dataKey }: ProvisioningConfig,
  ) {
    this.key = Buffer.from(hkdfSync('sha256', dataKey, '', 'carillon configuration contents', 32));
  }

  /**
   * Returns the content of a configuration. Its id, its version and a comment in the text depend on a key: from none of
   * them, nor from the checksum, can a password be guessed.
   */
  made(companyId: string, desired: Desired): MadeContent {
    const lines = linkText(desired);
    const mark = createHmac('sha256', this.key).update(`${companyId} ${lines}`).digest();
    const id = Buffer.from(mark.subarray(0, 16));
    id[6] = (id[6]! & 0x0f) | 0x80;
    id[8] = (id[8]! & 0x3f) | 0x80;
    const text = `# ${mark.toString('hex', 22)}\n${lines}`;
    return {
      id: uuidText(id),
      version: `t${mark.toString('hex', 16, 22).slice(0, 11)}`,
      desired,
      text,
      size: Buffer.byteLength(text),
      sha256: createHash('sha256').update(text).digest('hex'),
    };
  }

  /**
   * Stores contents of the running company, and marks those that they replace as just used: commands may name them for
   * a while. Locks all of them in one order first.
   */
  async keep(companyId: string, contents: readonly MadeContent[], replaced: readonly string[]): Promise<void> {
    const ids = [...contents.map(({ id }) => id), ...replaced];
    await currentSql().query(
      'select 1 as one from config_content x where x.id = any($1::uuid[]) order by x.id for update',
      [ids],
    );
    await currentSql().query('update config_content set used_at = now() where id = any($1::uuid[])', [ids]);
    const seal = await this.secrets.sealer();
    const rows = contents.map(({ id, version, desired, text }) => ({
      id,
      version,
      sealed: seal(placeOf(id), JSON.stringify({ desired, text } satisfies Kept)),
    }));
    await currentSql().query(
      `
        insert into config_content (id, company_id, sealed, version, used_at)
        select m.id, $2, m.sealed, m.version, now()
        from jsonb_to_recordset($1::jsonb) as m(id uuid, sealed text, version text)
        order by m.id
        on conflict (id) do nothing
      `,
      [JSON.stringify(rows), companyId],
    );
  }

  /** Opens a content of the running company. */
  async open(id: string, sealed: string): Promise<Kept> {
    return JSON.parse(await this.secrets.open(placeOf(id), sealed)) as Kept;
  }
}
