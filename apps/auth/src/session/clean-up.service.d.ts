import { type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Database } from '@carillon/persistence';
import type { AuthConfig } from '../config.ts';
/** Once an hour, what no token and no lock needs any more goes. Safe to run in several processes. */
export declare class CleanUp implements OnApplicationBootstrap, OnApplicationShutdown {
    private readonly database;
    private readonly config;
    private timer;
    constructor(database: Database, config: AuthConfig);
    onApplicationBootstrap(): void;
    run(now: Date): Promise<void>;
    onApplicationShutdown(): void;
}
