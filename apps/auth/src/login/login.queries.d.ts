export interface LoginUser {
    id: string;
    companyId: string;
    username: string;
    nickname: string;
    status: string;
    passwordHash: string;
    defaultOrgId: string;
    timezoneId: number;
    countryId: number;
    avatar: string | null;
}
/** Whose name or email this is, in any company: a login does not say its company. */
export declare function findByName(name: string): Promise<LoginUser | undefined>;
export declare function findUser(id: string): Promise<LoginUser | undefined>;
export declare function isLocked(nameHash: Buffer, now: Date): Promise<boolean>;
/** Counts one failure in one statement, so that parallel ones are all counted. Answers whether the name is locked now. */
export declare function countFailure(nameHash: Buffer, now: Date, limits: {
    failures: number;
    windowSeconds: number;
    lockSeconds: number;
}): Promise<boolean>;
export declare function forgetFailures(nameHash: Buffer): Promise<void>;
/** Names that nobody tried for a day. */
export declare function forgetOldFailures(before: Date): Promise<void>;
export declare function storeLogin(userId: string, now: Date, newHash: string | undefined): Promise<void>;
