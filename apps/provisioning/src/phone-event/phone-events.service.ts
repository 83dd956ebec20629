import { isIP } from 'node:net';
import { Inject, Injectable } from '@nestjs/common';
import type { ConfigOutcome, LineStatus } from '@carillon/contracts';
import { Database, inCompany } from '@carillon/persistence';
import { CONFIG } from '@carillon/service';
import { ConfigRequestLog } from '../config-request/config-request.log.ts';
import type { ProvisioningConfig } from '../config.ts';
import { addressKey, claimedBy, isTokenOf } from '../device-config/config-address.ts';
import { refusalOf, type Caller, type RefusedLoad } from '../device-config/config-file.ts';
import { assignedLines } from '../device-config/device-config.queries.ts';
import { PhoneGuard } from '../phone-port/phone-guard.ts';
import { isCallEvent, type PhoneEvent, type PhoneValues } from './phone-event.ts';
import { hearEvent } from '../phone-command/heard.ts';
import { contactOf } from '../phone-session/contact.ts';
import { vendorOf } from '../vendor/vendor-of.ts';
import { callsOf, lineOf, reportedLines, withCall, withLine } from './phone-line.ts';
import { endCalls, lockLines, storeLines, reportingDevice, type ReportingDevice } from './phone-state.queries.ts';
import { reportState, type StateReport } from './report-state.ts';

/** A call of an action URL. */
export interface ActionUrlEvent {
  token: string;
  event: PhoneEvent;
  values: PhoneValues;
}
/** A call whose token was made here. Nothing was read for it yet. */
type OpenedEvent = ActionUrlEvent & { claimed: { companyId: string; id: string } };

/** What the log of a device's requests has as the file of an event. It has no variable. */
const fileOf = (event: PhoneEvent): string => `event.${event}`;

const lineStatus: Partial<Record<PhoneEvent, LineStatus>> = {
  registered: 'registered',
  unregistered: 'unregistered',
  failed: 'failed',
};

/** Makes link reports of the action URLs that phones call (EDGE-03). */
@Injectable()
export class PhoneEvents {
  private readonly addresses: Buffer;
  private readonly callMs: number;

  constructor(
    private readonly database: Database,
    private readonly requests: ConfigRequestLog,
    private readonly guard: PhoneGuard,
    @Inject(CONFIG) { dataKey, phoneCallMs }: ProvisioningConfig,
  ) {
    this.addresses = addressKey(dataKey);
    this.callMs = phoneCallMs;
  }

  /** Checks token and limits. Costs no query. */
  open(event: ActionUrlEvent, by: Caller): OpenedEvent | RefusedLoad {
    const claimed = claimedBy(this.addresses, event.token);
    if (!claimed) return this.guard.admitsForged(by.address) ? 'unknown' : 'tooMany';
    if (this.guard.admits(claimed.id, event.token, by.address, 'event')) return { ...event, claimed };
    this.requests.note({ deviceId: claimed.id, file: fileOf(event.event), outcome: 'tooMany', ...by });
    return 'tooMany';
  }

  /** Reports an opened event. Records it for the device, a refused one too. */
  async take(opened: OpenedEvent, by: Caller): Promise<'taken' | 'unknown'> {
    const { claimed, event } = opened;
    const outcome = await inCompany(this.database, claimed.companyId, () => this.report(opened, by));
    this.requests.note({ deviceId: claimed.id, file: fileOf(event), outcome, ...by });
    return outcome === 'event' ? 'taken' : 'unknown';
  }

  private async report({ claimed, token, event, values }: OpenedEvent, by: Caller): Promise<ConfigOutcome> {
    const one = await reportingDevice(claimed.id);
    if (!one) return 'nothing';
    if (!isTokenOf(this.addresses, one, token)) return 'oldAddress';
    const wrong = refusalOf(one, by.certificateMac);
    if (wrong) return wrong;
    this.guard.prove(one.id, token);
    await hearOf(one, event, values, by);
    const update = await eventReport(one, event, values, this.callMs);
    if (update) await reportState(one, update);
    return 'event';
  }
}

/** Longest IP address as text; a zone can make one longer. */
const longestIp = 45;
const ipOf = ({ ip }: PhoneValues): string | undefined =>
  ip !== undefined && isIP(ip) && ip.length <= longestIp ? ip : undefined;

/** Keeps the session of the phone that calls; a start begins a new one. */
async function hearOf(one: ReportingDevice, event: PhoneEvent, values: PhoneValues, by: Caller): Promise<void> {
  const contact = contactOf({ one, vendor: vendorOf(one, by.userAgent) }, by);
  if (contact === undefined) return;
  await hearEvent({ ...contact, ownAddress: ipOf(values) ?? null }, event === 'boot');
}

/** Most doors of a device. */
const mostDoors = 64;

function doorReport(event: 'door-open' | 'door-closed', { door = '1' }: PhoneValues): StateReport | undefined {
  const number = /^\d{1,2}$/.test(door) ? Number(door) : 0;
  return number < 1 || number > mostDoors
    ? undefined
    : { doors: [{ door: number, status: event === 'door-open' ? 'open' : 'closed' }] };
}

/** Returns what the start of a phone says: it has its address, and no call goes on. */
async function startReport(one: ReportingDevice, values: PhoneValues): Promise<StateReport | undefined> {
  const ip = ipOf(values);
  const ended = await endCalls(one.id);
  const report = {
    ...(ip === undefined ? {} : { ip }),
    ...(ended ? { calls: 0, lines: reportedLines(ended.lines) } : {}),
  };
  return Object.keys(report).length === 0 ? undefined : report;
}

/** Returns what an event says of the state of its device; undefined when that is nothing, or its line is not known. */
async function eventReport(
  one: ReportingDevice,
  event: PhoneEvent,
  values: PhoneValues,
  callMs: number,
): Promise<StateReport | undefined> {
  if (event === 'dnd-on' || event === 'dnd-off') return { dnd: event === 'dnd-on' ? 'on' : 'off' };
  if (event === 'door-open' || event === 'door-closed') return doorReport(event, values);
  const status = lineStatus[event];
  if (status === undefined && !isCallEvent(event)) return startReport(one, values);
  const assigned = await assignedLines([one.id]);
  const line = lineOf(assigned, values);
  if (!line) return undefined;
  const lines = withLine(await lockLines(one), assigned, line, (former) =>
    isCallEvent(event) ? withCall(former, event, Date.now(), values.call) : { ...former, status: status! },
  );
  await storeLines(one.id, lines, callMs);
  return { lines: reportedLines(lines), ...(isCallEvent(event) ? { calls: callsOf(lines) } : {}) };
}
