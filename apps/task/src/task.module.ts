import { Module } from '@nestjs/common';
import { taskExports, taskExport } from '@carillon/contracts';
import { defineService, LinkGateway, exportEntities, ExportModule } from '@carillon/service';
import { taskConfig } from './config.ts';
import { DispatchService } from './dispatch/dispatch.service.ts';
import { InFlight } from './dispatch/in-flight.service.ts';
import { ResultConsumer } from './dispatch/result.consumer.ts';
import { Migration20261121TaskLinkGateway } from './migrations/20261121-link-gateway.ts';
import { Migration20261121TaskRate } from './migrations/20261121-rate.ts';
import { Migration20261121bTaskSite } from './migrations/20261121b-site.ts';
import { Migration20261121TaskStatistics } from './migrations/20261121-statistics.ts';
import { Migration20261121Task } from './migrations/20261121-task.ts';
import { Migration20261122TaskOrganization } from './migrations/20261122-organization.ts';
import { Migration20261122bTaskWalk } from './migrations/20261122b-walk.ts';
import { Migration20261123TaskReason } from './migrations/20261123-reason.ts';
import { Migration20261123bTaskBeside } from './migrations/20261123b-beside.ts';
import { Migration20261124TaskGroup } from './migrations/20261124-group.ts';
import { Migration20261124TaskEnabled } from './migrations/20261124-enabled.ts';
import { Migration20261124cTaskListExport } from './migrations/20261124c-list-export.ts';
import { Migration20261125TaskTag } from './migrations/20261125-tag.ts';
import { DeviceCopy } from './projections/device-copy.entity.ts';
import { DeviceProjection } from './projections/device.projection.ts';
import { LinkSession, LinkSessionProjection } from './projections/link-session.projection.ts';
import { TaskController } from './task/task.controller.ts';
import { Task, TaskDevice, TaskNumber, TaskOrganization, TaskRate } from './task/task.entity.ts';
import { TaskService } from './task/task.service.ts';

@Module({
  imports: [ExportModule.of(taskExports, [{ of: taskExport }])],
  controllers: [TaskController, ResultConsumer, DeviceProjection, LinkSessionProjection],
  providers: [TaskService, DispatchService, InFlight],
})
export class TaskModule {}

export const taskService = defineService({
  name: 'task',
  module: TaskModule,
  config: taskConfig,
  database: {
    entities: [
      Task,
      TaskDevice,
      TaskOrganization,
      TaskNumber,
      TaskRate,
      DeviceCopy,
      LinkSession,
      LinkGateway,
      ...exportEntities,
    ],
    migrations: [
      Migration20261121Task,
      Migration20261121TaskLinkGateway,
      Migration20261121TaskStatistics,
      Migration20261121TaskRate,
      Migration20261121bTaskSite,
      Migration20261122TaskOrganization,
      Migration20261122bTaskWalk,
      Migration20261123TaskReason,
      Migration20261123bTaskBeside,
      Migration20261124TaskGroup,
      Migration20261124TaskEnabled,
      Migration20261124cTaskListExport,
      Migration20261125TaskTag,
    ],
    untenanted: { link_gateway: 'gateways serve all companies' },
  },
});
