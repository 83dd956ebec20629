import { hostService, type ServiceDefinition } from '@carillon/service';
import { expect, it } from 'vitest';
import { MqttGateway, mqttGatewayConfig, mqttGatewayService } from './mqtt-gateway.module.ts';
import { RawDevice } from './testing/raw-device.ts';
import { RecordingBus } from './testing/recording-bus.ts';

it('listens when its process hosts it and drains when it closes', async () => {
  const bus = new RecordingBus();
  const { app } = await hostService({ definition: mqttGatewayService as unknown as ServiceDefinition, config: mqttGatewayConfig.parse({ port: 0 }), bus, contextKey: Buffer.alloc(32), listen: null });
  const gateway = app.get(MqttGateway);
  expect(gateway.stats().ready).toBe(true);
  expect(bus.of('link.gateway.v1')).toHaveLength(1);
  const device = await RawDevice.open(gateway.listeners[0]!.address.port);
  await app.close();
  await device.ended();
  expect(gateway.stats()).toMatchObject({ state: 'stopped', connections: 0 });
});
