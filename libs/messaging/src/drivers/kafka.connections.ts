import {
  apiVersionsV3,
  Connection,
  consumerGroupHeartbeatV1,
  fetchV15,
  metadataV12,
  produceV11,
  type API,
  type ConnectionOptions,
  type SASLOptions,
} from '@platformatic/kafka';
import type { ConnectionOptions as TlsOptions } from 'node:tls';
import { createLogger } from '@carillon/observability';
import { code, errorCodeOf, noLeader, partialAnswer, addReason, type TopicInfo } from './kafka.protocol.ts';

const log = createLogger('bus');

export interface KafkaConnection {
  /** `host:port` of some brokers; the others are discovered from them. */
  brokers: readonly string[];
  clientId?: string;
  tls?: TlsOptions;
  sasl?: SASLOptions;
}

/** The address of a broker. */
export interface Node {
  host: string;
  port: number;
}

/** A broker that hangs answers nothing, and another one may lead its partitions by then. */
const timeouts: Record<string, number> = { control: 2_000, admin: 20_000, group: 3_000, produce: 5_000, fetch: 5_000 };

/**
 * Connections to the brokers of one Kafka, and who leads which partition. Requests of one purpose share a connection
 * with a broker.
 */
export class KafkaConnections {
  readonly topics = new Map<string, TopicInfo>();
  /** Topics that this user may not describe. */
  readonly refused = new Set<string>();
  private readonly byId = new Map<string, TopicInfo>();
  private readonly options: KafkaConnection;
  private readonly connections = new Map<string, Promise<Connection>>();
  private nodes = new Map<number, Node>();
  private refreshing: Promise<void> | undefined;
  private lastGood: Node | undefined;
  private closed = false;

  constructor(options: KafkaConnection) {
    this.options = options;
  }

  async close(): Promise<void> {
    this.closed = true;
    await Promise.all(
      [...this.connections.values()].map((c) =>
        c.then(
          (connection) => connection.close(),
          () => undefined,
        ),
      ),
    );
  }

  /**
   * Retries while no broker answers, until this value of `performance.now`. An error answered by a broker is thrown at
   * once.
   */
  async patiently<R>(until: number, ask: () => Promise<R>): Promise<R> {
    for (let wait = 50; ; wait = Math.min(2 * wait, 1_000)) {
      try {
        return await ask();
      } catch (error) {
        if (this.closed || errorCodeOf(error) !== undefined || performance.now() + wait > until) throw error;
        if (wait === 50)
          log.warn(
            { brokers: this.options.brokers, error: (error as Error).message },
            'no broker answers: waiting for one',
          );
      }
      await new Promise((resolve) => {
        setTimeout(resolve, wait);
      });
    }
  }

  /** Throws a clear error when the brokers are too old or require a login. */
  async check(withinMs: number): Promise<void> {
    const { apiKeys } = await this.patiently(performance.now() + withinMs, async () => {
      const versions = await this.any(apiVersionsV3.api, 'carillon', '1');
      // Versions are answered to anyone, metadata only after a login.
      await this.read([]);
      return versions;
    });
    for (const api of [consumerGroupHeartbeatV1.api, produceV11.api, fetchV15.api] as {
      key: number;
      version: number;
    }[]) {
      if ((apiKeys.find((k) => k.apiKey === api.key)?.maxVersion ?? -1) < api.version)
        throw new Error('this Kafka is too old: 4.0 or newer is needed');
    }
  }

  private connection(node: Node, purpose: string): Promise<Connection> {
    if (this.closed) return Promise.reject(new Error('the bus is closed'));
    const at = `${node.host}:${node.port}/${purpose}`;
    let found = this.connections.get(at);
    if (!found) {
      const options: ConnectionOptions = {
        connectTimeout: 3_000,
        requestTimeout: timeouts[purpose.split('#')[0]!]!,
        maxInflights: 64,
        ...(this.options.tls ? { tls: this.options.tls } : {}),
        ...(this.options.sasl ? { sasl: this.options.sasl } : {}),
      };
      const made = new Connection(this.options.clientId ?? 'carillon', options);
      const forget = (): void => {
        if (this.connections.get(at) === found) this.connections.delete(at);
      };
      made.on('error', forget);
      made.on('close', forget);
      found = Promise.resolve(made.connect(node.host, node.port)).then(() => made);
      found.catch(forget);
      this.connections.set(at, found);
    }
    return found;
  }

