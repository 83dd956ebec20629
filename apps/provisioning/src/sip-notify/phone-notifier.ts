import { isIPv6 } from 'node:net';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, Outbound } from '@carillon/service';
import type { ProvisioningConfig } from '../config.ts';
import type { DesiredLine } from '../device-config/desired.ts';
import { answerChallenge } from './sip-digest.ts';
import { openChannel, type SipChannel, type SipTarget } from './sip-exchange.ts';
import { newExchange, notifyText, sipUri, type SipAnswer } from './sip-message.ts';

/** The usual ports of SIP servers. */
const sipPorts = [5060, 5061] as const;
const standardPort = 5060;

/** Longest time for a connection, and for an answer, in milliseconds. */
const patienceMs = 4_000;

export type NotifyLine = Pick<
  DesiredLine,
  'user' | 'auth' | 'password' | 'server' | 'port' | 'transport' | 'domain' | 'proxy'
>;

/** A phone that can be told something over SIP. */
export interface NotifiedPhone {
  /** IP address from which it asks for its files. */
  address: string;
  /** IP address that it has itself, if it told one. Another one than `address` is behind a NAT. */
  ownAddress?: string | null | undefined;
  /** The account of its first line. */
  line: NotifyLine | undefined;
}

interface Way {
  target: SipTarget;
  uri: string;
  /** Whether the other side may ask who sends this. */
  isServer: boolean;
}

/**
 * Sends a NOTIFY to phones (EDGE-06): directly, unless a NAT is before them, and else by the SIP server of their first
 * line, which knows where the phone is. The server is asked in the name of the phone's own account.
 */
@Injectable()
export class PhoneNotifier {
  private readonly outbound: Outbound;
  private readonly port: number;

  constructor(@Inject(CONFIG) config: ProvisioningConfig) {
    this.outbound = new Outbound(config, sipPorts);
    this.port = config.phoneSipPort;
  }

  /** Returns whether the phone or its server accepted the event. Takes at most some 20 seconds. */
  async notify(phone: NotifiedPhone, event: string): Promise<boolean> {
    for (const way of [this.direct(phone), await this.byServer(phone)])
      if (way !== undefined && (await notify(way, event, phone.line))) return true;
    return false;
  }

  /** The address is that of the phone's own connection with its token, so it needs no permission of the operator. */
  private direct({ address, ownAddress, line }: NotifiedPhone): Way | undefined {
    if ((ownAddress ?? address) !== address) return undefined;
    const host = isIPv6(address) ? `[${address}]` : address;
    const uri = sipUri(line?.user ?? '', this.port === standardPort ? host : `${host}:${this.port}`);
    return uri === undefined
      ? undefined
      : { target: { address, port: this.port, transport: 'udp', name: address }, uri, isServer: false };
  }

  private async byServer({ line }: NotifiedPhone): Promise<Way | undefined> {
    if (line === undefined) return undefined;
    const name = line.proxy?.address ?? line.server;
    const port = (line.proxy ? line.proxy.port : line.port) ?? standardPort;
    const uri = sipUri(line.user, line.domain === '' ? line.server : line.domain);
    const address = uri === undefined ? undefined : await this.outbound.address({ host: name, port });
    return address === undefined
      ? undefined
      : { target: { address, port, transport: line.transport, name }, uri: uri!, isServer: true };
  }
}

async function notify({ target, uri, isServer }: Way, event: string, line: NotifyLine | undefined): Promise<boolean> {
  const channel = await openChannel(target, patienceMs);
  if (channel === undefined) return false;
  try {
    const exchange = newExchange();
    const first = await send(channel, target, uri, { ...exchange, event });
    const signed =
      first && line && isServer
        ? answerChallenge(first, uri, { user: line.auth === '' ? line.user : line.auth, password: line.password })
        : undefined;
    const last =
      signed === undefined
        ? first
        : await send(channel, target, uri, { ...exchange, event, sequence: 2, authorization: signed });
    return last !== undefined && last.status < 300;
  } finally {
    channel.close();
  }
}

const send = (
  channel: SipChannel,
  { transport }: SipTarget,
  uri: string,
  request: ReturnType<typeof newExchange> & { event: string; authorization?: string },
): Promise<SipAnswer | undefined> =>
  channel.send(notifyText(uri, { ...request, from: channel.from, transport }), request, patienceMs);
