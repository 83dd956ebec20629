import { Injectable } from '@nestjs/common';
import {
  afterCommit,
  columns,
  companySession,
  currentSql,
  Database,
  transaction,
  type RowOf,
} from '@carillon/persistence';
import { WorkLoop } from '@carillon/service';
import { DeviceCopy } from '../sip-account/sip-account.entity.ts';
import { ConfigPassRow } from './device-config.entity.ts';
import { configure } from './device-config.queries.ts';

const tickMs = 5_000;
const leaseSeconds = 60;
/** Devices per transaction, which limits how long other changes of the company's configurations wait. */
const chunk = 2_000;
/** Companies at a time: one with many devices does not hold up the others. */
const atOnce = 2;

const pass = columns(ConfigPassRow, 'a', ['id', 'companyId', 'model']);
type Pass = RowOf<typeof pass>;
const walked = columns(ConfigPassRow, 'a', ['after']);
const identified = columns(DeviceCopy, 'd', ['id']);

/** Makes the configurations of all devices of a changed template again, a chunk per transaction. */
@Injectable()
export class ConfigPass extends WorkLoop<Pass> {
  constructor(database: Database) {
    super(database, { reason: 'the next changed configuration templates, of all companies', tickMs, atOnce });
  }

  /** Starts a pass in the running transaction; restarts one that is under way. */
  async begin({ id, companyId, model }: Pass): Promise<void> {
    await currentSql().query(
      `
        insert into config_pass (id, company_id, model, lease_until)
        values ($1, $2, $3, now())
        on conflict (id) do update set after = null, lease_until = now()
      `,
      [id, companyId, model],
    );
    afterCommit(() => this.wake());
  }

  protected override claim(): Promise<Pass[]> {
    return currentSql().rows(
      pass,
      `
        update config_pass a
        set lease_until = now() + interval '${leaseSeconds} seconds'
        where a.id in (
          select id
          from config_pass
          where lease_until <= now()
          order by lease_until
          limit ${atOnce}
          for update skip locked
        )
        returning ${pass}
      `,
    );
  }

  /** Makes one chunk of a company and gives the pass back, so that companies take turns. */
  protected override async perform({ id, companyId, model }: Pass): Promise<void> {
    await transaction(this.database, companySession(companyId), async () => {
      const [row] = await currentSql().rows(walked, `select ${walked} from config_pass a where a.id = $1 for update`, [
        id,
      ]);
      if (row === undefined) return;
      const devices = await currentSql().rows(
        identified,
        `
          select ${identified}
          from device_copy d
          where ($1::text is null or d.model = $1) and ($2::uuid is null or d.id > $2::uuid)
          order by d.id
          limit ${chunk}
        `,
        [model, row.after],
      );
      await configure(
        companyId,
        devices.map((d) => d.id),
      );
      if (devices.length < chunk) await currentSql().query('delete from config_pass where id = $1', [id]);
      else {
        const next = 'update config_pass set after = $2, lease_until = now() where id = $1';
        await currentSql().query(next, [id, devices.at(-1)!.id]);
        afterCommit(() => this.wake());
      }
    });
  }
}
