import { type IncomingMessage, type ServerResponse } from 'node:http';
import { World } from './world.ts';
export declare const account: {
    username: string;
    password: string;
};
export declare function startServer(port: number, devices?: number, rebootMs?: number): Promise<{
    url: string;
    world: World;
    broken: Set<string>;
    streams: Set<ServerResponse<IncomingMessage>>;
    /** Makes every session dead, as after an administrator's lockout. */
    endSessions: () => void;
    stop: () => Promise<void>;
}>;
