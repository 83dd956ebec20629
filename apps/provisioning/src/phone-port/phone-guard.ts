import { Inject, Injectable } from '@nestjs/common';
import { counted, createLogger, meanings } from '@carillon/observability';
import { CONFIG, MinuteLimit, networkOf } from '@carillon/service';
import type { ProvisioningConfig } from '../config.ts';

const log = createLogger('phone-guard');

/** Most addresses and devices that are remembered. */
const mostKept = 100_000;
const hourMs = 3_600_000;

/** Deletes the oldest entry above the bound. */
function bound(map: Map<string, unknown>): void {
  if (map.size > mostKept) map.delete(map.keys().next().value!);
}

/** Limits requests for configurations by device and by forged tokens, before any query (EDGE-02). */
@Injectable()
export class PhoneGuard {
  private readonly devices: MinuteLimit;
  private readonly unproven: MinuteLimit;
  private readonly foreign: MinuteLimit;
  private readonly forged: MinuteLimit;
  private readonly first: MinuteLimit;
  private readonly strangers: MinuteLimit;
  /** The token of each device that was last found to be its current one. */
  private readonly proven = new Map<string, string>();
  private readonly told = new Map<string, number>();
  private readonly refused = counted(meanings.phonesRefused);

  constructor(
    @Inject(CONFIG)
    {
      deviceRequestsPerMinute,
      foreignFilesPerMinute,
      forgedTokensPerMinute,
      firstRequestsPerMinute,
      strangersPerMinute,
    }: ProvisioningConfig,
  ) {
    this.first = new MinuteLimit(firstRequestsPerMinute, mostKept);
    this.strangers = new MinuteLimit(strangersPerMinute, mostKept);
    this.devices = new MinuteLimit(deviceRequestsPerMinute, mostKept);
    this.unproven = new MinuteLimit(deviceRequestsPerMinute, mostKept);
    this.foreign = new MinuteLimit(foreignFilesPerMinute, mostKept);
    this.forged = new MinuteLimit(forgedTokensPerMinute, mostKept);
  }

  /**
   * Counts a request with the token of a device. Returns whether it may go on. A token that is not known to be the
   * current one counts by its sender: the holder of an old address must not use up what the device has. Files and
   * events count separately: a phone whose line fails again and again still gets its configuration.
   */
  admits(deviceId: string, token: string, address: string, what: 'file' | 'event'): boolean {
    const isAdmitted =
      this.proven.get(deviceId) === token
        ? this.devices.take(`${what} ${deviceId}`)
        : this.unproven.take(`${what} ${deviceId} ${networkOf(address)}`);
    if (!isAdmitted) this.count('device');
    return isAdmitted;
  }

  /** Remembers the current token of a device. */
  prove(deviceId: string, token: string): void {
    this.proven.delete(deviceId);
    this.proven.set(deviceId, token);
    bound(this.proven);
  }

  /** Counts a request with the token of a command. Returns whether it may go on. */
  admitsCommand(commandId: string): boolean {
    return this.devices.take(`command ${commandId}`);
  }

  /** Counts a forged token. Returns false when its sender had too many; the log has one error an hour for it. */
  admitsForged(address: string): boolean {
    const network = networkOf(address);
    this.count('forged');
    if (this.forged.take(network)) return true;
    if (this.isFirst(`forged ${network}`))
      log.error({ network }, 'an address asks for configurations with many forged tokens; it is throttled');
    return false;
  }

  /** Counts a request of a phone that has no address of its own. Returns whether it may go on. */
  admitsFirst(address: string): boolean {
    if (this.first.take(networkOf(address))) return true;
    this.count('first');
    return false;
  }

  /** Counts a phone that was not let in. Returns false when its network had too many: it may be trying MACs. */
  admitsStranger(address: string): boolean {
    const network = networkOf(address);
    this.count('stranger');
    if (this.strangers.take(network)) return true;
    if (this.isFirst(`stranger ${network}`))
      log.error({ network }, 'an address asks for the configurations of many MACs; it is throttled');
    return false;
  }

  /** Counts a request for a file that is not the device's own. Returns false when there were too many. */
  admitsForeign(deviceId: string, token: string): boolean {
    if (this.foreign.take(`${deviceId} ${token}`)) return true;
    this.count('foreign');
    return false;
  }

  /** Returns true once an hour for each text. */
  isFirst(text: string, now = performance.now()): boolean {
    const before = this.told.get(text);
    if (before !== undefined && now - before < hourMs) return false;
    this.told.delete(text);
    this.told.set(text, now);
    bound(this.told);
    return true;
  }

  /** Counts a refused request for the metrics. */
  count(reason: 'forged' | 'device' | 'foreign' | 'first' | 'stranger' | 'busy'): void {
    this.refused.inc({ reason });
  }
}
