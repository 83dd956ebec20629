import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import type { EventType, Message, TopicDefinition } from '@carillon/contracts';

export interface OnOptions {
  /** `group`: one process of the service handles it, in a transaction. `fanout`: every process, without one. */
  mode?: 'group' | 'fanout';
  /** Where a fan-out begins. */
  from?: 'start' | 'end';
}

export interface Subscription extends Required<OnOptions> {
  topic: TopicDefinition;
  types: readonly string[];
}

/** Context of a handler's batch. */
export interface BatchContext {
  topic: string;
  partition: number;
  signal: AbortSignal;
}

/** The failure of a handler, whatever Nest's filters make of it: a swallowed error would be a lost message. */
export const failureOf = new WeakMap<object, unknown>();

let count = 0;

type Handler<T extends TopicDefinition> = (messages: Message<T>[], context: BatchContext) => Promise<void>;

/**
 * Handles messages of a topic: a batch of one partition and one company, in order and without duplicates, inside the
 * transaction that also stores their ids in the inbox.
 */
export function On<const T extends TopicDefinition, K extends EventType<T>>(
  topic: T,
  types: readonly K[],
  options: OnOptions = {},
) {
  return <F extends Handler<T>>(target: object, key: string, descriptor: TypedPropertyDescriptor<F>): void => {
    const handler = descriptor.value!;
    descriptor.value = async function (this: unknown, messages: Message<T>[], context: BatchContext) {
      try {
        await handler.call(this, messages, context);
      } catch (error) {
        failureOf.set(context, error);
        throw error;
      }
    } as F;
    Payload()(target, key, 0);
    Ctx()(target, key, 1);
    const subscription: Subscription = { topic, types, mode: options.mode ?? 'group', from: options.from ?? 'end' };
    EventPattern(`${topic.name}#${++count}`, { subscription })(target, key, descriptor as never);
  };
}
