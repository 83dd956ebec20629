import { Controller } from '@nestjs/common';
import {
  assignAccount,
  listAccountNames,
  listDeviceLines,
  listServerNames,
  unassignAccount,
  type RouteInput,
} from '@carillon/contracts';
import { Handle } from '@carillon/service';
import { serverNames } from './line.queries.ts';
import { LineService } from './line.service.ts';

@Controller()
export class LineController {
  constructor(private readonly lines: LineService) {}

  @Handle(listDeviceLines) list({ query }: RouteInput<typeof listDeviceLines>) {
    return this.lines.list(query.deviceId);
  }
  @Handle(listAccountNames) accounts({ query }: RouteInput<typeof listAccountNames>) {
    return this.lines.accounts(query);
  }
  @Handle(listServerNames) servers() {
    return serverNames();
  }
  @Handle(assignAccount) assign({ body }: RouteInput<typeof assignAccount>) {
    return this.lines.assign(body);
  }
  @Handle(unassignAccount) unassign({ query }: RouteInput<typeof unassignAccount>) {
    return this.lines.unassign(query);
  }
}
