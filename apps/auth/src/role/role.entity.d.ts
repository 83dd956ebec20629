/** Keys of the permission tree under a name (spec, section 6). */
declare const RoleSchema: import("@mikro-orm/postgresql").EntitySchemaWithMeta<"Role", "role", import("@mikro-orm/postgresql").InferEntityFromProperties<{
    readonly id: Pick<import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<string, Omit<import("@mikro-orm/postgresql").EmptyOptions, "primary"> & {
        primary: true;
    }, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly companyId: import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<string, import("@mikro-orm/postgresql").EmptyOptions, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly name: Pick<import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<string, import("@mikro-orm/postgresql").EmptyOptions, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly description: import("@mikro-orm/postgresql").StringPropertyOptionsBuilder<string, import("@mikro-orm/postgresql").EmptyOptions>;
    readonly permissions: import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<string[], import("@mikro-orm/postgresql").EmptyOptions, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly updatedAt: import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<Date, import("@mikro-orm/postgresql").EmptyOptions, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
}, undefined, never, never, false, undefined, undefined, false>, never, {
    readonly id: Pick<import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<string, Omit<import("@mikro-orm/postgresql").EmptyOptions, "primary"> & {
        primary: true;
    }, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly companyId: import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<string, import("@mikro-orm/postgresql").EmptyOptions, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly name: Pick<import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<string, import("@mikro-orm/postgresql").EmptyOptions, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly description: import("@mikro-orm/postgresql").StringPropertyOptionsBuilder<string, import("@mikro-orm/postgresql").EmptyOptions>;
    readonly permissions: import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<string[], import("@mikro-orm/postgresql").EmptyOptions, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly updatedAt: import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<Date, import("@mikro-orm/postgresql").EmptyOptions, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
}, import("@mikro-orm/postgresql").EntityCtor<import("@mikro-orm/postgresql").InferEntityFromProperties<{
    readonly id: Pick<import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<string, Omit<import("@mikro-orm/postgresql").EmptyOptions, "primary"> & {
        primary: true;
    }, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly companyId: import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<string, import("@mikro-orm/postgresql").EmptyOptions, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly name: Pick<import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<string, import("@mikro-orm/postgresql").EmptyOptions, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly description: import("@mikro-orm/postgresql").StringPropertyOptionsBuilder<string, import("@mikro-orm/postgresql").EmptyOptions>;
    readonly permissions: import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<string[], import("@mikro-orm/postgresql").EmptyOptions, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly updatedAt: import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<Date, import("@mikro-orm/postgresql").EmptyOptions, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
}, undefined, never, never, false, undefined, undefined, false>>, undefined>;
export declare class Role extends RoleSchema.class {
}
export {};
