import { Injectable } from '@nestjs/common';
import { currentDatabase, currentEntities, platform, uuidv7 } from '@carillon/persistence';
import { auditNote, emitAudit, fail, found } from '@carillon/service';
import { context, runAs, systemContext } from '@carillon/tenancy';
import { holdSession } from '../session/session.queries.ts';
import { accessRows } from '../user/user.queries.ts';
import { Visit } from './support-access.entity.ts';
import { companyById, countVisit, endVisits, openCustomerAccess, visitOfSession } from './support-access.queries.ts';
import { publishVisits } from './visit.publisher.ts';

/** A visit in the form of the token call. */
export interface OpenVisit {
  visitId: string;
  customerId: string;
  customer: string;
  allowedById: string;
  allowedBy: string;
  until: string;
}

/** Lets sessions enter a customer's company and leave it (CHN-07). */
@Injectable()
export class Visits {
  /** Enters a customer's company, starting with the next token of the session. */
  async enter(customerId: string): Promise<{ until: string }> {
    const { sessionId, userId, companyId, username } = context();
    auditNote({ objectId: customerId });
    // API tokens have no session.
    if (!sessionId) fail('common.forbidden', { permission: 'session' });
    // Serializes concurrent calls, so that a session is in one company only.
    if (!(await holdSession(sessionId, 'alone'))) fail('common.tokenInvalid');
    const access = (await openCustomerAccess(customerId)) ?? fail('supportAccess.none');
    auditNote({ objectName: access.customer, detail: { until: access.until, allowedBy: access.allowedBy } });
    await platform(currentDatabase(), 'a user enters the company of a customer who allows it', async () => {
      // Held until the commit, so that a concurrent end of the access waits and ends this visit as well.
      if (!(await countVisit(access.id))) fail('supportAccess.none');
      const before = await endVisits('session_id', sessionId);
      const visitId = uuidv7();
      currentEntities().create(Visit, {
        id: visitId,
        companyId,
        sessionId,
        userId: userId!,
        accessId: access.id,
        customerId,
        startedAt: new Date().toISOString(),
        endedAt: null,
      });
      await currentEntities().flush();
      await publishVisits([...before, visitId]);
      const company = found(await companyById(companyId)).name;
      await runAs({ ...systemContext(customerId), username: `${username} (${company})`.slice(0, 128) }, () =>
        emitAudit('supportAccess.enter', 'success', { objectId: access.id, objectName: company }),
      );
    });
    return { until: access.until };
  }

  /** Leaves the company: the next token of the session is for its own company again. */
  async leave(): Promise<null> {
    const { visit, userId } = context();
    if (!visit) fail('supportAccess.ended');
    auditNote({ objectId: visit!.accessId, objectName: visit!.customer });
    await platform(currentDatabase(), 'a visitor leaves', async () => publishVisits(await endVisits('id', userId!)));
    return null;
  }

  /**
   * Returns the visit of a session for its next token. Ends a visit that may not continue, so that the token is for the
   * own company.
   */
  findOpen(sessionId: string): Promise<OpenVisit | undefined> {
    return platform(currentDatabase(), 'where is this session', async () => {
      const visit = await visitOfSession(sessionId);
      if (!visit) return undefined;
      const people = new Map((await accessRows([visit.userId, visit.allowedById])).map((p) => [p.userId, p]));
      const may = (userId: string, right: string) =>
        people.get(userId)?.status === 'normal' && people.get(userId)!.permissions.includes(right);
      const open =
        !visit.ended &&
        visit.until > Date.now() &&
        may(visit.userId, 'enterChannel') &&
        may(visit.allowedById, 'addSupportAccess');
      if (open)
        return {
          visitId: visit.visitId,
          customerId: visit.companyId,
          customer: visit.customer,
          allowedById: visit.allowedById,
          allowedBy: visit.allowedBy,
          until: new Date(visit.until).toISOString(),
        };
      await publishVisits(await endVisits('id', visit.visitId));
      return undefined;
    });
  }
}