  /** Fails the pending requests of this lane. */
  async release(purpose: string): Promise<void> {
    const mine = [...this.connections].filter(([at]) => at.endsWith(`/${purpose}`));
    for (const [at] of mine) this.connections.delete(at);
    await Promise.all(
      mine.map(([, c]) =>
        c.then(
          (connection) => connection.close(),
          () => undefined,
        ),
      ),
    );
  }

  /** Sends a request to one broker. */
  async call<A extends unknown[], R>(node: Node, purpose: string, api: API<A, R>, ...args: A): Promise<R> {
    try {
      return await api.async(await this.connection(node, purpose), ...args);
    } catch (error) {
      addReason(error);
      throw error;
    }
  }

  /** Sends a request to any broker that answers. */
  any<A extends unknown[], R>(api: API<A, R>, ...args: A): Promise<R> {
    return this.anyOn('control', api, ...args);
  }

  async anyOn<A extends unknown[], R>(purpose: string, api: API<A, R>, ...args: A): Promise<R> {
    const known = [
      ...this.nodes.values(),
      ...this.options.brokers.map((b): Node => ({
        host: b.slice(0, b.lastIndexOf(':')),
        port: Number(b.slice(b.lastIndexOf(':') + 1)),
      })),
    ];
    const candidates = new Map(
      [...(this.lastGood ? [this.lastGood] : []), ...known].map((n) => [`${n.host}:${n.port}`, n]),
    ).values();
    let last: unknown;
    for (const node of candidates) {
      try {
        const answer = await this.call(node, purpose, api, ...args);
        this.lastGood = node;
        return answer;
      } catch (error) {
        if (errorCodeOf(error) !== undefined) throw error;
        last = error;
        this.lastGood = undefined;
      }
    }
    throw last;
  }

  /** Returns the address of a broker by its node id. */
  node(id: number): Node {
    const node = this.nodes.get(id);
    if (!node) throw new Error(id < 0 ? 'the partition has no leader now' : `broker ${id} is not there`);
    return node;
  }

  /** Reads the leaders of all known topics and of these. A topic that does not exist is left out. */
  async refresh(names: readonly string[] = []): Promise<void> {
    if (names.every((n) => this.topics.has(n)))
      return (this.refreshing ??= this.read([...this.topics.keys()]).finally(() => {
        this.refreshing = undefined;
      }));
    await this.read([...new Set([...this.topics.keys(), ...names])]);
  }

  private async read(names: string[]): Promise<void> {
    // Some topics may have errors of their own; the rest of the response is valid.
    const answer = await this.any(metadataV12.api, names, false, false).catch(
      partialAnswer<Awaited<ReturnType<typeof metadataV12.api.async>>>,
    );
    this.nodes = new Map(answer.brokers.map((b) => [b.nodeId, { host: b.host, port: b.port }]));
    for (const t of answer.topics) {
      if (t.name && t.errorCode === code.topicAuthorization) this.refused.add(t.name);
      if (!t.name || t.errorCode !== code.none || t.partitions.length === 0) continue;
      this.refused.delete(t.name);
      const leaders: number[] = [];
      for (const p of t.partitions)
        // A missing replica does not stop the leader.
        leaders[p.partitionIndex] =
          p.errorCode === code.none || p.errorCode === code.replicaNotAvailable ? p.leaderId : noLeader;
      const info = { name: t.name, id: t.topicId, leaders, replicas: t.partitions[0]!.replicaNodes.length };
      this.topics.set(t.name, info);
      this.byId.set(t.topicId, info);
    }
  }

  nameOf(topicId: string): TopicInfo | undefined {
    return this.byId.get(topicId);
  }

  /** Gives up the pending requests to this broker. */

  /** Sends a request to each broker. Returns the answers by node id. */
  async each<A extends unknown[], R>(api: API<A, R>, ...args: A): Promise<[id: number, answer: R][]> {
    if (this.nodes.size === 0) await this.refresh();
    return Promise.all(
      [...this.nodes].map(async ([id, node]): Promise<[number, R]> => [
        id,
        await this.call(node, 'control', api, ...args),
      ]),
    );
  }
}
