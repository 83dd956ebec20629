import { Injectable } from '@nestjs/common';
import { phoneCodes } from '@carillon/contracts';
import { columns, computed, currentSql, Database, inCompany, type RowOf } from '@carillon/persistence';
import { createLogger } from '@carillon/observability';
import { WorkLoop } from '@carillon/service';
import { ConfigContents } from '../device-config/config-content.ts';
import { PhoneSession } from '../phone-session/phone-session.entity.ts';
import { PhoneNotifier } from '../sip-notify/phone-notifier.ts';
import { settingFor } from '../vendor/file-setting.ts';
import { vendorNamed } from '../vendor/vendor-of.ts';
import { settle, untoldSql } from './phone-command.queries.ts';
import { endFile } from './phone-file.queries.ts';
import { claimed, isHeldNoMoreSql, mayTell, type Claimed } from './phone-idle.queries.ts';

const log = createLogger('phone-command');
const tickMs = 2_000;
/** NOTIFYs at the same time: each waits some seconds for a phone that does not answer. */
const atOnce = 128;
/** Longer than a phone and its server are given to answer. */
const claimSeconds = 60;

const toldPhone = columns(PhoneSession, 's', ['maker', 'address', 'ownAddress'], {
  contentId: computed<string | null>('x.id'),
  sealed: computed<string | null>('x.sealed'),
});

/**
 * Tells phones over SIP that there is something to do. The tick finds the commands whose phones make no call any more.
 */
@Injectable()
export class PhoneCommandLoop extends WorkLoop<Claimed> {
  constructor(
    database: Database,
    private readonly contents: ConfigContents,
    private readonly notifier: PhoneNotifier,
  ) {
    super(database, { reason: 'which phones are to be told something, of all companies', tickMs, atOnce });
  }

  /** Companies take turns: one with many unreachable phones holds up no other. */
  protected override claim(): Promise<Claimed[]> {
    return currentSql().rows(
      claimed,
      `
        with due as (
          select c.id, row_number() over (partition by c.company_id order by c.created_at) as turn, c.created_at
          from phone_command c
          where c.state in ${untoldSql} and (c.claimed_until is null or c.claimed_until < now())
            and case c.state when 'busy' then ${isHeldNoMoreSql} else c.expires_at > now() end
        )
        update phone_command c
        set state = 'telling', claimed_until = now() + interval '${claimSeconds} seconds'
        from (
            select c.id, c.state from phone_command c
            where c.id in (select d.id from due d order by d.turn, d.created_at limit ${atOnce})
              and c.state in ${untoldSql}
            for update skip locked
          ) f
        where c.id = f.id
        returning ${claimed}
      `,
    );
  }

  protected override async perform(command: Claimed): Promise<void> {
    const { id, companyId, deviceId, action, file } = command;
    if (!(await inCompany(this.database, companyId, () => mayTell(command)))) return;
    const phone = await inCompany(this.database, companyId, () => this.phoneOf(deviceId));
    const vendor = phone && vendorNamed(phone.maker);
    const setting = file ? settingFor(vendor?.loads ?? {}, file) : undefined;
    if (file && !setting) return inCompany(this.database, companyId, () => endFile(id, phoneCodes.noSetting));
    const notify = vendor?.notify;
    const event = action === 'reboot' || setting?.restarts ? notify?.restart : notify?.fetch;
    const isTold = phone !== undefined && event ? await this.notifier.notify(phone, event) : false;
    await inCompany(this.database, companyId, () =>
      // A phone that looks for the file only when it starts would not look when it asks.
      !isTold && setting?.restarts
        ? endFile(id, phoneCodes.unreached)
        : settle(id, isTold ? 'accept' : action === 'reboot' ? 'fail' : 'miss'),
    );
  }

  private async phoneOf(deviceId: string) {
    const [found] = await currentSql().rows(
      toldPhone,
      `
        select ${toldPhone}
        from phone_session s
        left join device_config g on g.id = s.id
        left join config_content x on x.id = g.content_id
        where s.id = $1
      `,
      [deviceId],
    );
    if (found === undefined) return undefined;
    return { ...found, line: await this.lineOf(found) };
  }

  /** Returns the account of the first line; undefined without one, or when no key opens its password. */
  private async lineOf({ contentId, sealed }: Pick<RowOf<typeof toldPhone>, 'contentId' | 'sealed'>) {
    if (contentId === null || sealed === null) return undefined;
    try {
      return (await this.contents.open(contentId, sealed)).desired.lines[0];
    } catch (err) {
      log.warn({ err }, 'no key opens the configuration of a phone; it is told without its SIP server');
      return undefined;
    }
  }
}
