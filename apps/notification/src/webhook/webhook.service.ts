import { Inject, Injectable } from '@nestjs/common';
import {
  webhookTestEvent,
  type addWebhook,
  type editWebhook,
  type renewWebhookSecret,
  type RouteInput,
  type RouteReturn,
} from '@carillon/contracts';
import { webhookOverlapHours, webhooksMaximum } from '@carillon/contracts/constants';
import {
  afterCommit,
  columns,
  computed,
  currentEntities,
  currentSql,
  Database,
  holdLock,
  sessionOf,
  transaction,
  uuidv7,
  wholly,
} from '@carillon/persistence';
import {
  auditNote,
  CONFIG,
  emitAudit,
  emitLive,
  fail,
  failAt,
  found,
  keepDeleted,
  outboundTests,
  seal,
  takeBack,
  noteRestored,
} from '@carillon/service';
import { context } from '@carillon/tenancy';
import type { NotificationConfig } from '../config.ts';
import { organizationFor } from '../projections/organization.projection.ts';
import { deliverAgain, failWaiting, insertDeliveries, leasedDelivery } from './delivery.queries.ts';
import { newSecret } from './signature.ts';
import { Webhook, WebhookDelivery, type Attempt } from './webhook.entity.ts';
import { webhookById, type WebhookRecord } from './webhook.queries.ts';
import { secretPurpose, WebhookSender } from './webhook.sender.ts';

const deleted = columns(Webhook, 'w', [], { row: computed<object>('to_jsonb(w)') });

/** Webhooks of a company (NOTE-05). */
@Injectable()
export class Webhooks {
  constructor(
    private readonly database: Database,
    @Inject(CONFIG) private readonly config: NotificationConfig,
    private readonly sender: WebhookSender,
  ) {}

  async get(id: string): Promise<WebhookRecord> {
    return found(await webhookById(id));
  }

  async add({
    orgId: asked,
    ...given
  }: RouteInput<typeof addWebhook>['body']): Promise<RouteReturn<typeof addWebhook>> {
    const { companyId, language } = context();
    await refuseMore(1);
    const orgId = await organizationFor(asked);
    this.check(given.url);
    const id = uuidv7();
    const secret = newSecret();
    currentEntities().create(Webhook, {
      id,
      companyId,
      orgId,
      ...given,
      off: null,
      language,
      sealed: this.sealed({ id, companyId }, secret),
      formerSealed: null,
      formerUntil: null,
      deliveredAt: null,
      failingSince: null,
    });
    await currentEntities().flush();
    auditNote({
      objectId: id,
      objectName: given.name,
      ...scope(orgId),
      detail: { before: null, after: audited(given) },
    });
    await changed({ id, companyId, orgId });
    return { ...(await this.get(id)), secret };
  }

  async edit({ id, ...given }: RouteInput<typeof editWebhook>['body']): Promise<WebhookRecord> {
    const hook = found(await currentEntities().findOne(Webhook, id));
    const { name, url, events, kinds, level, enabled } = hook;
    const before = { name, url, events, kinds, level, enabled };
    if (given.url !== url) this.check(given.url);
    const startsAgain = (given.enabled && !enabled) || given.url !== url;
    currentEntities().assign(hook, { ...given, off: null, ...(startsAgain ? { failingSince: null } : {}) });
    await currentEntities().flush();
    if (!given.enabled) await failWaiting(id);
    auditNote({
      objectId: id,
      objectName: given.name,
      ...scope(hook.orgId),
      detail: { before: audited(before), after: audited(given) },
    });
    await changed(hook);
    return this.get(id);
  }

  /**
   * Renews the secret. The previous one also signs for a while, so that nothing is refused while a receiver changes
   * over.
   */
  async renewSecret(id: string): Promise<RouteReturn<typeof renewWebhookSecret>> {
    const hook = found(await currentEntities().findOne(Webhook, id));
    const secret = newSecret();
    const formerUntil = new Date(Date.now() + webhookOverlapHours * 3_600_000).toISOString();
    currentEntities().assign(hook, { sealed: this.sealed(hook, secret), formerSealed: hook.sealed, formerUntil });
    await currentEntities().flush();
    auditNote({ objectId: id, objectName: hook.name, ...scope(hook.orgId) });
    await changed(hook);
    return { secret, formerUntil };
  }

