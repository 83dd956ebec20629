import { Controller } from '@nestjs/common';
import {
  addFreezePeriod,
  deleteFreezePeriod,
  editFreezePeriod,
  getFreezePeriod,
  listFreezePeriods,
  restoreFreezePeriods,
  type RouteInput,
} from '@carillon/contracts';
import { Handle } from '@carillon/service';
import { pageOfFreezePeriods } from './freeze-period.queries.ts';
import { FreezePeriodService } from './freeze-period.service.ts';

@Controller()
export class FreezePeriodController {
  constructor(private readonly periods: FreezePeriodService) {}

  @Handle(listFreezePeriods) list({ query }: RouteInput<typeof listFreezePeriods>) {
    return pageOfFreezePeriods(query);
  }
  @Handle(getFreezePeriod) get({ params }: RouteInput<typeof getFreezePeriod>) {
    return this.periods.get(params.id);
  }
  @Handle(addFreezePeriod) add({ body }: RouteInput<typeof addFreezePeriod>) {
    return this.periods.add(body);
  }
  @Handle(editFreezePeriod) edit({ body }: RouteInput<typeof editFreezePeriod>) {
    return this.periods.edit(body);
  }
  @Handle(deleteFreezePeriod) delete({ query }: RouteInput<typeof deleteFreezePeriod>) {
    return this.periods.delete(query.id);
  }
  @Handle(restoreFreezePeriods) restore({ body }: RouteInput<typeof restoreFreezePeriods>) {
    return this.periods.restore(body.ids);
  }
}
