import { Module } from '@nestjs/common';
import { defineService } from '@carillon/service';
import { licenseConfig } from './config.ts';
import { Migration20261121License } from './migrations/20261121-license.ts';
import { TimeController } from './time/time.controller.ts';
import { CountryTime, TimeZone } from './time/time.entity.ts';
import { TimeService } from './time/time.service.ts';

@Module({ controllers: [TimeController], providers: [TimeService] })
export class LicenseModule {}

export const licenseService = defineService({
  name: 'license', module: LicenseModule, config: licenseConfig,
  database: {
    entities: [TimeZone, CountryTime], migrations: [Migration20261121License],
    untenanted: { time_zone: 'zones are the same for everybody in an installation', country_time: 'daylight saving is a country\'s, no company\'s' },
  },
});

export { seedTimes } from './time/seed.ts';
