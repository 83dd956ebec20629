import { Controller } from '@nestjs/common';
import {
  acknowledgeAlarms,
  addAlarmSilence,
  editAlarmRule,
  endAlarmSilence,
  listAlarmEpisodes,
  listAlarmRules,
  listAlarms,
  listAlarmSilences,
  type RouteInput,
} from '@carillon/contracts';
import { Handle } from '@carillon/service';
import { silenceList } from './alarm-rule.queries.ts';
import { alarmPage, episodePage } from './alarm-list.queries.ts';
import { AlarmService } from './alarm.service.ts';

/**
 * The list of device alarms for /alarm (NOTE-01). They are marked read and deleted through the calls of
 * messages.
 */
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
  @Handle(listAlarmRules) listRules() {
    return this.alarms.rules();
  }
  @Handle(editAlarmRule) editRule({ body }: RouteInput<typeof editAlarmRule>) {
    return this.alarms.editRule(body);
  }
  @Handle(listAlarmSilences) listSilences() {
    return silenceList();
  }
  @Handle(addAlarmSilence) silence({ body }: RouteInput<typeof addAlarmSilence>) {
    return this.alarms.silence(body);
  }
  @Handle(endAlarmSilence) endSilence({ query }: RouteInput<typeof endAlarmSilence>) {
    return this.alarms.endSilence(query.id);
  }
}
