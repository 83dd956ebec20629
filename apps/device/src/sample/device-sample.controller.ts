import { Controller } from '@nestjs/common';
import { deviceHistory, type RouteInput, type RouteReturn } from '@carillon/contracts';
import { Handle } from '@carillon/service';
import { samplesOf } from './device-sample.queries.ts';

/** Serves the states of devices over time (HOME-01). */
@Controller()
export class DeviceSampleController {
  @Handle(deviceHistory)
  history({ query }: RouteInput<typeof deviceHistory>): Promise<RouteReturn<typeof deviceHistory>> {
    return samplesOf(query);
  }
}
