import { Controller } from '@nestjs/common';
import {
  assignAccount,
  findLineAccounts,
  listAccountNames,
  listDeviceLines,
  listLineSheet,
  listServerNames,
  saveLineSheet,
  unassignAccount,
  type RouteInput,
} from '@carillon/contracts';
import { Handle } from '@carillon/service';
import { serverNames } from './line.queries.ts';
import { LineSheetService } from './line-sheet.service.ts';
import { LineService } from './line.service.ts';

@Controller()
export class LineController {
  constructor(
    private readonly lines: LineService,
    private readonly sheet: LineSheetService,
  ) {}

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
  @Handle(listLineSheet) sheetRows({ query }: RouteInput<typeof listLineSheet>) {
    return this.sheet.rows(query);
  }
  @Handle(findLineAccounts) sheetAccounts({ query }: RouteInput<typeof findLineAccounts>) {
    return this.sheet.accounts(query);
  }
  @Handle(saveLineSheet) saveSheet({ body }: RouteInput<typeof saveLineSheet>) {
    return this.sheet.save(body);
  }
}
