import type { AccessView } from '@carillon/contracts';
export interface AccessRow extends AccessView {
    version: number;
}
/** Who may do what, as the API gateways get to know it. `ids` absent: everybody that the session sees. */
export declare function accessRows(ids?: readonly string[]): Promise<AccessRow[]>;
/** A change of a user is a new version of his access. */
export declare function raiseVersion(userIds: readonly string[]): Promise<void>;
export declare function usersOfRole(roleId: string): Promise<string[]>;
export interface UserInfoRow {
    userId: string;
    username: string;
    nickname: string;
    email: string | null;
    accountType: 'super' | 'channel' | 'ordinary';
    companyId: string;
    companyName: string;
    orgId: string;
    roles: string[];
    language: 'en_US' | 'zh_CN' | 'ko' | 'pt_BR' | null;
    timezoneId: number;
    lastLoginAt: string | null;
}
export declare function userInfoRow(userId: string): Promise<UserInfoRow | undefined>;
