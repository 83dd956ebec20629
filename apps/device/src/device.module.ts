import { Module } from '@nestjs/common';
import { defineService } from '@carillon/service';
import { deviceConfig } from './config.ts';
import { DeviceConsumer } from './device/device.consumer.ts';
import { DeviceController } from './device/device.controller.ts';
import { Device } from './device/device.entity.ts';
import { DeviceService } from './device/device.service.ts';
import { OrganizationConsumer } from './organization/organization.consumer.ts';
import { Migration20261121DeviceLinkGateway } from './migrations/20261121-link-gateway.ts';
import { Migration20261121Device } from './migrations/20261121-device.ts';

@Module({ controllers: [DeviceController, DeviceConsumer, OrganizationConsumer], providers: [DeviceService] })
export class DeviceModule {}

export const deviceService = defineService({
  name: 'device', module: DeviceModule, config: deviceConfig,
  database: { entities: [Device], migrations: [Migration20261121Device, Migration20261121DeviceLinkGateway], untenanted: { link_gateway: 'gateways serve all companies' } },
});

export { newSecret, seedDevices } from './device/device.service.ts';
