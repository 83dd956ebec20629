import type { AuthConfig } from '../config.ts';
/** Hash of an MD5 in hex, as it is stored. */
export declare function hashPassword(md5: string, pepper: Buffer): Promise<string>;
export interface Verdict {
    right: boolean;
    /** The stored hash was made at another cost: store a new one. */
    outdated: boolean;
}
/**
 * Checks passwords in Node's thread pool, at most two at once, because each takes 19 MiB and a core; the others wait in
 * line, and beyond {@link mostWaiting} they are told to come back (503).
 */
export declare class PasswordService {
    private readonly config;
    private readonly waiting;
    private running;
    /** For a name that nobody has: the same work for the same time (AUTH-06). */
    private readonly nobody;
    constructor(config: AuthConfig);
    verify(md5: string, stored: string | undefined): Promise<Verdict>;
    hash(md5: string): Promise<string>;
    private inTurn;
}
