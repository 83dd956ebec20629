import type { z } from 'zod';
import type { audit, listOperationLog, Message, operationLogRecord, RouteInput } from '@carillon/contracts';
export type OperationLogRecord = z.output<typeof operationLogRecord>;
/** Appends what is new; answers the ids of that. What is too long is cut: an entry is never lost for its length. */
export declare function appendEntries(messages: readonly Message<typeof audit>[]): Promise<string[]>;
type Query = RouteInput<typeof listOperationLog>['query'];
export declare function listEntries(query: Query): Promise<{
    records: OperationLogRecord[];
    total: number;
    current: number;
    size: number;
}>;
export {};
