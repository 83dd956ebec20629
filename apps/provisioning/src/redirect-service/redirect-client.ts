import { Inject, Injectable } from '@nestjs/common';
import type { RedirectKindName } from '@carillon/contracts';
import { CONFIG, OutboundFault, OutboundWeb } from '@carillon/service';
import type { ProvisioningConfig } from '../config.ts';
import { fanvilFdps } from './fanvil-fdps.ts';
import {
  RedirectFault,
  type RedirectAccount,
  type RedirectAnswer,
  type RedirectCall,
  type RedirectMaker,
  type RedirectSession,
} from './redirect-maker.ts';
import { snomSraps } from './snom-sraps.ts';
import { snomXmlRpc } from './snom-xml-rpc.ts';
import { yealinkRps } from './yealink-rps.ts';
import { yealinkYmcs } from './yealink-ymcs.ts';

export const redirectMakers: Readonly<Record<RedirectKindName, RedirectMaker>> = {
  fanvilFdps,
  yealinkRps,
  yealinkYmcs,
  snomSraps,
  snomXmlRpc,
};

/** Ports of redirect services. */
const ports = [443, 8083, 8443] as const;
/** Bytes of an answer, if a protocol needs no more. */
const mostBytes = 65_536;
/** How long what was learned from a service is kept, and of how many accounts. */
const memoryMs = 600_000;
const mostMemories = 1_000;

const faults = {
  targetRefused: 'redirectService.targetRefused',
  timeout: 'redirectService.tooSlow',
  certificate: 'redirectService.certificateWrong',
  unreachable: 'redirectService.unreachable',
} as const;

/** Calls redirect services, only where the installation may connect to. */
@Injectable()
export class RedirectClient {
  private readonly web: OutboundWeb;
  private readonly memories = new Map<string, { until: number; memory: Map<string, string> }>();

  constructor(@Inject(CONFIG) private readonly config: ProvisioningConfig) {
    this.web = new OutboundWeb(config, ports);
  }

  /** Returns why an address is refused, without contacting it; undefined when it is not. */
  refusal(address: URL): 'redirectService.httpsNeeded' | 'redirectService.targetRefused' | undefined {
    const refusal = this.web.refusal(address);
    return refusal && `redirectService.${refusal}`;
  }

  /** Returns a session of an account. Sessions with one name share what was learned; without a name nothing is kept. */
  session(account: RedirectAccount, name?: string): RedirectSession {
    return { account, send: (call) => this.send(call), memory: name === undefined ? new Map() : this.memoryOf(name) };
  }

  private memoryOf(name: string): Map<string, string> {
    const known = this.memories.get(name);
    if (known && known.until > Date.now()) return known.memory;
    const memory = new Map<string, string>();
    this.memories.delete(name);
    this.memories.set(name, { until: Date.now() + memoryMs, memory });
    if (this.memories.size > mostMemories) this.memories.delete(this.memories.keys().next().value!);
    return memory;
  }

  private async send(call: RedirectCall): Promise<RedirectAnswer> {
    const { status, headers, text, isCut } = await this.web
      .send({
        ...call,
        headers: { 'user-agent': 'Carillon/1.0', ...call.headers },
        withinMs: this.config.redirectTimeoutMs,
        mostBytes: call.mostBytes ?? mostBytes,
      })
      .catch((error: unknown) => {
        throw error instanceof OutboundFault ? new RedirectFault(faults[error.fault]) : error;
      });
    if (status === 401) throw new RedirectFault('redirectService.credentialsWrong');
    if (status === 429 || status >= 500) throw new RedirectFault('redirectService.unavailable');
    // A redirect is not followed: it may lead to an internal host.
    if (isCut || (status >= 300 && status < 400)) throw new RedirectFault('redirectService.answerWrong');
    return { status, headers, text };
  }
}
