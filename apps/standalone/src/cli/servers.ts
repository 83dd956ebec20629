import { join } from 'node:path';
import { freePort } from '@carillon/devtools/free-port';
import { KafkaUnavailable, prepareKafka, type KafkaAdmin, type KafkaNode } from '@carillon/devtools/kafka';
import { brokerCertificate } from '@carillon/devtools/kafka-certificate';
import { kafkaFolder } from './kafka-login.ts';
import { ensureRedis, startRedis } from '@carillon/devtools/redis';
import { Trouble } from './trouble.ts';

/** A server that the supervisor keeps: it knows of it what ends it, and what starts it again. */
export interface RunningServer {
  pid: number;
  /** What its command line says, to know it again after a kill of the supervisor. */
  mark: string;
  /** Resolves when it has ended, asked or not. */
  ended: Promise<void>;
  stop(): Promise<void>;
}

/** The cluster's Redis: where it will answer, and how it is started, each time anew and empty. */
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
 * The cluster's Kafka, one broker, with what it stored at earlier starts. It ends with its supervisor, however that
 * ends.
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
