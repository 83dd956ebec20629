import { audit, type Message } from '@carillon/contracts';
/** What the services say was done: a batch of one company is one statement. */
export declare class OperationLogConsumer {
    append(messages: Message<typeof audit>[]): Promise<void>;
}
