import { Injectable } from '@nestjs/common';
import type { listUnclaimedPhones, RouteReturn } from '@carillon/contracts';
import { columns, currentDatabase, currentSql, Database, platform } from '@carillon/persistence';
import { UnclaimedPhone } from './unclaimed-phone.entity.ts';

/** Most phones that are remembered; a further one is not, until older ones are forgotten. */
const mostKept = 10_000;
const shown = 500;
const record = columns(UnclaimedPhone, 'u', ['mac', 'maker', 'userAgent', 'address', 'times', 'firstAt', 'lastAt']);

/** Keeps phones that ask for a configuration and whose MAC no company has (DEV-10). */
@Injectable()
export class UnclaimedPhones {
  constructor(private readonly database: Database) {}

  /** Stores that such a phone asks. */
  async note(phone: { mac: string; maker: string; userAgent: string; address: string }): Promise<void> {
    await platform(this.database, 'a phone asks that no company has', () =>
      currentSql().query(
        `
          insert into unclaimed_phone as u (mac, maker, user_agent, address, times, first_at, last_at)
          select $1::text, $2::text, $3::text, $4::text, 1, now(), now()
          where (select count(*) from unclaimed_phone) < ${mostKept}
            or exists (select 1 from unclaimed_phone o where o.mac = $1)
          on conflict (mac) do update
            set maker = excluded.maker, user_agent = excluded.user_agent, address = excluded.address,
              times = least(u.times + 1, 1000000), last_at = now()
        `,
        [phone.mac, phone.maker, phone.userAgent, phone.address],
      ),
    );
  }

  /** Returns those that nobody has added meanwhile. */
  list(): Promise<RouteReturn<typeof listUnclaimedPhones>> {
    return platform(currentDatabase(), 'the super administrator looks at phones that no company has', () =>
      currentSql().rows(
        record,
        `
          select ${record}
          from unclaimed_phone u
          where not exists (select 1 from device_copy d where d.mac = u.mac)
          order by u.last_at desc, u.mac
          limit ${shown}
        `,
      ),
    );
  }
}
