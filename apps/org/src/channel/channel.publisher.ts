import { columns, computed, currentSql } from '@carillon/persistence';
import { emitLive } from '@carillon/service';
import { Company } from '../company/company.entity.ts';
import { publishCompanies } from '../org.publisher.ts';
import { Channel } from './channel.entity.ts';
import { mirrorChannels } from './channel.queries.ts';

const inPaths = columns(Company, 'c', [], {
  id: computed<string>(`unnest(string_to_array(trim(both '/' from c.path), '/'))`),
});
const child = columns(Channel, 'h', ['id', 'companyId']);

/**
 * Publishes a change of these companies. Updates the rows and counts of all their ancestors, and refreshes other
 * services and open browsers. Call inside of `platform()`.
 */
export async function publishChannels(ids: readonly string[]): Promise<void> {
  const paths = await currentSql().rows(inPaths, `select ${inPaths} from company c where c.id = any ($1)`, [ids]);
  const all = [...new Set(paths.map((p) => p.id))];
  await mirrorChannels(all);
  await publishCompanies([...new Set(ids)]);
  const children = await currentSql().rows(child, `select ${child} from channel h where h.id = any ($1)`, [all]);
  for (const [parent, own] of Map.groupBy(children, (c) => c.companyId))
    await emitLive(
      parent,
      'channel',
      own.map((c) => c.id),
      null,
    );
  if (all[0] !== undefined) await emitLive(all[0], 'company', ids, null);
}
