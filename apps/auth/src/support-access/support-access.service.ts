import { Injectable } from '@nestjs/common';
import type { addSupportAccess, getSupportAccess, RouteInput, RouteReturn } from '@carillon/contracts';
import { currentDatabase, currentEntities, currentSql, column, columns, platform, uuidv7 } from '@carillon/persistence';
import { auditNote, emitLive, fail, found } from '@carillon/service';
import { context } from '@carillon/tenancy';
import { CustomerAccess, SupportAccess } from './support-access.entity.ts';
import {
  accessById,
  activeAccess,
  closeExpired,
  companyById,
  endVisits,
  holdCompany,
  type SupportAccessRecord,
} from './support-access.queries.ts';
import { publishVisits } from './visit.publisher.ts';

const ended = columns(SupportAccess, 's', ['id', 'companyId', 'superiorId'], {
  until: column(SupportAccess, 's', 'until'),
});

/** Manages the access that a company grants its parent company (CHN-07). */
@Injectable()
export class SupportAccesses {
  async current(): Promise<RouteReturn<typeof getSupportAccess>> {
    const own = found(await companyById(context().companyId));
    return { company: await superiorOf(own), until: (await activeAccess())?.until ?? null };
  }

  async add({ level, hours, reason }: RouteInput<typeof addSupportAccess>['body']): Promise<SupportAccessRecord> {
    const { companyId, userId, username } = context();
    await holdCompany(companyId);
    const own = found(await companyById(companyId));
    const superior = (await superiorOf(own)) ?? fail('supportAccess.nobodyAbove');
    auditNote({ objectName: superior });
    await closeExpired();
    if (await activeAccess()) fail('supportAccess.alreadyOpen');
    const id = uuidv7();
    const now = new Date();
    const until = new Date(now.getTime() + hours * 3_600_000).toISOString();
    const shared = { id, level, reason, until, endedAt: null };
    currentEntities().create(SupportAccess, {
      ...shared,
      companyId,
      superiorId: own.parentId!,
      superior,
      userId: userId!,
      createdBy: username,
      createdAt: now.toISOString(),
      endedBy: null,
      visitedAt: null,
    });
    await currentEntities().flush();
    await platform(currentDatabase(), 'the company above has its own row of what it is allowed', async () => {
      currentEntities().create(CustomerAccess, {
        ...shared,
        companyId: own.parentId!,
        customerId: companyId,
        customer: own.name,
        allowedById: userId!,
        allowedBy: username,
      });
      await currentEntities().flush();
    });
    auditNote({ objectId: id, detail: { level, until, reason } });
    await publishAccess(companyId, own.parentId!, id);
    return found(await accessById(id));
  }

  /** Ends an access: visitors are out within a second. An access that has ended already stays unchanged. */
  async end(id: string): Promise<SupportAccessRecord> {
    const access = found(await accessById(id));
    auditNote({ objectId: id, objectName: access.company });
    if (access.state === 'active') await endOpen(context().username);
    return found(await accessById(id));
  }
}

async function superiorOf({ parentId }: { parentId: string | null }): Promise<string | null> {
  if (parentId === null) return null;
  return platform(
    currentDatabase(),
    'the name of the company above',
    async () => (await companyById(parentId))?.name ?? null,
  );
}

/** Refreshes the open browsers of both companies. */
async function publishAccess(companyId: string, superiorId: string, id: string): Promise<void> {
  await emitLive(companyId, 'supportAccess', [id], null);
  await emitLive(superiorId, 'channel', [companyId], null);
}

/** Ends the accesses that the current company granted, except those to `but`, and all their visits. */
async function endOpen(by: string, but: string | null = null): Promise<void> {
  const rows = await currentSql().rows(
    ended,
    `
      update support_access s
      set ended_at = now(), ended_by = $1
      where s.ended_at is null and s.until > now() and s.superior_id is distinct from $2
      returning ${ended}
    `,
    [by, but],
  );
  for (const { id, companyId, superiorId } of rows)
    await platform(currentDatabase(), 'a support access ends for the company above, too', async () => {
      await currentSql().query('update customer_access set ended_at = now() where id = $1', [id]);
      await publishVisits(await endVisits('access_id', id));
      await publishAccess(companyId, superiorId, id);
    });
}

/** Ends the accesses of the former parent company after a company has moved to another one. */
export const endForOthers = (superiorId: string | null): Promise<void> => endOpen('system', superiorId);
