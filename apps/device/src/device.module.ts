import { Module } from '@nestjs/common';
import {
  deviceExport,
  deviceExports,
  deviceGroupExport,
  deviceImportRoutes,
  deviceLogExport,
  modelExport,
} from '@carillon/contracts';
import {
  defineService,
  DeletedRetention,
  deletedEntity,
  exportEntities,
  ExportModule,
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
import { DeviceGroup, DeviceGroupPass } from './device-group/device-group.entity.ts';
import { DeviceGroupService } from './device-group/device-group.service.ts';
import { GroupPass } from './device-group/group-pass.ts';
import { DeviceLogController } from './device-log/device-log.controller.ts';
import { DeviceLog } from './device-log/device-log.entity.ts';
import { DeviceLogRetention } from './device-log/device-log.retention.ts';
import { OrganizationConsumer } from './organization/organization.consumer.ts';
import { OrganizationCopy, OrganizationProjection } from './projections/organization.projection.ts';
import { deviceSource } from './export/device-export.source.ts';
import { DeviceSampleController } from './sample/device-sample.controller.ts';
import { DeviceSample } from './sample/device-sample.entity.ts';
import { DeviceSampler } from './sample/device-sampler.ts';
import { AccountCopy } from './line/account-copy.entity.ts';
import { AccountProjection } from './line/account.projection.ts';
import { LineController } from './line/line.controller.ts';
import { LineService } from './line/line.service.ts';
import { ModelController } from './model/model.controller.ts';
import { Model } from './model/model.entity.ts';
import { ModelService } from './model/model.service.ts';
import { SiteController } from './site/site.controller.ts';
import { SiteCopy, SiteProjection } from './site/site.projection.ts';
import { SiteService } from './site/site.service.ts';
import { TagController } from './tag/tag.controller.ts';
import { TagService } from './tag/tag.service.ts';
import { deviceMigrations } from './migrations/index.ts';

@Module({
  imports: [
    ExportModule.of(deviceExports, [
      { of: deviceExport, source: deviceSource },
      { of: deviceGroupExport },
      { of: modelExport },
      { of: deviceLogExport },
    ]),
  ],
  controllers: [
    DeviceController,
    importController('device', deviceImportRoutes),
    DeviceConsumer,
    DeviceGroupController,
    ModelController,
    OrganizationConsumer,
    OrganizationProjection,
    SiteController,
    SiteProjection,
    LineController,
    AccountProjection,
    DeviceLogController,
    DeviceSampleController,
    TagController,
  ],
  providers: [
    DeviceService,
    DeletionService,
    DeletedRetention,
    DeviceGroupService,
    GroupPass,
    TagService,
    ModelService,
    SiteService,
    LineService,
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
      DeviceGroupPass,
      Model,
      OrganizationCopy,
      SiteCopy,
      AccountCopy,
      DeletedDevice,
      LinkGateway,
      ...exportEntities,
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
