import { Controller } from '@nestjs/common';
import { licenseConfig, orgCompany, type Message } from '@carillon/contracts';
import { On } from '@carillon/messaging';
import { currentDatabase, currentSql, platform } from '@carillon/persistence';
import { emitLive } from '@carillon/service';
import { spreadLocks } from '../config-lock/config-lock.ts';
import { holdFcs, settleFcsServers } from './fcs.queries.ts';

/**
 * Copies companies, which of them may have FCS accounts, and on which servers, from `org` and `license` (ACC-03).
 */
@Controller()
export class FcsConsumer {
  @On(orgCompany, ['company'])
  async company(messages: Message<typeof orgCompany>[]): Promise<void> {
    await holdFcs('shared');
    const moved = new Set<string>();
    for (const message of messages) if (await copyCompany(message)) moved.add(message.key);
    await settleFcsServers();
    // Open lists show how many accounts are left.
    for (const { key } of messages) await emitLive(key, 'sipAccount', [key], null);
    for (const id of moved) await spreadLocks(id);
  }

  @On(licenseConfig, ['fcs'])
  async setting(messages: Message<typeof licenseConfig>[]): Promise<void> {
    await holdFcs('alone');
    for (const { key, data, version } of messages)
      await currentSql().query(
        `
          insert into fcs_setting as f (key, setting, version)
          values ($1, $2::jsonb, $3)
          on conflict (key) do update set setting = excluded.setting, version = excluded.version
          where f.version <= excluded.version
        `,
        [key, JSON.stringify(data ?? { enabled: false, servers: [] }), version ?? 0],
      );
    await platform(currentDatabase(), 'FCS servers of all companies follow the installation', settleFcsServers);
  }
}

/** Copies a company. Returns whether it has another name or place in the tree. */
async function copyCompany({ data, version, era }: Message<typeof orgCompany>): Promise<boolean> {
  if (!data) return false;
  const { rows } = await currentSql().query<{ moved: boolean }>(
    `
      insert into company_copy as c (
        id, company_id, name, path, fcs_enabled, fcs_limit, fcs_used, fcs_url, fcs_domain, version, era, open
      )
      values (
        $1, $1, $9, $10, $2, $3,
        (select count(*) from sip_account a join sip_server s on s.id = a.server_id where s.fcs),
        $4, $5, $6, $7, $8
      )
      on conflict (id) do update set name = excluded.name, path = excluded.path, fcs_enabled = excluded.fcs_enabled,
        fcs_limit = excluded.fcs_limit, fcs_url = excluded.fcs_url, fcs_domain = excluded.fcs_domain,
        version = excluded.version, era = excluded.era, open = excluded.open
      where (c.era, c.version) < (excluded.era, excluded.version)
      returning (old.name, old.path) is distinct from (new.name, new.path) as moved
    `,
    [
      data.id,
      data.fcsEnabled,
      data.fcsLimit,
      data.fcsUrl ?? '',
      data.fcsDomain ?? '',
      version ?? 0,
      era,
      data.status === 'normal' || data.status === 'inactive',
      data.name,
      data.path,
    ],
  );
  return rows[0]?.moved ?? false;
}
