/** Only a user's own organizations exist for him: the common policy, on this table's own id. */
export declare const ownOrganizationPolicy: string;
/** A part of a company (spec, section 3: id, name, description, users). */
declare const OrganizationSchema: import("@mikro-orm/postgresql").EntitySchemaWithMeta<"Organization", "organization", import("@mikro-orm/postgresql").InferEntityFromProperties<{
    readonly id: Pick<import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<string, Omit<import("@mikro-orm/postgresql").EmptyOptions, "primary"> & {
        primary: true;
    }, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly companyId: import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<string, import("@mikro-orm/postgresql").EmptyOptions, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly name: Pick<import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<string, import("@mikro-orm/postgresql").EmptyOptions, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly description: import("@mikro-orm/postgresql").StringPropertyOptionsBuilder<string, import("@mikro-orm/postgresql").EmptyOptions>;
    readonly version: import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<number, import("@mikro-orm/postgresql").EmptyOptions, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly updatedAt: import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<Date, import("@mikro-orm/postgresql").EmptyOptions, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
}, undefined, never, never, false, undefined, undefined, false>, never, {
    readonly id: Pick<import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<string, Omit<import("@mikro-orm/postgresql").EmptyOptions, "primary"> & {
        primary: true;
    }, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly companyId: import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<string, import("@mikro-orm/postgresql").EmptyOptions, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly name: Pick<import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<string, import("@mikro-orm/postgresql").EmptyOptions, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly description: import("@mikro-orm/postgresql").StringPropertyOptionsBuilder<string, import("@mikro-orm/postgresql").EmptyOptions>;
    readonly version: import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<number, import("@mikro-orm/postgresql").EmptyOptions, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly updatedAt: import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<Date, import("@mikro-orm/postgresql").EmptyOptions, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
}, import("@mikro-orm/postgresql").EntityCtor<import("@mikro-orm/postgresql").InferEntityFromProperties<{
    readonly id: Pick<import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<string, Omit<import("@mikro-orm/postgresql").EmptyOptions, "primary"> & {
        primary: true;
    }, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly companyId: import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<string, import("@mikro-orm/postgresql").EmptyOptions, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly name: Pick<import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<string, import("@mikro-orm/postgresql").EmptyOptions, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly description: import("@mikro-orm/postgresql").StringPropertyOptionsBuilder<string, import("@mikro-orm/postgresql").EmptyOptions>;
    readonly version: import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<number, import("@mikro-orm/postgresql").EmptyOptions, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly updatedAt: import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<Date, import("@mikro-orm/postgresql").EmptyOptions, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
}, undefined, never, never, false, undefined, undefined, false>>, undefined>;
export declare class Organization extends OrganizationSchema.class {
}
export {};
