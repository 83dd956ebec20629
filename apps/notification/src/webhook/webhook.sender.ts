import { rootCertificates } from 'node:tls';
import { Inject, Injectable } from '@nestjs/common';
import { createLogger } from '@carillon/observability';
import { Database, inCompany } from '@carillon/persistence';
import { CONFIG, emitAudit, emitLive, pauseAfter, unseal, WorkLoop } from '@carillon/service';
import type { NotificationConfig } from '../config.ts';
import { mailSettings, storedServer } from '../mail/settings.ts';
import { claimDeliveries, failWaiting, isTest, settleDelivery, type DueDelivery } from './delivery.queries.ts';
import { Receivers } from './receiver.ts';

import { signatures } from './signature.ts';
import { noteDelivered, noteFailure, switchOff } from './webhook.queries.ts';
import type { Attempt } from './webhook.entity.ts';

const log = createLogger('webhook');
/** Parallel attempts of a process. */
const atOnce = 64;
/** Status of a receiver that wants no more requests. */
const gone = 410;

/** Returns the purpose for which the secrets of a webhook are sealed. */
export const secretPurpose = (hook: { id: string; companyId: string }): string =>
  `webhook ${hook.id} of ${hook.companyId}`;

/**
 * Sends due deliveries. An attempt is claimed before it is sent and settled after, so that a crash in between sends it
 * again, with the same id, rather than losing it. No delivery waits for a running attempt: a slow receiver occupies
 * only its own slot.
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

  /** How long an attempt belongs to one process. */
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
        // A slot is free.
        this.wake();
      });
    this.underWay.add(work);
    return Promise.resolve();
  }

  /** Returns trusted certificates of receivers: the public ones, and those of the operator. Requires a transaction. */
  async trusted(): Promise<string[] | undefined> {
    const ca = mailSettings(this.config, await storedServer())?.ca;
    return typeof ca === 'string' ? [...rootCertificates, ca] : ca;
  }

  /** Sends a claimed or leased delivery, and stores the result. */
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
    // Address and response may contain secrets, so neither is logged.
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
    // A failed test is reported to its user, and says nothing about real deliveries.
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
