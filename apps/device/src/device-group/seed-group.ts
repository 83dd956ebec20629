import { companySession, currentEntities, Database, transaction, uuidv7 } from '@carillon/persistence';
import { DeviceGroup } from './device-group.entity.ts';
import { publishGroups } from './device-group.publisher.ts';

/** Creates a group of the first company, unless one has this name. Returns its id. */
export const seedGroup = (
  database: Database,
  { companyId, orgId }: { companyId: string; orgId: string },
  { name, description }: { name: string; description: string },
): Promise<string> =>
  transaction(database, companySession(companyId), async () => {
    const known = await currentEntities().findOne(DeviceGroup, { orgId, name });
    if (known) return known.id;
    const id = uuidv7();
    currentEntities().create(DeviceGroup, { id, companyId, orgId, name, description, rule: null });
    await currentEntities().flush();
    await publishGroups([id]);
    return id;
  });
