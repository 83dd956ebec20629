import { Controller } from '@nestjs/common';
import { listChannelStatistics, type RouteInput } from '@carillon/contracts';
import { Handle } from '@carillon/service';
import { pageOfStatistics } from './channel-statistic.queries.ts';

@Controller()
export class ChannelStatisticController {
  @Handle(listChannelStatistics) list({ query }: RouteInput<typeof listChannelStatistics>) {
    return pageOfStatistics(query);
  }
}
