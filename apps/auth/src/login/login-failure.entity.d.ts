/**
 * Failed logins by name. Without a tenant on purpose: a name that nobody has is counted and locked like any other
 * (AUTH-05), so that a lock tells nothing. The name itself is not kept, only its keyed hash.
 */
declare const LoginFailureSchema: import("@mikro-orm/postgresql").EntitySchemaWithMeta<"LoginFailure", "login_failure", import("@mikro-orm/postgresql").InferEntityFromProperties<{
    readonly nameHash: Pick<import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<NonNullable<Buffer<ArrayBufferLike> | Uint8Array<ArrayBufferLike> | null>, Omit<import("@mikro-orm/postgresql").EmptyOptions, "primary"> & {
        primary: true;
    }, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly failedAt: Pick<import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<string[], import("@mikro-orm/postgresql").EmptyOptions, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly lockedUntil: Pick<import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<Date, Omit<import("@mikro-orm/postgresql").EmptyOptions, "nullable"> & {
        nullable: true;
    }, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
}, undefined, never, never, false, undefined, undefined, false>, never, {
    readonly nameHash: Pick<import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<NonNullable<Buffer<ArrayBufferLike> | Uint8Array<ArrayBufferLike> | null>, Omit<import("@mikro-orm/postgresql").EmptyOptions, "primary"> & {
        primary: true;
    }, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly failedAt: Pick<import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<string[], import("@mikro-orm/postgresql").EmptyOptions, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly lockedUntil: Pick<import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<Date, Omit<import("@mikro-orm/postgresql").EmptyOptions, "nullable"> & {
        nullable: true;
    }, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
}, import("@mikro-orm/postgresql").EntityCtor<import("@mikro-orm/postgresql").InferEntityFromProperties<{
    readonly nameHash: Pick<import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<NonNullable<Buffer<ArrayBufferLike> | Uint8Array<ArrayBufferLike> | null>, Omit<import("@mikro-orm/postgresql").EmptyOptions, "primary"> & {
        primary: true;
    }, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly failedAt: Pick<import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<string[], import("@mikro-orm/postgresql").EmptyOptions, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly lockedUntil: Pick<import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<Date, Omit<import("@mikro-orm/postgresql").EmptyOptions, "nullable"> & {
        nullable: true;
    }, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
}, undefined, never, never, false, undefined, undefined, false>>, undefined>;
export declare class LoginFailure extends LoginFailureSchema.class {
}
export {};
