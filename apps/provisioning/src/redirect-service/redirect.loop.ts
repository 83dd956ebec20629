import { Inject, Injectable } from '@nestjs/common';
import { message, noticeTypes } from '@carillon/contracts';
import { redirectKinds } from '@carillon/contracts/redirect';
import { emit } from '@carillon/messaging';
import { createLogger } from '@carillon/observability';
import { currentEntities, Database, inCompany, platform, uuidv7 } from '@carillon/persistence';
import { CompanySecrets, CONFIG, emitLive, pauseAfter, retryPausesMs, WorkLoop } from '@carillon/service';
import type { ProvisioningConfig } from '../config.ts';
import { PhoneOrigin } from '../phone-port/phone-origin.ts';
import { RedirectClient, redirectMakers } from './redirect-client.ts';
import {
  claimRedirects,
  noteAnswering,
  noteFailing,
  noticedOf,
  release,
  resendElsewhere,
  resendTo,
  settleFailed,
  settleRegistered,
  settleRemoved,
  type DueRedirect,
} from './redirect-device.queries.ts';
import { wakeRedirectsOf } from './redirect-follow.ts';
import { RedirectFault } from './redirect-maker.ts';
import { RedirectService, secretPlace } from './redirect-service.entity.ts';

const log = createLogger('redirect');
/** Parallel calls of a process. */
const atOnce = 32;
/** A registration takes several calls. */
const mostCalls = 8;
/** Most notices of a service at a time; the page of the service counts all. */
const mostNotices = 100;
/** How often registrations with a former address are looked for, and how many at once. */
const addressEveryMs = 3_600_000;
const addressAtOnce = 5_000;

type FaultKey = RedirectFault['key'];
/** Faults of the service that may pass by themselves. */
const passing: readonly FaultKey[] = [
  'redirectService.unreachable',
  'redirectService.tooSlow',
  'redirectService.certificateWrong',
  // A name that is not found at the moment looks the same.
  'redirectService.targetRefused',
  'redirectService.unavailable',
  'redirectService.answerWrong',
  'redirectService.serverUnknown',
];
/** Faults of the service that a person must mend. More calls could lock the account. */
const lasting: readonly FaultKey[] = [
  'redirectService.credentialsWrong',
  'redirectService.accessRefused',
  'redirectService.urlRefused',
];
/** Pauses of a failing service, up to an hour. */
const servicePauses = retryPausesMs.filter((pause) => pause <= 3_600_000);

/**
 * Tells redirect services which devices the company has (EDGE-09). An attempt is claimed before its calls and settled
 * after them, so that a crash in between repeats them: each is idempotent. No transaction is open during a call, and a
 * slow service occupies only its own slots.
 */
@Injectable()
export class RedirectLoop extends WorkLoop<DueRedirect> {
  private readonly underWay = new Set<Promise<void>>();
  private addressesSince = 0;

  constructor(
    database: Database,
    private readonly secrets: CompanySecrets,
    private readonly client: RedirectClient,
    private readonly origin: PhoneOrigin,
    @Inject(CONFIG) private readonly config: ProvisioningConfig,
  ) {
    const tickMs = config.redirectTickMs;
    super(database, { reason: 'devices that redirect services are to know, of all companies', tickMs, atOnce });
    wakeRedirectsOf(database, this);
  }

  override async onApplicationShutdown(): Promise<void> {
    await super.onApplicationShutdown();
    await Promise.all(this.underWay);
  }

  protected override async claim(): Promise<DueRedirect[]> {
    await this.renewAddresses();
    const free = atOnce - this.underWay.size;
    return free <= 0 ? [] : claimRedirects(free, mostCalls * this.config.redirectTimeoutMs + 30_000);
  }

  protected override perform(row: DueRedirect): Promise<void> {
    const work = this.attempt(row)
      .catch((err: unknown) => log.warn({ err, id: row.id }, 'an attempt could not be settled; its lease runs out'))
      .finally(() => {
        this.underWay.delete(work);
        // A slot is free.
        this.wake();
      });
    this.underWay.add(work);
    return Promise.resolve();
  }

  /** Has devices registered again when the operator gave this server another address. */
  private async renewAddresses(): Promise<void> {
    const server = this.origin.reachable();
    if (server === null || Date.now() - this.addressesSince < addressEveryMs) return;
    const sent = await resendTo(`${server}/`, addressAtOnce);
    if (sent < addressAtOnce) this.addressesSince = Date.now();
  }

