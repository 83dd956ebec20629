export declare class OrgModule {
}
export declare const orgService: import("@carillon/service").ServiceDefinition<import("zod").ZodObject<{}, import("zod/v4/core").$strip>>;
export { seedCompany, type SeedCompany } from './seed.ts';
export { publishState, republishState } from './state.ts';
