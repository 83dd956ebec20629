import { Controller } from '@nestjs/common';
import {
  addSupportAccess,
  endSupportAccess,
  enterChannel,
  getChannelAccess,
  getSupportAccess,
  leaveChannel,
  listSupportAccess,
  type RouteInput,
  type RouteReturn,
} from '@carillon/contracts';
import { Handle } from '@carillon/service';
import { accessPage, openCustomerAccess } from './support-access.queries.ts';
import { SupportAccesses } from './support-access.service.ts';
import { Visits } from './visit.service.ts';

@Controller()
export class SupportAccessController {
  constructor(
    private readonly accesses: SupportAccesses,
    private readonly visits: Visits,
  ) {}

  @Handle(listSupportAccess) list({ query }: RouteInput<typeof listSupportAccess>) {
    return accessPage(query);
  }
  @Handle(getSupportAccess) current() {
    return this.accesses.current();
  }
  @Handle(addSupportAccess) add({ body }: RouteInput<typeof addSupportAccess>) {
    return this.accesses.add(body);
  }
  @Handle(endSupportAccess) end({ params }: RouteInput<typeof endSupportAccess>) {
    return this.accesses.end(params.id);
  }
  @Handle(getChannelAccess) async ofChannel({
    params,
  }: RouteInput<typeof getChannelAccess>): Promise<RouteReturn<typeof getChannelAccess>> {
    return (await openCustomerAccess(params.id)) ?? null;
  }
  @Handle(enterChannel) enter({ params }: RouteInput<typeof enterChannel>) {
    return this.visits.enter(params.id);
  }
  @Handle(leaveChannel) leave() {
    return this.visits.leave();
  }
}
