import { Controller } from '@nestjs/common';
import { getTaskRollback, pauseTask, resumeTask, rollbackTask, type RouteInput } from '@carillon/contracts';
import { Handle } from '@carillon/service';
import { RollbackService } from './rollback.service.ts';
import { RolloutService } from './rollout.service.ts';

@Controller()
export class RolloutController {
  constructor(
    private readonly rollouts: RolloutService,
    private readonly rollbacks: RollbackService,
  ) {}

  @Handle(pauseTask) pause({ params }: RouteInput<typeof pauseTask>) {
    return this.rollouts.pause(params.id);
  }
  @Handle(resumeTask) resume({ params }: RouteInput<typeof resumeTask>) {
    return this.rollouts.resume(params.id);
  }
  @Handle(getTaskRollback) previewRollback({ params, query }: RouteInput<typeof getTaskRollback>) {
    return this.rollbacks.preview(params.id, query.only);
  }
  @Handle(rollbackTask) rollback({ params, body }: RouteInput<typeof rollbackTask>) {
    return this.rollbacks.rollback(params.id, body.only);
  }
}
