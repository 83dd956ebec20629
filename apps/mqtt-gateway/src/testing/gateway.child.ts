/**
 * A gateway in a process of its own, for tests that kill or stop it. It takes its settings as JSON, reports its port
 * over IPC, and drains on request.
 */
import { PostgresBus } from '@carillon/messaging';
import { Redis } from '@carillon/service/cache';
import { mqttGatewayConfig } from '../config.ts';
import { MqttGateway } from '../mqtt-gateway.ts';

const {
  bus: connectionString,
  redis: url,
  prefix,
  config,
} = JSON.parse(process.argv[2]!) as { bus: string; redis: string; prefix: string; config: Record<string, unknown> };
const say = (what: unknown): void => void process.send?.(what);
const write =
  (level: string) =>
  (fields: object, message: string): void =>
    say({ log: { level, message, ...fields, err: undefined } });
const log = { info: write('info'), warn: write('warn'), error: write('error') };

const bus = await PostgresBus.open({ connection: { connectionString }, name: `gateway-${String(config['name'])}` });
const redis = await Redis.open({ url, prefix, log });
const gateway = new MqttGateway({ bus, redis, config: mqttGatewayConfig.parse(config), log });
process.on('disconnect', () => process.exit(0));
process.on('message', (what) => {
  if (what === 'stats') say({ stats: gateway.stats() });
  if (what === 'drain')
    void gateway.drain().then(async () => {
      await redis.close();
      await bus.close();
      process.exit(0);
    });
});
await gateway.start();
say({
  ready: gateway.listeners[0]!.address.port,
  ports: Object.fromEntries(gateway.listeners.map((l) => [l.kind, l.address.port])),
});
