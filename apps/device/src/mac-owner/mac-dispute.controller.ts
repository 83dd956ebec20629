import { Controller } from '@nestjs/common';
import { listMacDisputes, settleMac, type RouteInput } from '@carillon/contracts';
import { Handle } from '@carillon/service';
import { MacDisputeService } from './mac-dispute.service.ts';

@Controller()
export class MacDisputeController {
  constructor(private readonly disputes: MacDisputeService) {}

  @Handle(listMacDisputes) list() {
    return this.disputes.list();
  }
  @Handle(settleMac) async settle({ body }: RouteInput<typeof settleMac>) {
    await this.disputes.settle(body);
    return null;
  }
}
