import { Module } from '@nestjs/common';
import { baselineExport, freezePeriodExport, taskDeviceExport, taskExports, taskExport } from '@carillon/contracts';
import {
  defineService,
  DeletedRetention,
  deletedEntity,
  LinkGateway,
  exportEntities,
  ExportModule,
} from '@carillon/service';
import { ApprovalController } from './approval/approval.controller.ts';
import { ApprovalRule } from './approval/approval.entity.ts';
import { ApprovalService } from './approval/approval.service.ts';
import { BaselineAsked } from './baseline/asked.ts';
import { BaselineController } from './baseline/baseline.controller.ts';
import { Baseline } from './baseline/baseline.entity.ts';
import { BaselineLoop } from './baseline/baseline.loop.ts';
import { BaselineService } from './baseline/baseline.service.ts';
import { taskConfig } from './config.ts';
import { DispatchService } from './dispatch/dispatch.service.ts';
import { InFlight } from './dispatch/in-flight.service.ts';
import { ResultConsumer } from './dispatch/result.consumer.ts';
import { TaskSite } from './dispatch/site.entity.ts';
import { TaskSync } from './dispatch/sync.entity.ts';
import { ConfigFileProjection } from './file/config-file.projection.ts';
import { DeviceConfigProjection } from './file/device-config.projection.ts';
import { FileCopy } from './file/file-copy.entity.ts';
import { FirmwareCopy, OfficialFirmwareCopy } from './file/firmware-copy.entity.ts';
import { FirmwareProjection } from './file/firmware.projection.ts';
import { ResourceFileProjection } from './file/resource-file.projection.ts';
import { FreezePeriodController } from './freeze-period/freeze-period.controller.ts';
import { FreezePeriod } from './freeze-period/freeze-period.entity.ts';
import { FreezePeriodService } from './freeze-period/freeze-period.service.ts';
import { Thaw } from './freeze-period/thaw.service.ts';
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
import { Migration20261125bTaskRun } from './migrations/20261125b-run.ts';
import { Migration20261125eTaskRollout } from './migrations/20261125e-rollout.ts';
import { Migration20261126FreezePeriod } from './migrations/20261126-freeze-period.ts';
import { Migration20261126cTaskCreator } from './migrations/20261126c-creator.ts';
import { Migration20261127TaskFile } from './migrations/20261127-file.ts';
import { Migration20261128TaskBaseline } from './migrations/20261128-baseline.ts';
import { Migration20261129TaskFileCopy } from './migrations/20261129-file-copy.ts';
import { Migration20261129TaskDoor } from './migrations/20261129-door.ts';
import { Migration20261130TaskFiles } from './migrations/20261130-task-files.ts';
import { Migration20261130TaskRollback } from './migrations/20261130-rollback.ts';
import { Migration20261201TaskPace } from './migrations/20261201-pace.ts';
import { Migration20261201TaskTemplate } from './migrations/20261201-template.ts';
import { Migration20261202TaskApproval } from './migrations/20261202-approval.ts';
import { Migration20261202TaskHealth } from './migrations/20261202-health.ts';
import { Migration20261205TaskBaselineAsked } from './migrations/20261205-baseline-asked.ts';
import { Migration20261214TaskConfigVersion } from './migrations/20261214-config-version.ts';
import { Migration20261215TaskConfigDrift } from './migrations/20261215-config-drift.ts';
import { Migration20261219TaskSiteZone } from './migrations/20261219-site-zone.ts';
import { Migration20261219bTaskStageDevice } from './migrations/20261219b-stage-device.ts';
import { Migration20261219cTaskBaselineMac } from './migrations/20261219c-baseline-mac.ts';
import { Migration20261219dTaskDeviceMac } from './migrations/20261219d-device-mac.ts';
import { Migration20261220TaskNaming } from './migrations/20261220-naming.ts';
import { Migration20261220bTaskNextStage } from './migrations/20261220b-next-stage.ts';
import { CreatorCopy, CreatorProjection } from './projections/creator.projection.ts';
import { DeviceCopy } from './projections/device-copy.entity.ts';
import { DeviceProjection } from './projections/device.projection.ts';
import { LinkSession, LinkSessionProjection } from './projections/link-session.projection.ts';
import { SiteCopy } from './projections/site-copy.entity.ts';
import { SiteProjection } from './projections/site.projection.ts';
import { ScheduleService } from './schedule/schedule.service.ts';
import { DeviceRestart } from './rollout/device-restart.entity.ts';
import { RolloutController } from './rollout/rollout.controller.ts';
import { TaskStageDevice } from './rollout/task-stage-device.entity.ts';
import { RunRetention } from './run/run.retention.ts';
import { RollbackLoop } from './rollout/rollback.loop.ts';
import { RollbackService } from './rollout/rollback.service.ts';
import { RolloutService } from './rollout/rollout.service.ts';
import { TaskController } from './task/task.controller.ts';
import {
  Task,
  TaskDevice,
  TaskNumber,
  TaskOrganization,
  TaskRate,
  TaskRun,
  TaskRunOrganization,
} from './task/task.entity.ts';
import { TaskEndService } from './task/task-end.service.ts';
import { TaskService } from './task/task.service.ts';
import { TaskTemplateController } from './template/task-template.controller.ts';
import { TaskTemplate } from './template/task-template.entity.ts';
import { TaskTemplateService } from './template/task-template.service.ts';

