import { NestFactory } from '@nestjs/core';
import { expect, it } from 'vitest';
import { MqttGateway, MqttGatewayModule, mqttGatewayConfig } from './mqtt-gateway.module.ts';
import { RawDevice } from './testing/raw-device.ts';
import { RecordingBus } from './testing/recording-bus.ts';

it('listens when the Nest application is up and drains when it closes', async () => {
  const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const bus = new RecordingBus();
  const app = await NestFactory.createApplicationContext(MqttGatewayModule.forRoot({ bus, config: mqttGatewayConfig.parse({ port: 0 }), log: quiet }), { logger: false });
  const gateway = app.get(MqttGateway);
  expect(gateway.stats().ready).toBe(true);
  expect(bus.of('link.gateway.v1')).toHaveLength(1);
  const device = await RawDevice.open(gateway.listeners[0]!.address.port);
  await app.close();
  await device.ended();
  expect(gateway.stats()).toMatchObject({ state: 'stopped', connections: 0 });
});
