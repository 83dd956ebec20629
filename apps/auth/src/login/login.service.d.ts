import type { z } from 'zod';
import type { tokenAnswer, tokenCall } from '@carillon/contracts';
import { Database } from '@carillon/persistence';
import type { AuthConfig } from '../config.ts';
import { SessionService } from '../session/session.service.ts';
import { AddressThrottle } from './address.service.ts';
import { PasswordService } from './password.service.ts';
export type TokenCall = z.output<typeof tokenCall>;
export type TokenAnswer = z.output<typeof tokenAnswer>;
/** The token call (spec, sections 3, 7, 8; AUTH-03, AUTH-05 to AUTH-07). */
export declare class LoginService {
    private readonly database;
    private readonly sessions;
    private readonly passwords;
    private readonly addresses;
    private readonly config;
    constructor(database: Database, sessions: SessionService, passwords: PasswordService, addresses: AddressThrottle, config: AuthConfig);
    /** grant_type=captcha: name and MD5 of the password. */
    login(call: TokenCall, browser: string | null): Promise<TokenAnswer>;
    /** grant_type=refresh_token. Every reason for a refusal reads the same. */
    refresh(refreshToken: string | undefined): Promise<TokenAnswer>;
    /**
     * A failure of a known account is in its company's operation log; of an unknown name there is no company to tell. It
     * is one row in a transaction that runs in any case, so that time tells nothing (AUTH-06).
     */
    private tell;
    private as;
}
