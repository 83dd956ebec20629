import { Controller } from '@nestjs/common';
import {
  closeFirstAccess,
  getFirstAccess,
  letInPhones,
  listUnclaimedPhones,
  listWaitingPhones,
  openFirstAccess,
  type RouteInput,
} from '@carillon/contracts';
import { Handle } from '@carillon/service';
import { FirstAccessService } from './first-access.service.ts';
import { UnclaimedPhones } from './unclaimed-phone.service.ts';

@Controller()
export class FirstAccessController {
  constructor(
    private readonly accesses: FirstAccessService,
    private readonly unclaimed: UnclaimedPhones,
  ) {}

  @Handle(getFirstAccess) get({ params }: RouteInput<typeof getFirstAccess>) {
    return this.accesses.get(params.id);
  }
  @Handle(openFirstAccess) async open({ body }: RouteInput<typeof openFirstAccess>) {
    await this.accesses.open(body.ids);
    return null;
  }
  @Handle(closeFirstAccess) async close({ body }: RouteInput<typeof closeFirstAccess>) {
    await this.accesses.close(body.ids);
    return null;
  }
  @Handle(listWaitingPhones) waiting() {
    return this.accesses.waiting();
  }
  @Handle(letInPhones) async letIn({ body }: RouteInput<typeof letInPhones>) {
    await this.accesses.letIn(body.askIds);
    return null;
  }
  @Handle(listUnclaimedPhones) phones() {
    return this.unclaimed.list();
  }
}
