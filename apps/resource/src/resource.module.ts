import { Module } from '@nestjs/common';
import {
  configFileExport,
  configFileUpload,
  fileKeyRoutes,
  firmwareDeltaUpload,
  firmwareExport,
  firmwareUpload,
  resourceExports,
  resourceFileExport,
  resourceFileUpload,
} from '@carillon/contracts';
import { configFileMaximum, deltaMaximum, firmwareMaximum } from '@carillon/contracts/constants';
import {
  companyKeyController,
  companyKeyProviders,
  CONFIG,
  DataKey,
  defineService,
  DeletedRetention,
  deletedEntity,
  exportEntities,
  ExportModule,
  KeyRenewal,
} from '@carillon/service';
import { resourceConfig, type ResourceConfig } from './config.ts';
import { ConfigFileController } from './config-file/config-file.controller.ts';
import { ConfigFile } from './config-file/config-file.entity.ts';
import { ConfigFilePublisher } from './config-file/config-file.publisher.ts';
import { ConfigFileService } from './config-file/config-file.service.ts';
import { CompanyCopy } from './company/company-copy.entity.ts';
import { CompanyProjection } from './company/company.projection.ts';
import { DeltaOrder } from './delta/delta-order.entity.ts';
import { DeltaRunner } from './delta/delta.runner.ts';
import { DeltaService } from './delta/delta.service.ts';
import { DeviceCopy } from './download/device-copy.entity.ts';
import { DownloadController } from './download/download.controller.ts';
import { Download } from './download/download.entity.ts';
import { DownloadProjection } from './download/download.projection.ts';
import { Downloads } from './download/download.service.ts';
import { SiteCopy } from './download/site-copy.entity.ts';
import { TaskFileCopy } from './download/task-file-copy.entity.ts';
import { FirmwareController } from './firmware/firmware.controller.ts';
import { Firmware, OfficialFirmware } from './firmware/firmware.entity.ts';
import { FirmwareCheck } from './firmware/firmware.check.ts';
import { FirmwarePublisher } from './firmware/firmware.publisher.ts';
import { FirmwareNotices } from './firmware/firmware.notices.ts';
import { FirmwareService } from './firmware/firmware.service.ts';
import { Migration20261125Resource } from './migrations/20261125-resource.ts';
import { Migration20261126Firmware } from './migrations/20261126-firmware.ts';
import { Migration20261127Download } from './migrations/20261127-download.ts';
import { Migration20261128FirmwareTold } from './migrations/20261128-firmware-told.ts';
import { Migration20261129ResourceFileTold } from './migrations/20261129-resource-file-told.ts';
import { Migration20261130ConfigFile } from './migrations/20261130-config-file.ts';
import { Migration20261201DeltaOrder } from './migrations/20261201-delta-order.ts';
import { Migration20261204SiteBandwidth } from './migrations/20261204-site-bandwidth.ts';
import { Migration20261204bFileKey } from './migrations/20261204b-file-key.ts';
import { Migration20261205KeyRenewal } from './migrations/20261205-key-renewal.ts';
import { Migration20261218DownloadSent } from './migrations/20261218-download-sent.ts';
import { Migration20261219FirmwareDamaged } from './migrations/20261219-firmware-damaged.ts';
import { ResourceFileController } from './resource-file/resource-file.controller.ts';
import { ResourceFile } from './resource-file/resource-file.entity.ts';
import { ResourceFilePublisher } from './resource-file/resource-file.publisher.ts';
import { ResourceFileService } from './resource-file/resource-file.service.ts';
import { StorageController } from './storage/storage.controller.ts';
import { Storage } from './storage/storage.entity.ts';
import { StorageService } from './storage/storage.service.ts';
import { fileDriver } from './store/chosen-driver.ts';
import { FILES } from './store/file-driver.ts';
import { FileKey } from './store/file-key.entity.ts';
import { FileKeys, sealedFileKeys } from './store/file-keys.ts';
import { SealedFiles } from './store/sealed-files.ts';
import { Integrity } from './store/integrity.ts';
import { Sealing } from './store/sealing.ts';
import { StoredFile } from './store/stored-file.entity.ts';
import { Sweep } from './store/sweep.ts';
import { uploadController } from './upload/upload.controller.ts';
import { Upload } from './upload/upload.entity.ts';
import { UploadService } from './upload/upload.service.ts';

@Module({
  imports: [
    ExportModule.register(resourceExports, [
      { of: firmwareExport },
      { of: resourceFileExport },
      { of: configFileExport },
    ]),
  ],
  controllers: [
    uploadController('resourceFile', resourceFileUpload, ({ resourceExtensions: extensions }) => ({
      extensions,
      maximum: firmwareMaximum,
    })),
    uploadController('firmware', firmwareUpload, ({ firmwareExtensions: extensions }) => ({
      extensions,
      maximum: firmwareMaximum,
    })),
    uploadController('firmwareDelta', firmwareDeltaUpload, () => ({ extensions: ['.zip'], maximum: deltaMaximum })),
    uploadController(
      'configFile',
      configFileUpload,
      ({ configExtensions: extensions }) => ({ extensions, maximum: configFileMaximum }),
      true,
    ),
    FirmwareController,
    CompanyProjection,
    ResourceFileController,
    ConfigFileController,
    StorageController,
    DownloadController,
    companyKeyController(fileKeyRoutes),
    DownloadProjection,
  ],
  providers: [
    StorageService,
    UploadService,
    FirmwarePublisher,
    FirmwareCheck,
    Integrity,
    FirmwareService,
    DeltaRunner,
    DeltaService,
    FirmwareNotices,
    ResourceFilePublisher,
    ResourceFileService,
    ConfigFilePublisher,
    ConfigFileService,
    Downloads,
    DeletedRetention,
    Sweep,
    FileKeys,
    Sealing,
    ...companyKeyProviders('fileKey', [sealedFileKeys]),
    {
      provide: FILES,
      inject: [CONFIG, FileKeys],
      useFactory: async (config: ResourceConfig, keys: FileKeys) => new SealedFiles(await fileDriver(config), keys),
    },
  ],
})
export class ResourceModule {}

export const resourceService = defineService({
  name: 'resource',
  module: ResourceModule,
  config: resourceConfig,
  database: {
    entities: [
      Upload,
      StoredFile,
      FileKey,
      DataKey,
      KeyRenewal,
      Firmware,
      OfficialFirmware,
      DeltaOrder,
      CompanyCopy,
      ResourceFile,
      ConfigFile,
      Storage,
      DeviceCopy,
      TaskFileCopy,
      Download,
      SiteCopy,
      deletedEntity(),
      ...exportEntities,
    ],
    migrations: [
      Migration20261125Resource,
      Migration20261126Firmware,
      Migration20261127Download,
      Migration20261128FirmwareTold,
      Migration20261129ResourceFileTold,
      Migration20261130ConfigFile,
      Migration20261201DeltaOrder,
      Migration20261204SiteBandwidth,
      Migration20261204bFileKey,
      Migration20261205KeyRenewal,
      Migration20261218DownloadSent,
      Migration20261219FirmwareDamaged,
    ],
    untenanted: { official_firmware: 'firmware of the installation, which every company sees' },
  },
});
