import { NestFactory } from '@nestjs/core';
import { Health, RuntimeModule } from '@carillon/service';
import { expect, it } from 'vitest';
import { MqttGateway, mqttGatewayConfig, mqttGatewayService } from './mqtt-gateway.module.ts';
import { RawDevice } from './testing/raw-device.ts';
import { RecordingBus } from './testing/recording-bus.ts';

it('listens when the Nest application is up and drains when it closes', async () => {
  const bus = new RecordingBus();
  const config = mqttGatewayConfig.parse({ port: 0 });
  const runtime = RuntimeModule.with({ bus, config, contextKey: Buffer.alloc(32) });
  const host = { module: mqttGatewayService.module, imports: [runtime] };
  const app = await NestFactory.createApplicationContext(host as never, { logger: false });
  const gateway = app.get(MqttGateway, { strict: false });
  expect(gateway.stats().ready).toBe(true);
  expect(bus.sent('link.gateway.v1')).toHaveLength(1);
  const health = app.get(Health, { strict: false });
  expect(await health.report()).toMatchObject({ ready: true, checks: { devices: 'ok', credentials: 'ok' } });
  // It lets no device in then, and its readiness tells load balancers.
  const long = Date.now() - 60_000 - config.credentialStaleSeconds * 1_000;
  bus.confirmed = () => long;
  expect(await health.report()).toMatchObject({
    ready: false,
    checks: { credentials: expect.stringMatching(/^the copy of the credentials was last complete \d+ s ago$/) },
  });
  bus.confirmed = () => Date.now();
  const device = await RawDevice.open(gateway.listeners[0]!.address.port);
  await app.close();
  await device.ended();
  expect(gateway.stats()).toMatchObject({ state: 'stopped', connections: 0 });
});
