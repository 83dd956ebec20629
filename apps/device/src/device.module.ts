import { Module } from '@nestjs/common';
import { deviceImportRoutes } from '@carillon/contracts';
import {
  defineService,
  DeletedRetention,
  deletedEntity,
  importBodyLimit,
  importController,
  importEntities,
  importProviders,
  LinkGateway,
} from '@carillon/service';
import { deviceConfig } from './config.ts';
import { DeviceConsumer } from './device/device.consumer.ts';
import { DeviceController } from './device/device.controller.ts';
import { DeletionService } from './device/deletion.service.ts';
import { DeletedDevice, Device, DeviceSearchText } from './device/device.entity.ts';
import { DeviceImport } from './device/device.import.ts';
import { DeviceService } from './device/device.service.ts';
import { DeviceGroupController } from './device-group/device-group.controller.ts';
import { DeviceGroup } from './device-group/device-group.entity.ts';
import { DeviceGroupService } from './device-group/device-group.service.ts';
import { DeviceLogController } from './device-log/device-log.controller.ts';
import { DeviceLog } from './device-log/device-log.entity.ts';
import { DeviceLogRetention } from './device-log/device-log.retention.ts';
import { OrganizationConsumer } from './organization/organization.consumer.ts';
import { OrganizationCopy, OrganizationProjection } from './projections/organization.projection.ts';
import { ExportController } from './export/export.controller.ts';
import { DeviceExport, DeviceExportPart } from './export/export.entity.ts';
import { ExportRetention } from './export/export.retention.ts';
import { ExportService } from './export/export.service.ts';
import { ExportWriter } from './export/export.writer.ts';
import { DeviceSampleController } from './sample/device-sample.controller.ts';
import { DeviceSample } from './sample/device-sample.entity.ts';
import { DeviceSampler } from './sample/device-sampler.ts';
import { AccountCopy } from './line/account-copy.entity.ts';
import { AccountProjection } from './line/account.projection.ts';
import { LineController } from './line/line.controller.ts';
import { LineService } from './line/line.service.ts';
import { SiteController } from './site/site.controller.ts';
import { SiteCopy, SiteProjection } from './site/site.projection.ts';
import { SiteService } from './site/site.service.ts';
import { deviceMigrations } from './migrations/index.ts';

@Module({
  controllers: [
    DeviceController,
    importController('device', deviceImportRoutes),
    DeviceConsumer,
    DeviceGroupController,
    OrganizationConsumer,
    OrganizationProjection,
    SiteController,
    SiteProjection,
    LineController,
    AccountProjection,
    ExportController,
    DeviceLogController,
    DeviceSampleController,
  ],
  providers: [
    DeviceService,
    DeletionService,
    DeletedRetention,
    DeviceGroupService,
    SiteService,
    LineService,
    ExportService,
    ExportWriter,
    ExportRetention,
    DeviceLogRetention,
    DeviceSampler,
    ...importProviders([DeviceImport]),
  ],
})
export class DeviceModule {}

export const deviceService = defineService({
  name: 'device',
  module: DeviceModule,
  config: deviceConfig,
  server: () => ({ bodyLimit: importBodyLimit }),
  database: {
    entities: [
      Device,
      DeviceSearchText,
      DeviceGroup,
      OrganizationCopy,
      SiteCopy,
      AccountCopy,
      DeletedDevice,
      DeviceExport,
      LinkGateway,
      DeviceExportPart,
      DeviceLog,
      DeviceSample,
      deletedEntity(),
      ...importEntities(),
    ],
    migrations: deviceMigrations,
    extensions: ['pg_trgm', 'btree_gin'],
    untenanted: { link_gateway: 'gateways serve all companies' },
  },
});

export { newSecret, seedDevices } from './device/device.service.ts';
