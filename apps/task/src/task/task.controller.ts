import { Controller } from '@nestjs/common';
import {
  addTask,
  cancelTask,
  previewTask,
  reportTaskDevices,
  listTaskRuns,
  rerunTask,
  runTask,
  getTask,
  getTaskTarget,
  listDeviceTasks,
  listTaskDevices,
  listTaskReasons,
  listTasks,
  stopTask,
  type RouteInput,
} from '@carillon/contracts';
import { Handle } from '@carillon/service';
import { TaskEndService } from './task-end.service.ts';
import { pageOfDeviceTasks, pageOfTaskDevices, reasonsOfTask } from './task-device.queries.ts';
import { pageOfTaskRuns, pageOfTasks, targetById, taskById } from './task.queries.ts';
import { TaskService } from './task.service.ts';

@Controller()
export class TaskController {
  constructor(
    private readonly tasks: TaskService,
    private readonly ends: TaskEndService,
  ) {}

  @Handle(addTask) add({ body }: RouteInput<typeof addTask>) {
    return this.tasks.add(body);
  }
  @Handle(listTasks) list({ query }: RouteInput<typeof listTasks>) {
    return pageOfTasks(query);
  }
  @Handle(getTask) get({ params }: RouteInput<typeof getTask>) {
    return taskById(params.id);
  }
  @Handle(getTaskTarget) target({ params }: RouteInput<typeof getTaskTarget>) {
    return targetById(params.id);
  }
  @Handle(listTaskDevices) devices({ params, query }: RouteInput<typeof listTaskDevices>) {
    return pageOfTaskDevices(params.id, query);
  }
  @Handle(listTaskReasons) reasons({ params, query }: RouteInput<typeof listTaskReasons>) {
    return reasonsOfTask(params.id, query);
  }
  @Handle(listDeviceTasks) ofDevice({ params, query }: RouteInput<typeof listDeviceTasks>) {
    return pageOfDeviceTasks(params.id, query);
  }
  @Handle(previewTask) preview({ body, query }: RouteInput<typeof previewTask>) {
    return this.tasks.preview(body, query);
  }
  @Handle(listTaskRuns) runs({ params, query }: RouteInput<typeof listTaskRuns>) {
    return pageOfTaskRuns(params.id, query);
  }
  @Handle(runTask) run({ params }: RouteInput<typeof runTask>) {
    return this.tasks.run(params.id);
  }
  @Handle(rerunTask) rerun({ params, body }: RouteInput<typeof rerunTask>) {
    return this.tasks.rerun(params.id, body.only);
  }
  @Handle(reportTaskDevices) report({ params, body }: RouteInput<typeof reportTaskDevices>) {
    return this.ends.report(params.id, body.deviceIds);
  }
  @Handle(stopTask) stop({ params }: RouteInput<typeof stopTask>) {
    return this.ends.end(params.id, 'stop');
  }
  @Handle(cancelTask) cancel({ params }: RouteInput<typeof cancelTask>) {
    return this.ends.end(params.id, 'cancel');
  }
}
