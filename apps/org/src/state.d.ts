import { type Database } from '@carillon/persistence';
/** Tells the other services of these companies and organizations; absent ids: of all that the session sees. */
export declare function publishState(ids?: readonly string[]): Promise<void>;
/** `state:republish`: for a new or damaged copy. */
export declare function republishState(database: Database): Promise<void>;
