import { type Database } from '@carillon/persistence';
export interface SeedCompany {
    companyId: string;
    name: string;
    /** The first organization, where users and devices go when none is named. */
    orgId: string;
    organizationName: string;
    /** `operator` runs the installation; a company type of the spec's section 6 otherwise. */
    type?: string;
}
/** A company with its first organization. Answers false, and changes nothing, when it is there already. */
export declare function seedCompany(database: Database, seed: SeedCompany): Promise<boolean>;
