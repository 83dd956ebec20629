import { Module } from '@nestjs/common';
import { countryExport, licenseExports, timeZoneExport } from '@carillon/contracts';
import { defineService, exportEntities, ExportModule } from '@carillon/service';
import { licenseConfig } from './config.ts';
import { ExternalAppController } from './external-app/external-app.controller.ts';
import { ExternalApp } from './external-app/external-app.entity.ts';
import { ExternalAppService } from './external-app/external-app.service.ts';
import { Migration20261121License } from './migrations/20261121-license.ts';
import { Migration20261121bConfig } from './migrations/20261121b-config.ts';
import { Migration20261121cApp } from './migrations/20261121c-app.ts';
import { Migration20261124cLicenseListExport } from './migrations/20261124c-list-export.ts';
import { SysConfigController } from './sys-config/sys-config.controller.ts';
import { SysConfig } from './sys-config/sys-config.entity.ts';
import { SysConfigPublisher } from './sys-config/sys-config.publisher.ts';
import { SysConfigService } from './sys-config/sys-config.service.ts';
import { TimeController } from './time/time.controller.ts';
import { CountryTime, TimeZone } from './time/time.entity.ts';
import { TimeService } from './time/time.service.ts';

@Module({
  imports: [ExportModule.register(licenseExports, [{ of: countryExport }, { of: timeZoneExport }])],
  controllers: [TimeController, SysConfigController, ExternalAppController],
  providers: [TimeService, SysConfigService, SysConfigPublisher, ExternalAppService],
})
export class LicenseModule {}

export const licenseService = defineService({
  name: 'license',
  module: LicenseModule,
  config: licenseConfig,
  database: {
    entities: [TimeZone, CountryTime, SysConfig, ExternalApp, ...exportEntities],
    migrations: [
      Migration20261121License,
      Migration20261121bConfig,
      Migration20261121cApp,
      Migration20261124cLicenseListExport,
    ],
    untenanted: {
      time_zone: 'zones are the same for everyone in an installation',
      country_time: "daylight saving is a country's, no company's",
      sys_config: 'what the operator says of the installation',
    },
  },
});

export { seedTimes } from './time/seed.ts';
