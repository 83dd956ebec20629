import type { AuthConfig } from '../config.ts';
/** Slows down who tries many accounts from one address: locking one account does not stop that (ASVS 6.3.1). */
export declare class AddressThrottle {
    private readonly config;
    private readonly failures;
    constructor(config: AuthConfig);
    /** Throws 429 while the address has too many failures behind it. */
    admit(address: string | null, now: Date): void;
    count(address: string | null, now: Date): void;
    private recent;
}
