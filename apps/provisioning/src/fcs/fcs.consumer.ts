import { Controller } from '@nestjs/common';
import { licenseConfig, orgCompany, type Message } from '@carillon/contracts';
import { On } from '@carillon/messaging';
import { currentDatabase, currentSql, platform } from '@carillon/persistence';
import { emitLive } from '@carillon/service';
import { holdFcs, settleFcsServers } from './fcs.queries.ts';

/** Copies which companies may have FCS accounts, and on which servers, from `org` and `license` (ACC-03). */
@Controller()
export class FcsConsumer {
  @On(orgCompany, ['company'])
  async company(messages: Message<typeof orgCompany>[]): Promise<void> {
    await holdFcs('shared');
    for (const { data, version, era } of messages) {
      if (!data) continue;
      await currentSql().query(
        `
          insert into company_copy as c (
            id, company_id, fcs_enabled, fcs_limit, fcs_used, fcs_url, fcs_domain, version, era, open
          )
          values (
            $1, $1, $2, $3,
            (select count(*) from sip_account a join sip_server s on s.id = a.server_id where s.fcs),
            $4, $5, $6, $7, $8
          )
          on conflict (id) do update set fcs_enabled = excluded.fcs_enabled, fcs_limit = excluded.fcs_limit,
            fcs_url = excluded.fcs_url, fcs_domain = excluded.fcs_domain, version = excluded.version,
            era = excluded.era, open = excluded.open
          where (c.era, c.version) < (excluded.era, excluded.version)
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
        ],
      );
    }
    await settleFcsServers();
    // Open lists show how many accounts are left.
    for (const { key } of messages) await emitLive(key, 'sipAccount', [key], null);
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
