import { type UserInfoRow } from './user.queries.ts';
/** Both paths that the spec's section 7 prints. */
export declare class UserController {
    info(): Promise<UserInfoRow>;
    bladeInfo(): Promise<UserInfoRow>;
}
