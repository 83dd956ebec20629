import { Inject, Injectable } from '@nestjs/common';
import { mailGroup, type addEmailNotice, type editEmailNotice, type RouteInput } from '@carillon/contracts';
import { emit } from '@carillon/messaging';
import {
  columns,
  computed,
  currentEntities,
  currentSql,
  Database,
  holdLock,
  knowsZone,
  transaction,
  uuidv7,
} from '@carillon/persistence';
import {
  auditNote,
  CONFIG,
  emitLive,
  fail,
  failAt,
  found,
  keepDeleted,
  requestMail,
  takeBack,
  WorkLoop,
  noteRestored,
} from '@carillon/service';
import { context, runAs, systemContext } from '@carillon/tenancy';
import type { NotificationConfig } from '../config.ts';
import { organizationFor } from '../projections/organization.projection.ts';
import { EmailNotice } from './email-notice.entity.ts';
import {
  dueNotices,
  noticeById,
  noticeTold,
  postponeNotice,
  setTime,
  takeNotice,
  untold,
  type DueNotice,
  type EmailNoticeRecord,
} from './email-notice.queries.ts';
import { NoticeBudget } from './notice-budget.ts';

const atOnce = 4;
/** A mail lists this many groups, and counts the rest. */
const named = 20;
/** Most notices that a user may see. */
const mostNotices = 50;

type Given = Omit<RouteInput<typeof addEmailNotice>['body'], 'orgId'>;
const deleted = columns(EmailNotice, 'n', [], { row: computed<object>('to_jsonb(n)') });

/** Mails alarms to users: everything new in one mail per address (NOTE-03, NOTE-04). */
@Injectable()
export class EmailNotices extends WorkLoop<DueNotice> {
  constructor(
    database: Database,
    @Inject(CONFIG) private readonly config: NotificationConfig,
    private readonly budget: NoticeBudget,
  ) {
    super(database, { reason: 'email notices that are due, of all companies', tickMs: config.mailTickMs, atOnce });
  }

  async get(id: string): Promise<EmailNoticeRecord> {
    return found(await noticeById(id));
  }

  async add({ orgId: asked, ...given }: RouteInput<typeof addEmailNotice>['body']): Promise<EmailNoticeRecord> {
    const { companyId, language } = context();
    await refuseMore(1);
    const orgId = await organizationFor(asked);
    const values = await this.checked(given);
    const id = uuidv7();
    currentEntities().create(EmailNotice, {
      id,
      companyId,
      orgId,
      ...values,
      language,
      since: new Date().toISOString(),
      sentAt: null,
      nextAt: null,
    });
    await currentEntities().flush();
    await setTime(id);
    auditNote({ objectId: id, objectName: given.title, ...scope(orgId), detail: { before: null, after: values } });
    await emitLive(companyId, 'emailNotice', [id], orgId === null ? null : [orgId]);
    return this.get(id);
  }

  async edit({ id, ...given }: RouteInput<typeof editEmailNotice>['body']): Promise<EmailNoticeRecord> {
    const notice = found(await currentEntities().findOne(EmailNotice, id));
    const { companyId, orgId } = notice;
    const { organization: _, sentAt: __, updatedAt: ___, id: ____, ...before } = await this.get(id);
    const values = await this.checked(given);
    currentEntities().assign(notice, {
      ...values,
      // Alarms from the time when it was off are not mailed afterwards.
      ...(before.enabled ? {} : { since: new Date().toISOString() }),
    });
    await currentEntities().flush();
    await setTime(id);
    auditNote({ objectId: id, objectName: given.title, ...scope(orgId), detail: { before, after: values } });
    await emitLive(companyId, 'emailNotice', [id], orgId === null ? null : [orgId]);
    return this.get(id);
  }

