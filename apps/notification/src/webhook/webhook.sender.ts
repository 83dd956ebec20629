import { rootCertificates } from 'node:tls';
import { Inject, Injectable } from '@nestjs/common';
import { createLogger } from '@carillon/observability';
import { Database, inCompany } from '@carillon/persistence';
import { CONFIG, emitAudit, emitLive, unseal, WorkLoop } from '@carillon/service';
import type { NotificationConfig } from '../config.ts';
import { mailSettings, storedServer } from '../mail/settings.ts';
import { claimDeliveries, failWaiting, isTest, settleDelivery, type DueDelivery } from './delivery.queries.ts';
import { Receivers } from './receiver.ts';
import { pauseAfter } from './retry.ts';
import { signatures } from './signature.ts';
import { noteDelivered, noteFailure, switchOff } from './webhook.queries.ts';
import type { Attempt } from './webhook.entity.ts';

const log = createLogger('webhook');
/** Attempts of a process that are under way at a time. */
const atOnce = 64;
/** What a receiver says that wants nothing any more. */
const gone = 410;

/** What the secrets of a webhook are sealed for. */
export const secretPurpose = (of: { id: string; companyId: string }): string => `webhook ${of.id} of ${of.companyId}`;

/**
 * Sends what webhooks are due. An attempt is claimed before it is sent and settled after, so that a crash between sends
 * it again, under the same id, and never not at all. Nothing waits for an attempt that is under way: a receiver that is
 * slow costs its own place.
 */
@Injectable()
export class WebhookSender extends WorkLoop<DueDelivery> {
  readonly receivers: Receivers;
  private readonly underWay = new Set<Promise<void>>();
  private authorities: string[] | undefined;

  constructor(
    database: Database,
    @Inject(CONFIG) private readonly config: NotificationConfig,
  ) {
    super(database, { reason: 'webhooks that are due, of all companies', tickMs: config.webhookTickMs, atOnce });
    this.receivers = new Receivers(config);
  }

  /** So long an attempt is one process's alone. */
  get leaseMs(): number {
    return 2 * this.config.webhookTimeoutMs + 30_000;
  }

  override async onApplicationShutdown(): Promise<void> {
    await super.onApplicationShutdown();
    await Promise.all(this.underWay);
  }

  protected override async claim(): Promise<DueDelivery[]> {
    const free = atOnce - this.underWay.size;
    if (free <= 0) return [];
    this.authorities = await this.trusted();
    return claimDeliveries(free, this.leaseMs);
  }

  protected override perform(delivery: DueDelivery): Promise<void> {
    const work = this.attempt(delivery)
      .then(
        () => undefined,
        (err: unknown) => log.warn({ err, id: delivery.id }, 'an attempt could not be settled; its lease runs out'),
      )
      .finally(() => {
        this.underWay.delete(work);
        // There is a place for another.
        this.wake();
      });
    this.underWay.add(work);
    return Promise.resolve();
  }

  /** Certificates that receivers may have: those of the public, and what the operator trusts. Inside a transaction. */
  async trusted(): Promise<string[] | undefined> {
    const ca = mailSettings(this.config, await storedServer())?.ca;
    return typeof ca === 'string' ? [...rootCertificates, ca] : ca;
  }

  /** Sends one that was claimed, or written with a lease, and stores what became of it. */
  async attempt(delivery: DueDelivery, ca = this.authorities): Promise<Attempt> {
    const { id, url, body } = delivery;
    const seconds = Math.floor(Date.now() / 1_000);
    const purpose = secretPurpose({ id: delivery.webhookId, companyId: delivery.companyId });
    const secrets = [delivery.sealed, delivery.formerSealed].flatMap(
      (sealed) => (sealed && unseal<string>(this.config.mailKey, purpose, sealed)) || [],
    );
    if (secrets.length === 0) throw new Error('the secret of a webhook was sealed with another key');
    const attempt = await this.receivers.post(
      new URL(url),
      {
        'content-type': 'application/json',
        'user-agent': 'Carillon-Webhook/1.0',
        'webhook-id': id,
        'webhook-timestamp': String(seconds),
        'webhook-signature': signatures(secrets, { id, seconds, body }),
      },
      body,
      { withinMs: this.config.webhookTimeoutMs, ca },
    );
    // Its address may carry what nobody else is to know, and its answer may, too.
    if (attempt.fault !== null)
      log.info({ id, tries: delivery.tries, fault: attempt.fault, status: attempt.status }, 'a webhook was not taken');
    await inCompany(this.database, delivery.companyId, () => this.settle(delivery, attempt));
    return attempt;
  }

  private async settle(delivery: DueDelivery, attempt: Attempt): Promise<void> {
    const failed = attempt.fault !== null;
    const test = isTest(delivery);
    const leaves = failed && attempt.status === gone && !test;
    const pauseMs = failed && !test && !leaves ? pauseAfter(delivery.round) : undefined;
    if (!(await settleDelivery(delivery, attempt, pauseMs))) return;
    const { webhookId, companyId } = delivery;
    if (!failed) await noteDelivered(webhookId);
    // A test that fails is told to whoever sent it, and says nothing of what really is sent.
    const hook = failed && !test ? await noteFailure(webhookId) : undefined;
    if (hook) {
      const why = !hook.enabled ? undefined : leaves ? 'gone' : hook.tired ? 'failed' : undefined;
      if (why) {
        await switchOff(webhookId, why);
        await emitAudit('webhook.switchOff', 'success', {
          objectId: webhookId,
          objectName: hook.name,
          ...(hook.orgId === null ? {} : { orgIds: [hook.orgId] }),
          detail: { why },
        });
      }
      if (why || !hook.enabled) await failWaiting(webhookId);
    }
    await emitLive(companyId, 'webhook', [webhookId], delivery.orgId === null ? null : [delivery.orgId]);
  }
}
