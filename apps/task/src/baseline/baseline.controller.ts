import { Controller } from '@nestjs/common';
import {
  addBaseline,
  deleteBaseline,
  editBaseline,
  getBaseline,
  getDeviceBaseline,
  listBaselineDevices,
  listBaselines,
  restoreBaselines,
  retryBaseline,
  type RouteInput,
} from '@carillon/contracts';
import { Handle } from '@carillon/service';
import { pageOfBaselines } from './baseline.queries.ts';
import { BaselineService } from './baseline.service.ts';

@Controller()
export class BaselineController {
  constructor(private readonly baselines: BaselineService) {}

  @Handle(listBaselines) list({ query }: RouteInput<typeof listBaselines>) {
    return pageOfBaselines(query);
  }
  @Handle(getBaseline) get({ params }: RouteInput<typeof getBaseline>) {
    return this.baselines.get(params.id);
  }
  @Handle(listBaselineDevices) devices({ params, query }: RouteInput<typeof listBaselineDevices>) {
    return this.baselines.devices(params.id, query);
  }
  @Handle(getDeviceBaseline) ofDevice({ params }: RouteInput<typeof getDeviceBaseline>) {
    return this.baselines.ofDevice(params.id);
  }
  @Handle(addBaseline) add({ body }: RouteInput<typeof addBaseline>) {
    return this.baselines.add(body);
  }
  @Handle(editBaseline) edit({ body }: RouteInput<typeof editBaseline>) {
    return this.baselines.edit(body);
  }
  @Handle(retryBaseline) retry({ params }: RouteInput<typeof retryBaseline>) {
    return this.baselines.retry(params.id);
  }
  @Handle(deleteBaseline) delete({ query }: RouteInput<typeof deleteBaseline>) {
    return this.baselines.delete(query.id);
  }
  @Handle(restoreBaselines) restore({ body }: RouteInput<typeof restoreBaselines>) {
    return this.baselines.restore(body.ids);
  }
}
