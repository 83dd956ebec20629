import {
  linkGateway,
  linkReport,
  linkResult,
  linkSession,
  type EventPayload,
  type HelloPayload,
  type ResultPayload,
  type StatePayload,
} from '@carillon/contracts';
import { envelope, toRecord, type Bus } from '@carillon/messaging';

/** A device as the MQTT gateway reports it, without sockets: for tests of what its messages do. */
export class LinkedDevice {
  private readonly bus: Bus;
  readonly identity: { deviceId: string; mac: string; ownerEpoch: number };
  private readonly company: { companyId: string; orgId: string };
  epoch = 1_000;

  constructor(bus: Bus, device: { id: string; mac: string; orgId: string }, companyId: string) {
    this.bus = bus;
    this.identity = { deviceId: device.id, mac: device.mac, ownerEpoch: 1 };
    this.company = { companyId, orgId: device.orgId };
  }

  online(
    epoch = ++this.epoch,
    gateway = 'gateway-1#a',
    more: { secretHash?: string; address?: string } = {},
  ): Promise<void> {
    return this.bus.publish([
      toRecord(
        linkSession,
        this.identity.deviceId,
        { ...this.identity, epoch, gateway, address: '10.0.0.9', at: Date.now(), ...more },
        envelope('online', this.company),
      ),
    ]);
  }

  offline(epoch = this.epoch, gateway = 'gateway-1#a'): Promise<void> {
    return this.bus.publish([
      toRecord(
        linkSession,
        this.identity.deviceId,
        { ...this.identity, epoch, gateway, reason: 'closed', at: Date.now() },
        envelope('offline', this.company),
      ),
    ]);
  }

  hello(payload: Partial<HelloPayload> = {}): Promise<void> {
    const whole: HelloPayload = {
      model: 'Fanvil X7A',
      sn: 'NX7A1',
      firmware: '2.12.4.8',
      ip: '10.20.4.31',
      uptime: 1,
      boot: 'power',
      capabilities: ['reboot'],
      configVersion: '1',
      ...payload,
    };
    return this.bus.publish([
      toRecord(
        linkReport,
        this.identity.deviceId,
        { ...this.identity, epoch: this.epoch, receivedAt: Date.now(), payload: whole, address: '10.0.0.9' },
        envelope('hello', this.company),
      ),
    ]);
  }

  /** Reports a state. The epoch 0 is that of a phone that called a URL. */
  state(payload: Omit<StatePayload, 'at'>, epoch = this.epoch): Promise<void> {
    return this.bus.publish([
      toRecord(
        linkReport,
        this.identity.deviceId,
        { ...this.identity, epoch, receivedAt: Date.now(), payload: { at: 1, ...payload } },
        envelope('state', this.company),
      ),
    ]);
  }

  event(payload: Omit<EventPayload, 'at'>): Promise<void> {
    return this.bus.publish([
      toRecord(
        linkReport,
        this.identity.deviceId,
        { ...this.identity, epoch: this.epoch, receivedAt: Date.now(), payload: { at: 1, ...payload } },
        envelope('event', this.company),
      ),
    ]);
  }

  /** Reports a restart, which must precede the answer to a command that takes the device down. */
  back(hello: Partial<Pick<HelloPayload, 'boot' | 'firmware' | 'uptime'>> & { epoch?: number } = {}): Promise<void> {
    const { boot = 'reboot', firmware = '1.0', uptime = 0, epoch = this.epoch + 1 } = hello;
    return this.bus.publish([
      toRecord(
        linkResult,
        this.identity.deviceId,
        { ...this.identity, epoch, receivedAt: Date.now(), boot, firmware, uptime },
        envelope('back', this.company),
      ),
    ]);
  }

  /** Sends an answer. Reports a restart before a success, because some commands take the device down. */
  async answer(payload: Omit<ResultPayload, 'at'>): Promise<void> {
    if (payload.status === 'success') await this.back();
    return this.say(payload);
  }

  /** Sends an answer as it is. */
  say(payload: Omit<ResultPayload, 'at'>): Promise<void> {
    return this.bus.publish([
      toRecord(
        linkResult,
        this.identity.deviceId,
        { ...this.identity, epoch: this.epoch, receivedAt: Date.now(), payload: { at: 1, ...payload } },
        envelope('result', this.company),
      ),
    ]);
  }
}

/** Publishes that a gateway process has started. */
export function gatewayStarted(bus: Bus, name: string, gateway: string): Promise<void> {
  return bus.publish([
    toRecord(linkGateway, name, { name, gateway, at: Date.now() }, envelope('started', { companyId: null })),
  ]);
}
