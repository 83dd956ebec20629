import { type Database } from '@carillon/persistence';
export interface SeedUser {
    username: string;
    /** In clear: the caller shows it once and forgets it. */
    password: string;
}
export interface Installation {
    companyId: string;
    orgId: string;
    /** The key of the setting `passwordPepper`. */
    passwordPepper: Buffer;
    administrator: SeedUser;
    /** With a demo company, also someone who may look only. */
    viewer?: SeedUser;
}
/**
 * The two roles and the first users of a company. Answers false, and changes nothing, when it has users already: a
 * second start is no second installation.
 */
export declare function seedInstallation(database: Database, seed: Installation): Promise<boolean>;
