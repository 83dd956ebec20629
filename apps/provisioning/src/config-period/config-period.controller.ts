import { Controller } from '@nestjs/common';
import { getConfigPeriod, listConfigPeriods, type RouteInput } from '@carillon/contracts';
import { Handle } from '@carillon/service';
import { ConfigPeriodService } from './config-period.service.ts';

@Controller()
export class ConfigPeriodController {
  constructor(private readonly periods: ConfigPeriodService) {}

  @Handle(listConfigPeriods) list({ params, query }: RouteInput<typeof listConfigPeriods>) {
    return this.periods.list(params.id, query.at);
  }
  @Handle(getConfigPeriod) get({ params }: RouteInput<typeof getConfigPeriod>) {
    return this.periods.get(params.id, params.period);
  }
}
