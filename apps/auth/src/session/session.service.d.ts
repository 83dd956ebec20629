import { Database } from '@carillon/persistence';
import type { AuthConfig } from '../config.ts';
import type { sessionEnds } from './session.entity.ts';
export interface TokenPair {
    accessToken: string;
    refreshToken: string;
    /** Seconds. */
    expiresIn: number;
}
export interface Refreshed extends TokenPair {
    userId: string;
    companyId: string;
}
/** Sessions and their token families (spec, section 4; AUTH-07, AUTH-08). */
export declare class SessionService {
    private readonly database;
    private readonly config;
    constructor(database: Database, config: AuthConfig);
    /** Inside the transaction of the login. */
    start(user: {
        id: string;
        companyId: string;
    }, from: {
        address: string | null;
        browser: string | null;
    }, now: Date): Promise<TokenPair & {
        sessionId: string;
    }>;
    /** A new pair for a refresh token, or undefined when it is unknown, used, too old, or its session has ended. */
    refresh(refreshToken: string, now: Date): Promise<Refreshed | undefined>;
    /** Ends a session everywhere: the API gateways hear of it with the commit. Inside a transaction of its company. */
    end(session: {
        sessionId: string;
        userId: string;
        companyId: string;
    }, now: Date, reason: (typeof sessionEnds)[number]): Promise<void>;
    private refuse;
    private issue;
}
