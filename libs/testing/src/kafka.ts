import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startKafka, type Kafka } from '@carillon/devtools/kafka';
import { startProxy, type TcpProxy } from './tcp-proxy.ts';

export interface TestKafka extends Kafka {
  /** One before each node when it was asked for: clients know no other way to the brokers. */
  proxies: TcpProxy[];
}

/** A dead consumer is noticed within seconds. */
const quick = { 'group.consumer.session.timeout.ms': '3000', 'group.consumer.heartbeat.interval.ms': '500' };

/** A real Kafka for a test file; it ends with the process at the latest. Its folder goes with it. */
export async function testKafka(
  options: { nodes?: 1 | 3; proxied?: boolean; folder?: string; settings?: Record<string, string> } = {},
): Promise<TestKafka> {
  const nodes = options.nodes ?? 1;
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'carillon-kafka-'));
  const proxies = options.proxied ? await Promise.all(Array.from({ length: nodes }, () => startProxy())) : [];
  const kafka = await startKafka({
    folder,
    nodes,
    bound: true,
    settings: { ...quick, ...options.settings },
    ...(options.proxied ? { advertised: proxies.map((p) => p.port) } : {}),
  });
  proxies.forEach((p, i) => {
    p.target = kafka.nodes[i]!.port;
  });
  return {
    ...kafka,
    proxies,
    async stop() {
      // Nothing of it is kept, so nothing has to be in order.
      await Promise.all(kafka.nodes.map((n) => n.signal('SIGKILL')));
      await Promise.all(proxies.map((p) => p.close()));
      if (!options.folder) rmSync(folder, { recursive: true, force: true });
    },
  };
}
