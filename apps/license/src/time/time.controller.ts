import { Controller } from '@nestjs/common';
import {
  editCountryTime,
  editZone,
  getClock,
  listCountries,
  listCountryTimes,
  listTimeZones,
  listZones,
  resetCountryTime,
  type CountryRecord,
  type RouteInput,
  type RouteReturn,
  type ZoneRecord,
} from '@carillon/contracts';
import { Handle } from '@carillon/service';
import { TimeService } from './time.service.ts';

@Controller()
export class TimeController {
  constructor(private readonly times: TimeService) {}

  @Handle(listZones)
  zones(): Promise<ZoneRecord[]> {
    return this.times.zones();
  }

  @Handle(getClock)
  clock({ query }: RouteInput<typeof getClock>): Promise<RouteReturn<typeof getClock>> {
    return this.times.clock(query);
  }

  @Handle(listCountryTimes)
  countries(): Promise<RouteReturn<typeof listCountryTimes>> {
    return this.times.countries();
  }

  @Handle(listCountries)
  countryPage({ query }: RouteInput<typeof listCountries>): Promise<RouteReturn<typeof listCountries>> {
    return this.times.countryPage(query);
  }

  @Handle(listTimeZones)
  zonePage({ query }: RouteInput<typeof listTimeZones>): Promise<RouteReturn<typeof listTimeZones>> {
    return this.times.zonePage(query);
  }

  @Handle(editZone)
  editZone({ body }: RouteInput<typeof editZone>): Promise<ZoneRecord> {
    return this.times.editZone(body);
  }

  @Handle(editCountryTime)
  editCountry({ body }: RouteInput<typeof editCountryTime>): Promise<CountryRecord> {
    return this.times.editCountry(body);
  }

  @Handle(resetCountryTime)
  resetCountry({ body }: RouteInput<typeof resetCountryTime>): Promise<CountryRecord> {
    return this.times.resetCountry(body.countryId);
  }
}
