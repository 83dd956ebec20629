import { Module } from '@nestjs/common';
import {
  channelOrderExport,
  channelStatisticExport,
  channelOrderImportRoutes,
  deliveryExport,
  deliveryImportRoutes,
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
import { ChannelProjection } from './channel-order/channel-copy.projection.ts';
import { ChannelCopy } from './channel-order/channel-copy.entity.ts';
import { ChannelOrderController } from './channel-order/channel-order.controller.ts';
import { ChannelOrder, Custody } from './channel-order/channel-order.entity.ts';
import { ChannelOrderImport } from './channel-order/channel-order.import.ts';
import { ChannelOrderService } from './channel-order/channel-order.service.ts';
import { ChannelStatisticController } from './channel-statistic/channel-statistic.controller.ts';
import { ChannelStatistic } from './channel-statistic/channel-statistic.entity.ts';
import { ChannelStatisticService } from './channel-statistic/channel-statistic.service.ts';
import { DeviceReset } from './channel-order/device-reset.entity.ts';
import { DeviceResetRetention } from './channel-order/device-reset.service.ts';
import { StockService } from './channel-order/stock.service.ts';
import { ClaimService } from './mac-claim/claim.service.ts';
import { DeliveredDevice } from './mac-claim/delivered-device.entity.ts';
import { DeliveryController } from './mac-claim/delivery.controller.ts';
import { DeliveryImport } from './mac-claim/delivery.import.ts';
import { DeliveryService } from './mac-claim/delivery.service.ts';
import { MacDisputeController } from './mac-owner/mac-dispute.controller.ts';
import { MacDisputeService } from './mac-owner/mac-dispute.service.ts';
import { MacDispute, MacOwner } from './mac-owner/mac-owner.entity.ts';
import { deviceConfig } from './config.ts';
import { ImportSettingConsumer } from './import/import-setting.consumer.ts';
import { DeviceConsumer } from './device/device.consumer.ts';
import { DeviceController } from './device/device.controller.ts';
import { DeletionService } from './device/deletion.service.ts';
import { DeletedDevice, Device, DeviceSearchText } from './device/device.entity.ts';
import { DeviceImport } from './device/device.import.ts';
import { ImportSecretController } from './device/import-secret.controller.ts';
import { ImportSecretService } from './device/import-secret.service.ts';
import { DeviceAddService } from './device/add.service.ts';
import { DeviceEditService } from './device/edit.service.ts';
import { DeviceReplaceService } from './device/replace.service.ts';
import { DeviceRepublish, DeviceRepublishLoop } from './device/device-republish.ts';
import { DeviceService } from './device/device.service.ts';
import { DeviceChangeController } from './device-change/device-change.controller.ts';
import { DeviceChange, DeviceChangeRow } from './device-change/device-change.entity.ts';
import { DeviceChangeRetention, DeviceChangeRunner } from './device-change/device-change.runner.ts';
import { DeviceChangeService } from './device-change/device-change.service.ts';
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
import { ConfigDriftLoop } from './device-config/config-drift.loop.ts';
import { DeviceConfigCopy, DeviceConfigProjection } from './device-config/device-config.projection.ts';
import { ServerCopy } from './line/server-copy.entity.ts';
import { ServerProjection } from './line/server.projection.ts';
import { LineController } from './line/line.controller.ts';
import { LineSheetService } from './line/line-sheet.service.ts';
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
    ExportModule.register(deviceExports, [
      { of: deviceExport, source: deviceSource },
      { of: deviceGroupExport },
      { of: modelExport },
      { of: deviceLogExport },
      { of: channelOrderExport },
      { of: channelStatisticExport },
      { of: deliveryExport },
    ]),
  ],
  controllers: [
    DeviceController,
    ImportSettingConsumer,
    DeviceChangeController,
    ImportSecretController,
    importController('device', deviceImportRoutes),
    importController('channelOrder', channelOrderImportRoutes),
    importController('delivery', deliveryImportRoutes),
    DeliveryController,
    ChannelOrderController,
    ChannelStatisticController,
    MacDisputeController,
    ChannelProjection,
    DeviceConsumer,
    DeviceGroupController,
    ModelController,
    OrganizationConsumer,
    OrganizationProjection,
    SiteController,
    SiteProjection,
    LineController,
    AccountProjection,
    ServerProjection,
    DeviceConfigProjection,
    DeviceLogController,
    DeviceSampleController,
    TagController,
  ],
  providers: [
    DeviceService,
    DeviceAddService,
    DeviceEditService,
    DeviceReplaceService,
    DeletionService,
    DeviceChangeService,
    DeviceChangeRunner,
    DeviceChangeRetention,
    DeletedRetention,
    DeviceGroupService,
    GroupPass,
    DeviceRepublishLoop,
    ConfigDriftLoop,
    TagService,
    ModelService,
    SiteService,
    LineService,
    LineSheetService,
    DeviceLogRetention,
    DeviceSampler,
    ChannelOrderService,
    StockService,
    DeviceResetRetention,
    ChannelStatisticService,
    MacDisputeService,
    ClaimService,
    DeliveryService,
    ImportSecretService,
    ...importProviders([DeviceImport, ChannelOrderImport, DeliveryImport]),
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
      DeviceRepublish,
      Model,
      OrganizationCopy,
      SiteCopy,
      AccountCopy,
      ServerCopy,
      DeviceConfigCopy,
      DeletedDevice,
      DeviceChange,
      DeviceChangeRow,
      LinkGateway,
      ...exportEntities,
      DeviceLog,
      DeviceSample,
      deletedEntity(),
      MacOwner,
      MacDispute,
      DeliveredDevice,
      ChannelCopy,
      ChannelOrder,
      Custody,
      DeviceReset,
      ChannelStatistic,
      ...importEntities(),
    ],
    migrations: deviceMigrations,
    extensions: ['pg_trgm', 'btree_gin'],
    untenanted: {
      link_gateway: 'gateways serve all companies',
      delivered_device: 'a label belongs to no company before its code is used',
    },
  },
});

export { newSecret } from './device/device.service.ts';
export { seedDevices } from './device/seed-devices.ts';
export { seedGroup } from './device-group/seed-group.ts';
