import { Controller } from '@nestjs/common';
import {
  addTask,
  cancelTask,
  getTask,
  listDeviceTasks,
  listTaskDevices,
  listTasks,
  stopTask,
  type RouteInput,
} from '@carillon/contracts';
import { Handle } from '@carillon/service';
import { pageOfDeviceTasks, pageOfTaskDevices, pageOfTasks, taskById } from './task.queries.ts';
import { TaskService } from './task.service.ts';

@Controller()
export class TaskController {
  constructor(private readonly tasks: TaskService) {}

  @Handle(addTask) add({ body }: RouteInput<typeof addTask>) {
    return this.tasks.add(body);
  }
  @Handle(listTasks) list({ query }: RouteInput<typeof listTasks>) {
    return pageOfTasks(query);
  }
  @Handle(getTask) get({ params }: RouteInput<typeof getTask>) {
    return taskById(params.id);
  }
  @Handle(listTaskDevices) devices({ params, query }: RouteInput<typeof listTaskDevices>) {
    return pageOfTaskDevices(params.id, query);
  }
  @Handle(listDeviceTasks) ofDevice({ params, query }: RouteInput<typeof listDeviceTasks>) {
    return pageOfDeviceTasks(params.id, query);
  }
  @Handle(stopTask) stop({ params }: RouteInput<typeof stopTask>) {
    return this.tasks.end(params.id, 'stop');
  }
  @Handle(cancelTask) cancel({ params }: RouteInput<typeof cancelTask>) {
    return this.tasks.end(params.id, 'cancel');
  }
}
