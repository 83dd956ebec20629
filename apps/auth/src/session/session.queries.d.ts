import type { sessionEnds } from './session.entity.ts';
export interface RefreshRow {
    companyId: string;
    sessionId: string;
    userId: string;
    usedAt: Date | null;
    sessionStartedAt: Date;
    lastActiveAt: Date;
    endedAt: Date | null;
}
export declare function insertSession(session: {
    id: string;
    companyId: string;
    userId: string;
    now: Date;
    address: string | null;
    browser: string | null;
}): Promise<void>;
export declare function insertRefreshToken(token: {
    companyId: string;
    sessionId: string;
    hash: Buffer;
    now: Date;
    expiresAt: Date;
}): Promise<void>;
/** Which session a refresh token belongs to: the token does not say its company. */
export declare function findRefreshToken(hash: Buffer): Promise<RefreshRow | undefined>;
/** Takes a token for its one use. Of any number of parallel calls exactly one gets true (AUTH-07). */
export declare function useRefreshToken(hash: Buffer, now: Date): Promise<boolean>;
export declare function markEnded(sessionId: string, now: Date, reason: (typeof sessionEnds)[number]): Promise<boolean>;
/** Activity of many sessions at once; never backwards, so repeats and strays do no harm. */
export declare function storeActivity(sessionIds: readonly string[], instants: readonly Date[]): Promise<void>;
/** Sessions and tokens that no token can name any more. */
export declare function deleteOld(before: Date): Promise<void>;