  async delete(id: string): Promise<null> {
    const { orgId, title, companyId } = found(await currentEntities().findOne(EmailNotice, id));
    const [row] = await currentSql().rows(deleted, `delete from email_notice n where n.id = $1 returning ${deleted}`, [
      id,
    ]);
    await keepDeleted('emailNotice', id, row!.row);
    auditNote({ objectId: id, objectName: title, ...scope(orgId), detail: { before: { title }, after: null } });
    await emitLive(companyId, 'emailNotice', [id], orgId === null ? null : [orgId]);
    return null;
  }

  async restore(ids: readonly string[]): Promise<{ restored: number }> {
    const kept = await takeBack<{ id: string; title: string; org_id: string | null }>(
      'emailNotice',
      'email_notice',
      ids,
    );
    if (kept.length === 0) return { restored: 0 };
    const { companyId, orgIds } = context();
    await refuseMore(kept.length);
    // The user sees less now.
    if (orgIds !== '*' && kept.some((n) => n.org_id === null || !orgIds.includes(n.org_id))) fail('common.restoreOver');
    await currentSql().query(
      `insert into email_notice select r.* from jsonb_populate_recordset(null::email_notice, $1::jsonb) r`,
      [JSON.stringify(kept)],
    );
    for (const n of kept) await setTime(n.id);
    const shared = kept.some((n) => n.org_id === null);
    const organizations = kept.flatMap((n) => n.org_id ?? []);
    noteRestored(
      kept.map(({ id, title }) => ({ id, name: title })),
      shared ? {} : { orgIds: organizations },
    );
    await emitLive(
      companyId,
      'emailNotice',
      kept.map((n) => n.id),
      shared ? null : organizations,
    );
    return { restored: kept.length };
  }

  protected override claim(): Promise<DueNotice[]> {
    return dueNotices(atOnce);
  }

  /** Reads with the access of a user who sees only its organization. */
  protected override async perform({ id, companyId, orgId }: DueNotice): Promise<void> {
    const orgIds = orgId === null ? '*' : [orgId];
    await runAs({ ...systemContext(companyId), orgIds }, () =>
      transaction(this.database, { companyId, orgIds }, async () => {
        const notice = await takeNotice(id);
        if (!notice) return;
        const items = await untold(id);
        const addresses = [...new Set(notice.emails)];
        if (items.length > 0 && !(await this.budget.take(companyId, addresses)))
          return postponeNotice(id, this.config.emailNoticePostponeMs);
        const alarms = items.slice(0, named).map(({ id: _, ...alarm }) => alarm);
        await noticeTold(
          id,
          items.map((i) => i.id),
        );
        if (items.length === 0) return;
        const data = { title: notice.title, alarms, more: items.length - alarms.length };
        for (const to of addresses)
          await requestMail(this.config.mailKey, {
            template: 'alarms',
            to,
            language: notice.language,
            data: { name: to, ...data },
            companyId,
            about: null,
          });
        if (notice.roleIds.length + notice.userIds.length > 0)
          await emit(
            mailGroup,
            'alarms',
            companyId,
            { roleIds: notice.roleIds, userIds: notice.userIds, orgId: notice.orgId, data },
            { companyId },
          );
        await emitLive(companyId, 'emailNotice', [id], notice.orgId === null ? null : [notice.orgId]);
      }),
    );
  }

  private async checked(given: Given): Promise<Given> {
    if (given.sendType === 'immediate') return { ...given, time: null, zone: null };
    if (!(await knowsZone(given.zone!))) failAt('zone', 'emailNotice.zoneUnknown');
    return given;
  }
}

/**
 * Serialized, because a notice mails unconfirmed addresses: of two parallel additions the second must count the first.
 */
async function refuseMore(added: number): Promise<void> {
  await holdLock(`notice ${context().companyId}`);
  const count = await currentEntities().count(EmailNotice, {});
  if (count + added > mostNotices) fail('emailNotice.tooMany', { count: mostNotices });
}

const scope = (orgId: string | null): { orgIds?: string[] } => (orgId === null ? {} : { orgIds: [orgId] });
