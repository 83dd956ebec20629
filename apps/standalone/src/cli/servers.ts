import { join } from 'node:path';
import { freePort } from '@carillon/devtools/free-port';
import { KafkaUnavailable, prepareKafka, type KafkaAdmin, type KafkaNode } from '@carillon/devtools/kafka';
import { brokerCertificate } from '@carillon/devtools/kafka-certificate';
import { kafkaFolder } from './kafka-login.ts';
import { ensureRedis, startRedis } from '@carillon/devtools/redis';
import { Trouble } from './trouble.ts';

/** A server that the supervisor keeps running. */
export interface RunningServer {
  pid: number;
  /** Text of its command line that identifies it after the supervisor was killed. */
  mark: string;
  /** Resolves when the server has ended for any reason. */
  ended: Promise<void>;
  stop(): Promise<void>;
}

/** Returns the address of the cluster's Redis and a function that starts it, empty each time. */
export async function clusterRedis(
  folder: string,
  password: string,
  say: (text: string) => void,
): Promise<{ url: string; start(): Promise<RunningServer> }> {
  const port = await freePort();
  let program: ReturnType<typeof ensureRedis>;
  try {
    program = ensureRedis(say);
  } catch (error) {
    throw new Trouble((error as Error).message);
  }
  return {
    url: `redis://:${encodeURIComponent(password)}@127.0.0.1:${port}`,
    async start() {
      const { pid, exited, stop } = await startRedis({ port, password, dir: join(folder, 'redis') }, program);
      return { pid, ended: exited, stop, mark: `redis-server 127.0.0.1:${port}` };
    },
  };
}

/**
 * Returns the cluster's Kafka: one broker that keeps its data between starts. It ends with its supervisor in every
 * case.
 */
export async function clusterKafka(
  folder: string,
  admin: KafkaAdmin,
): Promise<{ brokers: string; start(): Promise<RunningServer> }> {
  const place = kafkaFolder(folder);
  const certificate = await brokerCertificate(place);
  const sentence = (error: unknown): unknown =>
    error instanceof KafkaUnavailable ? new Trouble(error.message) : error;
  const kafka = await prepareKafka({ folder: place, bound: true, admin, certificate }).catch((error: unknown) => {
    throw sentence(error);
  });
  const node: KafkaNode = kafka.nodes[0]!;
  return {
    brokers: kafka.bootstrap,
    async start() {
      await node.start().catch((error: unknown) => {
        throw sentence(error);
      });
      return { pid: node.pid, mark: place, ended: node.ended, stop: () => node.stop() };
    },
  };
}
