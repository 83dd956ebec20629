import { Inject, Injectable } from '@nestjs/common';
import { message, noticeTypes } from '@carillon/contracts';
import { emitMany } from '@carillon/messaging';
import { afterCommit, columns, computed, currentSql, Database } from '@carillon/persistence';
import { CONFIG, WorkLoop } from '@carillon/service';
import { CompanyCopy } from '../company/company-copy.entity.ts';
import type { ResourceConfig } from '../config.ts';
import { Firmware, OfficialFirmware } from './firmware.entity.ts';

const own = columns(Firmware, 'f', ['id', 'version', 'models'], { to: computed<string>('f.company_id') });
const official = columns(OfficialFirmware, 'f', ['id', 'version', 'models', 'noticeWhom', 'ownerId']);
const company = columns(CompanyCopy, 'c', ['id']);
const atOnce = 50;
const due = `notice_whom <> 'nobody' and noticed_at is null and notice_at <= now()`;

/** Publishes due notices of firmware, each once: in the transaction that marks it as published. */
@Injectable()
export class FirmwareNotices extends WorkLoop<string> {
  constructor(database: Database, @Inject(CONFIG) { firmwareNoticeMs }: ResourceConfig) {
    super(database, { reason: 'tell of new firmware', tickMs: firmwareNoticeMs, atOnce });
  }

  wakeAfterCommit(): void {
    afterCommit(() => this.wake());
  }

  protected async claim(): Promise<readonly string[]> {
    const mark = (table: string, list: string): string => `
      update ${table} f set noticed_at = now()
      where f.id in (select id from ${table} where ${due} order by notice_at limit ${atOnce} for update skip locked)
      returning ${list}
    `;
    const mine = await currentSql().rows(own, mark('firmware', `${own}`));
    const all = await currentSql().rows(official, mark('official_firmware', `${official}`));
    const everybody = all.some(({ noticeWhom }) => noticeWhom === 'everybody')
      ? (await currentSql().rows(company, `select ${company} from company_copy c`)).map(({ id }) => id)
      : [];
    const notices = [
      ...mine.map(({ to, ...firmware }) => ({ to, firmware })),
      ...all.flatMap(({ noticeWhom, ownerId, ...firmware }) =>
        (noticeWhom === 'everybody' ? everybody : [ownerId]).map((to) => ({ to, firmware })),
      ),
    ];
    await emitMany(
      message,
      'message',
      notices.map(({ to, firmware: { id, version, models } }) => ({
        key: to,
        companyId: to,
        data: {
          type: noticeTypes.firmware,
          level: 'low' as const,
          objectId: id,
          objectName: models.join(', ').slice(0, 256),
          orgId: null,
          expiresAt: null,
          values: { version },
        },
      })),
    );
    return [...mine, ...all].map(({ id }) => id);
  }

  /** It was published with its claim. */
  protected perform(): Promise<void> {
    return Promise.resolve();
  }
}
