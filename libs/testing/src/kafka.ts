import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '@carillon/devtools/free-port';
import { brokerSettings, loginSettings, servingBrokers, startKafka, type KafkaAdmin } from '@carillon/devtools/kafka';
import type { BrokerCertificate } from '@carillon/devtools/kafka-certificate';
export { newBrokerCertificate } from '@carillon/devtools/kafka-certificate';
export { servingBrokers } from '@carillon/devtools/kafka';
import { inContainers, startContainer, startNetwork, type ServerContainer } from './containers.ts';
import { startProxy, type TcpProxy } from './tcp-proxy.ts';

/** A broker of a test, with controls for faults. */
export interface TestKafkaNode {
  readonly port: number;
  start(): Promise<void>;
  /** Shuts it down in order. */
  stop(): Promise<void>;
  /** Sends SIGKILL (`start` continues with the stored data), SIGSTOP or SIGCONT. */
  signal(name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): Promise<void>;
}

export interface TestKafka {
  /** Addresses for clients: `127.0.0.1:22000,…`. */
  bootstrap: string;
  nodes: TestKafkaNode[];
  stop(): Promise<void>;
  /** One proxy per node, when requested; clients then have no other way to the brokers. */
  proxies: TcpProxy[];
}

/** A dead consumer is noticed within seconds. */
const quick = { 'group.consumer.session.timeout.ms': '3000', 'group.consumer.heartbeat.interval.ms': '500' };

interface TestKafkaOptions {
  nodes?: 1 | 3;
  /** Clients reach each node through a proxy that the test controls. */
  proxied?: boolean;
  /** Data folder. */
  folder?: string;
  /** Requires logins; this user grants the permissions. */
  admin?: KafkaAdmin;
  /** With `admin`: uses TLS with this certificate of the brokers. */
  certificate?: BrokerCertificate;
  /** Additional lines of server.properties. */
  settings?: Record<string, string>;
}

/** Starts a real Kafka for a test file. It ends with the process at the latest, and its folder is removed. */
export async function testKafka(options: TestKafkaOptions = {}): Promise<TestKafka> {
  const nodes = options.nodes ?? 1;
  const proxies = options.proxied ? await Promise.all(Array.from({ length: nodes }, () => startProxy())) : [];
  const kafka = await (inContainers ? containerKafka : processKafka)(
    options,
    nodes,
    proxies.map((proxy) => proxy.port),
  );
  proxies.forEach((proxy, i) => {
    proxy.target = kafka.nodes[i]!.port;
  });
  return {
    ...kafka,
    ...(options.proxied ? { bootstrap: proxies.map((proxy) => `127.0.0.1:${proxy.port}`).join() } : {}),
    proxies,
    async stop() {
      await kafka.stop();
      await Promise.all(proxies.map((proxy) => proxy.close()));
    },
  };
}

async function processKafka(
  options: TestKafkaOptions,
  nodes: 1 | 3,
  advertised: number[],
): Promise<Omit<TestKafka, 'proxies'>> {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'carillon-kafka-'));
  const kafka = await startKafka({
    folder,
    nodes,
    bound: true,
    settings: { ...quick, ...options.settings },
    ...(options.admin ? { admin: options.admin } : {}),
    ...(options.certificate ? { certificate: options.certificate } : {}),
    ...(advertised.length > 0 ? { advertised } : {}),
  });
  return {
    bootstrap: kafka.bootstrap,
    nodes: kafka.nodes,
    async stop() {
      // The data is not kept, so no orderly shutdown is needed.
      await Promise.all(kafka.nodes.map((node) => node.signal('SIGKILL')));
      if (options.folder === undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}

const dataFolder = '/var/lib/kafka/data';

/** Returns the environment variable that Apache Kafka's image reads for a setting. */
const variableOf = (key: string): string =>
  `KAFKA_${key.replaceAll('_', '__').replaceAll('-', '___').replaceAll('.', '_').toUpperCase()}`;

/**
 * Returns the settings for logins between the brokers, on a listener of their own. There they use names that no test
 * certificate contains.
 */
function withLogin(admin: KafkaAdmin, certificate: BrokerCertificate | undefined): Record<string, string> {
  return {
    ...loginSettings(admin, certificate),
    'listener.security.protocol.map': `CLIENT:${certificate ? 'SASL_SSL' : 'SASL_PLAINTEXT'},CONTROLLER:SASL_PLAINTEXT,BROKER:SASL_PLAINTEXT`,
    'inter.broker.listener.name': 'BROKER',
    'listener.name.broker.sasl.enabled.mechanisms': 'PLAIN',
    'listener.name.broker.plain.sasl.jaas.config': loginSettings(admin, undefined)[
      'listener.name.client.plain.sasl.jaas.config'
    ],
  };
}

async function containerKafka(
  options: TestKafkaOptions,
  nodes: 1 | 3,
  advertised: number[],
): Promise<Omit<TestKafka, 'proxies'>> {
  const ports = await freePorts(nodes);
  const network = await startNetwork();
  const nameOf = (id: number): string => `kafka-${id}-${network.getName()}`;
  const voters = Array.from({ length: nodes }, (_, i) => `${i + 1}@${nameOf(i + 1)}:9093`).join();
  const started = await Promise.allSettled(
    ports.map((hostPort, i) => {
      const id = i + 1;
      const settings = {
        'process.roles': 'broker,controller',
        'node.id': String(id),
        'log.dirs': dataFolder,
        'controller.quorum.voters': voters,
        listeners: 'CLIENT://:9092,BROKER://:9094,CONTROLLER://:9093',
        'advertised.listeners': `CLIENT://127.0.0.1:${advertised[i] ?? hostPort},BROKER://${nameOf(id)}:9094`,
        'listener.security.protocol.map': 'CLIENT:PLAINTEXT,BROKER:PLAINTEXT,CONTROLLER:PLAINTEXT',
        'controller.listener.names': 'CONTROLLER',
        'inter.broker.listener.name': 'BROKER',
        ...brokerSettings(nodes),
        ...quick,
        ...(options.admin ? withLogin(options.admin, options.certificate) : {}),
        ...options.settings,
      };
      return startContainer({
        image: 'kafka',
        port: 9092,
        hostPort,
        name: nameOf(id),
        network,
        environment: {
          KAFKA_HEAP_OPTS: '-Xms128m -Xmx256m',
          ...Object.fromEntries(Object.entries(settings).map(([key, value]) => [variableOf(key), value])),
        },
        folders: options.folder === undefined ? {} : { [dataFolder]: options.folder },
        serves: async (port) => (await servingBrokers(port, options)) > 0,
      });
    }),
  );
  const containers = started.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const stop = async (): Promise<void> => {
    await Promise.all(containers.map((container) => container.remove()));
    await network.stop();
  };
  const failed = started.find((result) => result.status === 'rejected');
  if (failed !== undefined) {
    await stop();
    throw failed.reason;
  }
  return {
    bootstrap: ports.map((port) => `127.0.0.1:${port}`).join(),
    nodes: containers.map(nodeOf),
    stop,
  };
}

function nodeOf(container: ServerContainer): TestKafkaNode {
  return {
    port: container.port,
    start: () => container.start(),
    stop: () => container.end(20_000),
    signal: (name) =>
      name === 'SIGKILL' ? container.kill() : name === 'SIGSTOP' ? container.pause() : container.unpause(),
  };
}
