import type { MessageHandler } from '@nestjs/microservices';
import type { Message } from '@carillon/contracts';
import type { Subscription } from './on.ts';

export interface Registered {
  subscription: Subscription;
  call: MessageHandler;
}

interface Call {
  companyId: string | null;
  handler: Registered;
  messages: Message[];
}

/**
 * Splits a batch into as few calls as the order per key allows: grouped by company and, within, by handler. When a
 * key's device changed its company, or its types have different handlers, grouping would break the order, so a new
 * round begins.
 */
export function inOrder(messages: readonly Message[], handlers: readonly Registered[]): Call[] {
  const calls: Call[] = [];
  let companies = new Map<string | null, (Message[] | undefined)[]>();
  let rank = new Map<string | null, number>();
  /** For each key of this round, the call that its next message must not precede. */
  let last = new Map<string, number>();
  const finish = (): void => {
    for (const [companyId, byHandler] of companies) {
      byHandler.forEach((mine, i) => {
        if (mine) calls.push({ companyId, handler: handlers[i]!, messages: mine });
      });
    }
    [companies, rank, last] = [new Map(), new Map(), new Map()];
  };
  for (const message of messages) {
    const mine = handlers.flatMap((h, i) => (h.subscription.types.includes(message.type) ? [i] : []));
    if (mine.length === 0) continue;
    const place = (company: number, handler: number): number => company * handlers.length + handler;
    const known = rank.get(message.companyId) ?? rank.size;
    if (place(known, mine[0]!) < (last.get(message.key) ?? -1)) finish();
    if (!rank.has(message.companyId)) rank.set(message.companyId, rank.size);
    last.set(message.key, place(rank.get(message.companyId)!, mine.at(-1)!));
    let byHandler = companies.get(message.companyId);
    if (!byHandler) companies.set(message.companyId, (byHandler = new Array<Message[] | undefined>(handlers.length)));
    for (const i of mine) (byHandler[i] ??= []).push(message);
  }
  finish();
  return calls;
}