  async delete(id: string): Promise<null> {
    const hook = found(await currentEntities().findOne(Webhook, id));
    const { orgId, name } = hook;
    const [row] = await currentSql().rows(deleted, `delete from webhook w where w.id = $1 returning ${deleted}`, [id]);
    await keepDeleted('webhook', id, row!.row);
    auditNote({ objectId: id, objectName: name, ...scope(orgId), detail: { before: { name }, after: null } });
    await changed(hook);
    return null;
  }

  async restore(ids: readonly string[]): Promise<{ restored: number }> {
    const kept = await takeBack<{ id: string; name: string; org_id: string | null }>('webhook', 'webhook', ids);
    if (kept.length === 0) return { restored: 0 };
    const { companyId, orgIds } = context();
    await refuseMore(kept.length);
    // The user sees less now.
    if (orgIds !== '*' && kept.some((w) => w.org_id === null || !orgIds.includes(w.org_id))) fail('common.restoreOver');
    await currentSql().query(
      `insert into webhook select r.* from jsonb_populate_recordset(null::webhook, $1::jsonb) r`,
      [JSON.stringify(kept)],
    );
    const shared = kept.some((w) => w.org_id === null);
    const organizations = kept.flatMap((w) => w.org_id ?? []);
    noteRestored(kept, shared ? {} : { orgIds: organizations });
    for (const w of kept) await changed({ id: w.id, companyId, orgId: w.org_id });
    return { restored: kept.length };
  }

  /** Makes one attempt, which is logged like any other. */
  test(id: string): Promise<Attempt> {
    return outboundTests.run(() => this.sendTest(id));
  }

  private async sendTest(id: string): Promise<Attempt> {
    const who = context();
    const now = new Date().toISOString();
    const { hook, delivery, ca } = await transaction(this.database, sessionOf(who), async () => {
      const hook = found(await currentEntities().findOne(Webhook, id));
      const deliveryId = uuidv7();
      const body = JSON.stringify({
        type: webhookTestEvent,
        timestamp: now,
        data: { webhookId: id, name: hook.name, sentBy: who.username },
      });
      const { companyId, orgId } = hook;
      await insertDeliveries(
        [{ id: deliveryId, companyId, orgId, webhookId: id, event: webhookTestEvent, about: who.username, body }],
        this.sender.leaseMs,
      );
      return { hook, delivery: await leasedDelivery(deliveryId), ca: await this.sender.trusted() };
    });
    const attempt = await this.sender.attempt(delivery, ca);
    await transaction(this.database, sessionOf(who), () =>
      emitAudit('webhook.test', 'success', {
        objectId: id,
        objectName: hook.name,
        ...scope(hook.orgId),
        detail: { status: attempt.status, fault: attempt.fault },
      }),
    );
    return attempt;
  }

  async sendAgain(id: string): Promise<null> {
    const { webhookId, event } = found(await currentEntities().findOne(WebhookDelivery, id));
    const hook = found(await currentEntities().findOne(Webhook, webhookId));
    if (!hook.enabled) fail('webhook.off');
    if (!(await deliverAgain(id))) fail('webhook.underWay');
    auditNote({ objectId: webhookId, objectName: hook.name, ...scope(hook.orgId), detail: { delivery: id, event } });
    await changed(hook);
    afterCommit(() => this.sender.wake());
    return null;
  }

  private check(url: string): void {
    const refusal = this.sender.receivers.refusal(new URL(url));
    if (refusal) failAt('url', refusal);
  }

  private sealed(hook: { id: string; companyId: string }, secret: string): string {
    return seal(this.config.mailKey, secretPurpose(hook), secret);
  }
}

/** Serialized: of two parallel additions the second must count the first. */
async function refuseMore(added: number): Promise<void> {
  await holdLock(`webhook ${context().companyId}`);
  // Includes those of hidden organizations.
  const count = await wholly(() => currentEntities().count(Webhook, {}));
  if (count + added > webhooksMaximum) fail('webhook.tooMany', { count: webhooksMaximum });
}

const changed = ({ id, companyId, orgId }: { id: string; companyId: string; orgId: string | null }): Promise<void> =>
  emitLive(companyId, 'webhook', [id], orgId === null ? null : [orgId]);

/** For the log: only the origin of an address, because its path may contain a secret. */
const audited = <V extends { url: string }>(values: V): V => ({ ...values, url: new URL(values.url).origin });
const scope = (orgId: string | null): { orgIds?: string[] } => (orgId === null ? {} : { orgIds: [orgId] });
