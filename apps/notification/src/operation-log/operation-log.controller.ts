import { Controller } from '@nestjs/common';
import { listOperationLog, type RouteInput, type RouteReturn } from '@carillon/contracts';
import { Handle } from '@carillon/service';
import { listEntries } from './operation-log.queries.ts';

@Controller()
export class OperationLogController {
  @Handle(listOperationLog)
  list({ query }: RouteInput<typeof listOperationLog>): Promise<RouteReturn<typeof listOperationLog>> {
    return listEntries(query);
  }
}
