import { Controller } from '@nestjs/common';
import { acknowledgeAlarms, listAlarmEpisodes, listAlarms, type RouteInput } from '@carillon/contracts';
import { Handle } from '@carillon/service';
import { alarmPage, episodePage } from './alarm.queries.ts';
import { AlarmService } from './alarm.service.ts';

/** The table of devices of /alarm (spec, section 2). Read and deleted they are by the calls of messages. */
@Controller()
export class AlarmController {
  constructor(private readonly alarms: AlarmService) {}

  @Handle(listAlarms) list({ query }: RouteInput<typeof listAlarms>) {
    return alarmPage(query);
  }
  @Handle(listAlarmEpisodes) episodes({ params, query }: RouteInput<typeof listAlarmEpisodes>) {
    return episodePage(params.id, query);
  }
  @Handle(acknowledgeAlarms) acknowledge({ body }: RouteInput<typeof acknowledgeAlarms>) {
    return this.alarms.acknowledge(body);
  }
}
