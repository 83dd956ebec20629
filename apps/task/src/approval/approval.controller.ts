import { Controller } from '@nestjs/common';
import {
  approveTask,
  editApprovalRule,
  getApprovalRule,
  listMeantDevices,
  refuseTask,
  type RouteInput,
} from '@carillon/contracts';
import { Handle } from '@carillon/service';
import { ApprovalService } from './approval.service.ts';
import { pageOfMeant } from './meant.queries.ts';

@Controller()
export class ApprovalController {
  constructor(private readonly approvals: ApprovalService) {}

  @Handle(getApprovalRule) rule() {
    return this.approvals.rule();
  }
  @Handle(editApprovalRule) editRule({ body }: RouteInput<typeof editApprovalRule>) {
    return this.approvals.editRule(body);
  }
  @Handle(listMeantDevices) meant({ params, query }: RouteInput<typeof listMeantDevices>) {
    return pageOfMeant(params.id, query);
  }
  @Handle(approveTask) approve({ params, body }: RouteInput<typeof approveTask>) {
    return this.approvals.approve(params.id, body);
  }
  @Handle(refuseTask) refuse({ params, body }: RouteInput<typeof refuseTask>) {
    return this.approvals.refuse(params.id, body.reason);
  }
}