  private async attempt(row: DueRedirect): Promise<void> {
    const fault = await this.callService(row).then(
      () => undefined,
      (error: unknown) => {
        if (error instanceof RedirectFault) return error;
        throw error;
      },
    );
    // What the service says is shown to its company and not logged.
    if (fault) log.info({ id: row.id, service: row.serviceId, fault: fault.key }, 'a redirect service failed');
    if (!fault && !row.wanted)
      await platform(this.database, 'a released MAC may be of another company now', () => resendElsewhere(row));
    await inCompany(this.database, row.companyId, () => (fault ? this.fail(row, fault) : this.settle(row)));
  }

  /** Makes the calls, outside of a transaction. */
  private async callService(row: DueRedirect): Promise<void> {
    const secret = await inCompany(this.database, row.companyId, () => this.secretOf(row.serviceId));
    // The account was deleted, and with it its devices.
    if (secret === undefined) return;
    const account = { address: new URL(row.serviceAddress), userName: row.userName, secret };
    const session = this.client.session(account, `${row.serviceId} ${row.serviceVersion}`);
    const maker = redirectMakers[row.kind];
    const server = this.origin.reachable();
    if (server === null && row.wanted) throw new RedirectFault('redirectService.serverUnknown');
    try {
      await (row.wanted ? maker.register(session, row.mac, new URL(`${server}/`)) : maker.remove(session, row.mac));
    } catch (error) {
      // What was learned may be the reason.
      session.memory.clear();
      throw error;
    }
  }

  /** Reads the secret when it is needed: the company's key may have changed since the claim. */
  private async secretOf(id: string): Promise<string | undefined> {
    const service = await currentEntities().findOne(RedirectService, id);
    return service === null ? undefined : this.secrets.open(secretPlace(id), service.secret);
  }

  private async settle(row: DueRedirect): Promise<void> {
    const settled = row.wanted ? await settleRegistered(row, `${this.origin.reachable()}/`) : await settleRemoved(row);
    if (!settled) await release(row);
    else if (row.noticeId !== null)
      await emit(message, 'ended', row.companyId, { id: row.noticeId }, { companyId: row.companyId });
    await noteAnswering(row.serviceId);
    await this.publish(row);
  }

  private async fail(row: DueRedirect, { key, values }: RedirectFault): Promise<void> {
    const isOfService = passing.includes(key) || lasting.includes(key);
    const noticeId = row.noticeId ?? ((await noticedOf(row.serviceId)) < mostNotices ? uuidv7() : null);
    const settled = await settleFailed(row, { failure: key, values, noticeId, pauseMs: this.pause(key, row.tries) });
    if (!settled) await release(row);
    else if (noticeId !== null && row.noticeId === null) await this.notify(row, noticeId, key, values);
    if (isOfService)
      await noteFailing(row.serviceId, row.serviceVersion, {
        failure: key,
        values,
        pauses: lasting.includes(key) ? null : servicePauses.map((pause) => this.scaled(pause)),
      });
    else await noteAnswering(row.serviceId);
    await this.publish(row);
  }

  /** Returns when a device is tried again after a number of attempts; null: never by itself. */
  private pause(key: FaultKey, tries: number): number | null {
    // It is due as soon as the service is asked again.
    if (lasting.includes(key)) return 0;
    if (passing.includes(key)) return this.scaled(pauseAfter(Math.min(tries, servicePauses.length))!);
    const pause = key === 'redirectService.refused' ? pauseAfter(tries) : undefined;
    return pause === undefined ? null : this.scaled(pause);
  }

  private scaled(pause: number): number {
    return Math.round((pause * this.config.redirectRetryMs) / retryPausesMs[0]);
  }

  /** Raises the notice that a device could not be synced (NOTE-02). */
  private async notify(row: DueRedirect, id: string, fault: string, values: Record<string, string>): Promise<void> {
    await emit(
      message,
      'message',
      row.companyId,
      {
        type: noticeTypes.sync,
        level: 'medium',
        objectId: row.deviceId,
        objectName: row.deviceName,
        orgId: row.orgId,
        expiresAt: null,
        values: { ...values, service: redirectKinds[row.kind].label, fault },
      },
      { id, companyId: row.companyId },
    );
  }

  private async publish({ companyId, orgId, serviceId, deviceId }: DueRedirect): Promise<void> {
    await emitLive(companyId, 'redirectService', [serviceId], null);
    await emitLive(companyId, 'device', [deviceId], [orgId]);
  }
}
