import { Server, type CustomTransportStrategy } from '@nestjs/microservices';
import { isObservable, lastValueFrom } from 'rxjs';
import type { Message, ServiceName } from '@carillon/contracts';
import { counted, createLogger, durations, meanings, span, SpanKind } from '@carillon/observability';
import { companySession, enterCompany, nilUuid, transaction, type Database } from '@carillon/persistence';
import { runAs, systemContext } from '@carillon/tenancy';
import type { Bus, BusBatch, BusRecord, Consumer } from './bus.ts';
import { deadTopic, toDeadLetter } from './dead-letter.ts';
import { newIds, pruneInbox } from './inbox.ts';
import { failureOf, type BatchContext, type Subscription } from './on.ts';
import { inOrder, type Registered } from './in-order.ts';
import { fromRecord, PoisonError } from './record.ts';
import { isTimeout, isTransient } from './transient.ts';

export interface StrategyOptions {
  bus: Bus;
  service: ServiceName;
  database?: Database;
  /** Era of this installation: messages of a lower one were undone by a restore. */
  era?: number;
  /** Tries of one message before it becomes a dead letter. */
  tries?: number;
  /** First pause between tries, ms; doubles. */
  pauseMs?: number;
}

const log = createLogger('consumer');
const batches = durations(meanings.messages);
const handled = counted(meanings.handled);
const deadLetters = counted(meanings.deadLetters);

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });

/**
 * Nest's transport over our bus. Handlers, pipes, filters and lifecycle are Nest's; delivery is ours, because Nest's
 * Kafka transport reacts to errors by losing messages or blocking. A batch is one transaction; a failing one is halved
 * until the poison message is found, which is retried a few times and then becomes a dead letter.
 */
export class BusStrategy extends Server implements CustomTransportStrategy {
  override readonly propagatesEventHandlerErrors = true;
  private readonly options: Required<Omit<StrategyOptions, 'database'>> & { database: Database | undefined };
  private readonly consumers: Consumer[] = [];
  private pruning: NodeJS.Timeout | undefined;

  constructor(options: StrategyOptions) {
    super();
    this.options = { era: 1, tries: 5, pauseMs: 200, ...options, database: options.database };
  }

  async listen(callback: (error?: unknown) => void): Promise<void> {
    try {
      await this.subscribe();
      callback();
    } catch (error) {
      callback(error);
    }
  }

  private async subscribe(): Promise<void> {
    const registered: Registered[] = [...this.messageHandlers.values()].flatMap((handler) => {
      const subscription = handler.extras?.['subscription'] as Subscription | undefined;
      return subscription ? [{ subscription, call: handler }] : [];
    });
    const { bus, service } = this.options;
    const grouped = Map.groupBy(
      registered.filter((r) => r.subscription.mode === 'group'),
      (r) => r.subscription.topic.name as string,
    );
    // Copies first: group handlers may depend on them.
    for (const one of registered.filter((r) => r.subscription.mode === 'fanout')) {
      const consumer = await bus.fanout({
        topics: [one.subscription.topic.name],
        from: one.subscription.from,
        handle: (batch) => this.handleFanout(batch, one),
      });
      this.consumers.push(consumer);
      await consumer.caughtUp;
    }
    if (grouped.size > 0) {
      await bus.ensureTopics([deadTopic(service)]);
      this.consumers.push(
        await bus.group({
          group: service,
          topics: [...grouped.keys()],
          handle: (batch) => this.handleGroup(batch, grouped.get(batch.topic)!),
        }),
      );
      this.pruning = setInterval(() => void this.prune(), 600_000).unref();
    }
  }

  private async prune(): Promise<void> {
    const { database } = this.options;
    if (database)
      await pruneInbox(database).catch((err: unknown) => log.warn({ err }, 'the inbox could not be pruned'));
  }

  private async handleFanout(batch: BusBatch, handler: Registered): Promise<void> {
    const messages = batch.records.flatMap((record) => {
      if (!handler.subscription.types.includes(record.headers['type'] ?? '') || this.isUndone(record)) return [];
      try {
        return [fromRecord(handler.subscription.topic, record)!];
      } catch (err) {
        log.error(
          { err, topic: batch.topic, partition: batch.partition, offset: String(record.offset) },
          'a message of a feed does not fit and was left out',
        );
        return [];
      }
    });
    await this.feed(batch, messages, handler);
  }

  /** Skips the single message that a feed's handler cannot take, instead of its batch. */
  private async feed(batch: BusBatch, messages: Message[], handler: Registered): Promise<void> {
    if (messages.length === 0) return;
    try {
      await this.call(handler, messages, batch);
    } catch (err) {
      if (messages.length === 1) {
        log.error(
          { err, topic: batch.topic, partition: batch.partition, id: messages[0]!.id },
          'a message of a feed could not be handled and was left out',
        );
        return;
      }
      const middle = messages.length >> 1;
      await this.feed(batch, messages.slice(0, middle), handler);
      await this.feed(batch, messages.slice(middle), handler);
    }
  }

