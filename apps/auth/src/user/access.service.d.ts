import { type OnApplicationBootstrap } from '@nestjs/common';
import { type Bus } from '@carillon/messaging';
import { Database } from '@carillon/persistence';
/** After any change of these users or their roles, in its transaction: every API gateway knows it within a second (ROLE-01). */
export declare function accessChanged(userIds: readonly string[]): Promise<void>;
/** `state:republish`: tells the API gateways everybody's access anew, for a new or damaged copy. */
export declare function republishAccess(database: Database): Promise<void>;
/** At start: what the topic does not know (a new bus, a restored one) is told again. */
export declare class AccessPublisher implements OnApplicationBootstrap {
    private readonly database;
    private readonly bus;
    constructor(database: Database, bus: Bus);
    onApplicationBootstrap(): Promise<void>;
}