@Module({
  imports: [
    ExportModule.register(taskExports, [
      { of: taskExport },
      { of: taskDeviceExport },
      { of: freezePeriodExport },
      { of: baselineExport },
    ]),
  ],
  controllers: [
    TaskController,
    RolloutController,
    TaskTemplateController,
    ApprovalController,
    FreezePeriodController,
    BaselineController,
    ResultConsumer,
    DeviceProjection,
    CreatorProjection,
    LinkSessionProjection,
    SiteProjection,
    FirmwareProjection,
    ResourceFileProjection,
    ConfigFileProjection,
    DeviceConfigProjection,
  ],
  providers: [
    TaskService,
    TaskEndService,
    RolloutService,
    RollbackService,
    RollbackLoop,
    TaskTemplateService,
    ApprovalService,
    DispatchService,
    ScheduleService,
    InFlight,
    FreezePeriodService,
    Thaw,
    BaselineService,
    BaselineLoop,
    DeletedRetention,
    RunRetention,
  ],
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
      TaskSync,
      TaskSite,
      TaskStageDevice,
      TaskTemplate,
      ApprovalRule,
      FreezePeriod,
      Baseline,
      BaselineAsked,
      TaskRun,
      TaskRunOrganization,
      DeviceCopy,
      DeviceRestart,
      SiteCopy,
      deletedEntity(),
      CreatorCopy,
      FileCopy,
      FirmwareCopy,
      OfficialFirmwareCopy,
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
      Migration20261125bTaskRun,
      Migration20261125eTaskRollout,
      Migration20261126cTaskCreator,
      Migration20261126FreezePeriod,
      Migration20261127TaskFile,
      Migration20261128TaskBaseline,
      Migration20261129TaskFileCopy,
      Migration20261129TaskDoor,
      Migration20261130TaskFiles,
      Migration20261130TaskRollback,
      Migration20261201TaskPace,
      Migration20261201TaskTemplate,
      Migration20261202TaskApproval,
      Migration20261202TaskHealth,
      Migration20261205TaskBaselineAsked,
      Migration20261214TaskConfigVersion,
      Migration20261215TaskConfigDrift,
      Migration20261219TaskSiteZone,
      Migration20261219bTaskStageDevice,
      Migration20261219cTaskBaselineMac,
      Migration20261219dTaskDeviceMac,
      Migration20261220TaskNaming,
      Migration20261220bTaskNextStage,
    ],
    untenanted: {
      link_gateway: 'gateways serve all companies',
      official_firmware_copy: 'official firmware is every company’s',
    },
  },
});
