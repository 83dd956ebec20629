import type { DeliveryFault } from '@carillon/contracts';
import { OutboundFault, OutboundWeb } from '@carillon/service';
import type { Attempt } from './webhook.entity.ts';

/** Ports of web servers. */
const webPorts = [443, 8443] as const;
/** Bytes read of a response, and characters of it that are kept. */
const mostRead = 65_536;
const mostKept = 500;

/** Where a webhook may lead: to the internet over https, and over http only to hosts that the operator allows. */
export class Receivers {
  private readonly web: OutboundWeb;

  constructor(config: { outboundAllowed: string }) {
    this.web = new OutboundWeb(config, webPorts);
  }

  /** Returns why a URL is refused, without contacting it; undefined when it is not. */
  refusal(url: URL): 'webhook.httpsNeeded' | 'webhook.targetRefused' | undefined {
    const refusal = this.web.refusal(url);
    return refusal && `webhook.${refusal}`;
  }

  /** Makes one attempt. */
  async post(
    url: URL,
    headers: Readonly<Record<string, string>>,
    body: string,
    { withinMs, ca }: { withinMs: number; ca: string[] | undefined },
  ): Promise<Attempt> {
    const begun = Date.now();
    const at = new Date(begun).toISOString();
    const ended = (status: number | null, fault: DeliveryFault | null, answer: string): Attempt => ({
      at,
      status,
      ms: Date.now() - begun,
      fault,
      answer: excerpt(answer),
    });
    try {
      const request = { method: 'POST', url, headers, body, withinMs, mostBytes: mostRead, ca } as const;
      const { status, text } = await this.web.send(request);
      return ended(status, faultOfStatus(status), text);
    } catch (error) {
      if (!(error instanceof OutboundFault)) throw error;
      return ended(error.status, error.fault, '');
    }
  }
}

// oxlint-disable-next-line no-control-regex -- What a receiver answers is shown as text.
const control = /[\u0000-\u0008\u000b-\u001f\u007f\ufffd]/g;
const excerpt = (text: string): string => text.slice(0, mostKept).replace(control, ' ').trim();

function faultOfStatus(status: number): DeliveryFault | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? 'redirect' : 'status';
}