  /** Returns whether the record was written before the restore that this installation continues from. */
  private isUndone(record: BusRecord): boolean {
    return Number(record.headers['era'] ?? this.options.era) < this.options.era;
  }

  private async handleGroup(batch: BusBatch, handlers: readonly Registered[]): Promise<void> {
    await this.attempt(batch, batch.records, handlers);
  }

  /** Handles the records or their halves; a single record that cannot be handled becomes a dead letter. */
  private async attempt(
    batch: BusBatch,
    records: readonly BusRecord[],
    handlers: readonly Registered[],
  ): Promise<void> {
    const { tries, pauseMs, service, bus } = this.options;
    for (let tried = 1, wait = pauseMs; ; wait = Math.min(wait * 2, 5_000)) {
      if (batch.signal.aborted) throw new Error('the partition was taken away');
      const ended = batches.startTimer({ service, topic: batch.topic });
      try {
        await this.handle(batch, records, handlers);
        ended({ outcome: 'handled' });
        handled.inc({ service, topic: batch.topic }, records.length);
        return;
      } catch (error) {
        ended({ outcome: isTransient(error) ? 'waits' : 'failed' });
        // A batch that timed out as a whole would time out again.
        if (isTransient(error) && !(records.length > 1 && isTimeout(error))) {
          log.warn({ err: error, topic: batch.topic }, 'a batch has to wait');
          await pause(wait, batch.signal);
          continue;
        }
        if (records.length > 1) {
          const middle = records.length >> 1;
          await this.attempt(batch, records.slice(0, middle), handlers);
          await this.attempt(batch, records.slice(middle), handlers);
          return;
        }
        if (tried++ < tries && !(error instanceof PoisonError)) {
          await pause(wait, batch.signal);
          continue;
        }
        const [record] = records;
        log.error(
          {
            err: error,
            topic: batch.topic,
            partition: batch.partition,
            offset: String(record!.offset),
            id: record!.headers['id'],
          },
          'a message could not be handled and was put aside',
        );
        deadLetters.inc({ service, topic: batch.topic });
        await bus.publish([toDeadLetter(service, record!, error)]);
        return;
      }
    }
  }

  /** Handles all records in one transaction: finds the new ones, then handles each company's under its own session. */
  private async handle(batch: BusBatch, records: readonly BusRecord[], handlers: readonly Registered[]): Promise<void> {
    const { database, service } = this.options;
    if (!database) throw new Error(`${service} handles a group without a database`);
    const topic = handlers[0]!.subscription.topic;
    const types = new Set(handlers.flatMap((h) => h.subscription.types));
    const messages = records.flatMap((record) => {
      if (!types.has(record.headers['type'] ?? '')) return record.headers['type'] ? [] : [fromRecord(topic, record)!];
      if (this.isUndone(record)) return [];
      const message = fromRecord(topic, record);
      return message ? [message] : [];
    });
    if (messages.length === 0) return;
    const traces = [...new Set(messages.flatMap((m) => m.traceparent ?? []))];
    // A batch of one trace continues it; a batch of several links to each.
    const trace =
      new Set(traces.map((t) => t.slice(3, 35))).size === 1
        ? { traceparent: traces[0], links: traces.slice(1, 32) }
        : { root: true, links: traces.slice(0, 32) };
    await span(
      `${topic.name} process`,
      {
        kind: SpanKind.CONSUMER,
        attributes: {
          'messaging.destination.name': topic.name,
          'messaging.batch.message_count': messages.length,
          'carillon.service': service,
        },
        ...trace,
      },
      () =>
        transaction(
          database,
          companySession(null),
          async () => {
            const fresh = await newIds(
              service,
              messages.map((m) => m.id),
            );
            const seen = new Set<string>();
            const due = messages.filter((m) => fresh.has(m.id) && !seen.has(m.id) && seen.add(m.id));
            for (const { companyId, handler, messages: mine } of inOrder(due, handlers)) {
              await enterCompany(companyId);
              await runAs(systemContext(companyId ?? nilUuid), () => this.call(handler, mine, batch));
            }
          },
          { background: true },
        ),
    );
  }

  /** Calls the handler through Nest. A failure that a filter turned into a success still counts as a failure. */
  private async call(handler: Registered, messages: Message[], batch: BusBatch): Promise<void> {
    const context: BatchContext = { topic: batch.topic, partition: batch.partition, signal: batch.signal };
    try {
      const result: unknown = await handler.call(messages, context as never);
      if (isObservable(result)) await lastValueFrom(result, { defaultValue: undefined });
    } catch (error) {
      throw failureOf.get(context) ?? error;
    }
    if (failureOf.has(context)) throw failureOf.get(context);
  }

  async close(): Promise<void> {
    clearInterval(this.pruning);
    await Promise.all(this.consumers.map((c) => c.close()));
  }

  on(): never {
    throw new Error('the bus has no client events');
  }

  unwrap<T>(): T {
    return this.options.bus as T;
  }
}
