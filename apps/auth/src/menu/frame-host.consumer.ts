import { Controller } from '@nestjs/common';
import { licenseConfig, type Message } from '@carillon/contracts';
import { On } from '@carillon/messaging';
import { columns, currentDatabase, currentSql, platform } from '@carillon/persistence';
import { emitLive } from '@carillon/service';
import { FrameHost } from './frame-host.entity.ts';
import { MenuItemRow } from './menu-item.entity.ts';

/** Copies the hosts whose pages the operator allows in a frame (SYS-10); the menu shows pages of no other host. */
@Controller()
export class FrameHostConsumer {
  @On(licenseConfig, ['frameHosts'])
  async take(messages: Message<typeof licenseConfig>[]): Promise<void> {
    for (const { key, data, version } of messages) {
      await currentSql().query(
        `
          insert into frame_host as f (key, hosts, version)
          values ($1, $2::jsonb, $3)
          on conflict (key) do update set hosts = excluded.hosts, version = excluded.version
          where f.version <= excluded.version
        `,
        [key, JSON.stringify(data ?? []), version ?? 0],
      );
    }
    // Open browsers of companies with such pages reload their menus.
    for (const companyId of await platform(
      currentDatabase(),
      'companies whose menus may show other pages now',
      companiesWithPages,
    ))
      await emitLive(companyId, 'menu', ['menu'], null);
  }
}

async function companiesWithPages(): Promise<string[]> {
  const owner = columns(MenuItemRow, 'm', ['companyId']);
  const sql = `select distinct ${owner} from menu_item m where m.path ~* '^https?:'`;
  return (await currentSql().rows(owner, sql)).map((row) => row.companyId);
}

/**
 * Returns the allowed hosts as they appear in an address: a name or an IP address, with its port unless it is the
 * scheme's default.
 */
export async function frameHosts(): Promise<ReadonlySet<string>> {
  const allowed = columns(FrameHost, 'f', ['hosts']);
  const rows = await currentSql().rows(allowed, `select ${allowed} from frame_host f`);
  return new Set(rows.flatMap((row) => row.hosts));
}
