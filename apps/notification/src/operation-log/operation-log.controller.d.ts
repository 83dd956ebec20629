import { listOperationLog, type RouteInput, type RouteReturn } from '@carillon/contracts';
export declare class OperationLogController {
    list({ query }: RouteInput<typeof listOperationLog>): Promise<RouteReturn<typeof listOperationLog>>;
}
