export declare const sessionEnds: readonly ['logout', 'idle', 'age', 'reuse', 'user'];
/** One login and all tokens that followed from it: the family that a reused refresh token ends (AUTH-07). */
declare const SessionSchema: import("@mikro-orm/postgresql").EntitySchemaWithMeta<"Session", "session", import("@mikro-orm/postgresql").InferEntityFromProperties<{
    readonly id: Pick<import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<string, Omit<import("@mikro-orm/postgresql").EmptyOptions, "primary"> & {
        primary: true;
    }, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly companyId: import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<string, import("@mikro-orm/postgresql").EmptyOptions, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly userId: import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<string, import("@mikro-orm/postgresql").EmptyOptions, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly createdAt: import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<Date, import("@mikro-orm/postgresql").EmptyOptions, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    /** As the API gateways told it, at most a minute late. */
    readonly lastActiveAt: import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<Date, import("@mikro-orm/postgresql").EmptyOptions, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly endedAt: Pick<import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<Date, Omit<import("@mikro-orm/postgresql").EmptyOptions, "nullable"> & {
        nullable: true;
    }, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly endReason: Pick<import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<"age" | "idle" | "logout" | "reuse" | "user", Omit<import("@mikro-orm/postgresql").EmptyOptions, "nullable"> & {
        nullable: true;
    }, "accessor" | "array" | "autoincrement" | "check" | "collation" | "columnType" | "columnTypes" | "comment" | "concurrencyCheck" | "customOrder" | "default" | "defaultRaw" | "extra" | "fieldName" | "fieldNames" | "formula" | "generated" | "getter" | "getterName" | "groups" | "hidden" | "hydrate" | "ignoreSchemaChanges" | "index" | "lazy" | "length" | "name" | "nativeEnumName" | "nullable" | "onCreate" | "onUpdate" | "persist" | "precision" | "primary" | "ref" | "returning" | "runtimeType" | "scale" | "serializedName" | "serializedPrimaryKey" | "serializer" | "setter" | "type" | "unique" | "unsigned" | "version" | ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type")>, "accessor" | "array" | "autoincrement" | "check" | "collation" | "columnType" | "columnTypes" | "comment" | "concurrencyCheck" | "customOrder" | "default" | "defaultRaw" | "extra" | "fieldName" | "fieldNames" | "formula" | "generated" | "getter" | "getterName" | "groups" | "hidden" | "hydrate" | "ignoreSchemaChanges" | "index" | "lazy" | "length" | "name" | "nativeEnumName" | "nullable" | "onCreate" | "onUpdate" | "persist" | "precision" | "primary" | "ref" | "returning" | "runtimeType" | "scale" | "serializedName" | "serializedPrimaryKey" | "serializer" | "setter" | "type" | "unique" | "unsigned" | "version" | ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type")>;
    readonly address: Pick<import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<string, Omit<import("@mikro-orm/postgresql").EmptyOptions, "nullable"> & {
        nullable: true;
    }, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly browser: Pick<import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<string, Omit<import("@mikro-orm/postgresql").EmptyOptions, "nullable"> & {
        nullable: true;
    }, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
}, undefined, never, never, false, undefined, undefined, false>, never, {
    readonly id: Pick<import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<string, Omit<import("@mikro-orm/postgresql").EmptyOptions, "primary"> & {
        primary: true;
    }, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly companyId: import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<string, import("@mikro-orm/postgresql").EmptyOptions, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly userId: import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<string, import("@mikro-orm/postgresql").EmptyOptions, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly createdAt: import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<Date, import("@mikro-orm/postgresql").EmptyOptions, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    /** As the API gateways told it, at most a minute late. */
    readonly lastActiveAt: import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<Date, import("@mikro-orm/postgresql").EmptyOptions, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly endedAt: Pick<import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<Date, Omit<import("@mikro-orm/postgresql").EmptyOptions, "nullable"> & {
        nullable: true;
    }, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly endReason: Pick<import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<"age" | "idle" | "logout" | "reuse" | "user", Omit<import("@mikro-orm/postgresql").EmptyOptions, "nullable"> & {
        nullable: true;
    }, "accessor" | "array" | "autoincrement" | "check" | "collation" | "columnType" | "columnTypes" | "comment" | "concurrencyCheck" | "customOrder" | "default" | "defaultRaw" | "extra" | "fieldName" | "fieldNames" | "formula" | "generated" | "getter" | "getterName" | "groups" | "hidden" | "hydrate" | "ignoreSchemaChanges" | "index" | "lazy" | "length" | "name" | "nativeEnumName" | "nullable" | "onCreate" | "onUpdate" | "persist" | "precision" | "primary" | "ref" | "returning" | "runtimeType" | "scale" | "serializedName" | "serializedPrimaryKey" | "serializer" | "setter" | "type" | "unique" | "unsigned" | "version" | ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type")>, "accessor" | "array" | "autoincrement" | "check" | "collation" | "columnType" | "columnTypes" | "comment" | "concurrencyCheck" | "customOrder" | "default" | "defaultRaw" | "extra" | "fieldName" | "fieldNames" | "formula" | "generated" | "getter" | "getterName" | "groups" | "hidden" | "hydrate" | "ignoreSchemaChanges" | "index" | "lazy" | "length" | "name" | "nativeEnumName" | "nullable" | "onCreate" | "onUpdate" | "persist" | "precision" | "primary" | "ref" | "returning" | "runtimeType" | "scale" | "serializedName" | "serializedPrimaryKey" | "serializer" | "setter" | "type" | "unique" | "unsigned" | "version" | ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type")>;
    readonly address: Pick<import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<string, Omit<import("@mikro-orm/postgresql").EmptyOptions, "nullable"> & {
        nullable: true;
    }, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly browser: Pick<import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<string, Omit<import("@mikro-orm/postgresql").EmptyOptions, "nullable"> & {
        nullable: true;
    }, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
}, import("@mikro-orm/postgresql").EntityCtor<import("@mikro-orm/postgresql").InferEntityFromProperties<{
    readonly id: Pick<import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<string, Omit<import("@mikro-orm/postgresql").EmptyOptions, "primary"> & {
        primary: true;
    }, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly companyId: import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<string, import("@mikro-orm/postgresql").EmptyOptions, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly userId: import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<string, import("@mikro-orm/postgresql").EmptyOptions, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly createdAt: import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<Date, import("@mikro-orm/postgresql").EmptyOptions, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    /** As the API gateways told it, at most a minute late. */
    readonly lastActiveAt: import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<Date, import("@mikro-orm/postgresql").EmptyOptions, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly endedAt: Pick<import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<Date, Omit<import("@mikro-orm/postgresql").EmptyOptions, "nullable"> & {
        nullable: true;
    }, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly endReason: Pick<import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<"age" | "idle" | "logout" | "reuse" | "user", Omit<import("@mikro-orm/postgresql").EmptyOptions, "nullable"> & {
        nullable: true;
    }, "accessor" | "array" | "autoincrement" | "check" | "collation" | "columnType" | "columnTypes" | "comment" | "concurrencyCheck" | "customOrder" | "default" | "defaultRaw" | "extra" | "fieldName" | "fieldNames" | "formula" | "generated" | "getter" | "getterName" | "groups" | "hidden" | "hydrate" | "ignoreSchemaChanges" | "index" | "lazy" | "length" | "name" | "nativeEnumName" | "nullable" | "onCreate" | "onUpdate" | "persist" | "precision" | "primary" | "ref" | "returning" | "runtimeType" | "scale" | "serializedName" | "serializedPrimaryKey" | "serializer" | "setter" | "type" | "unique" | "unsigned" | "version" | ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type")>, "accessor" | "array" | "autoincrement" | "check" | "collation" | "columnType" | "columnTypes" | "comment" | "concurrencyCheck" | "customOrder" | "default" | "defaultRaw" | "extra" | "fieldName" | "fieldNames" | "formula" | "generated" | "getter" | "getterName" | "groups" | "hidden" | "hydrate" | "ignoreSchemaChanges" | "index" | "lazy" | "length" | "name" | "nativeEnumName" | "nullable" | "onCreate" | "onUpdate" | "persist" | "precision" | "primary" | "ref" | "returning" | "runtimeType" | "scale" | "serializedName" | "serializedPrimaryKey" | "serializer" | "setter" | "type" | "unique" | "unsigned" | "version" | ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type")>;
    readonly address: Pick<import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<string, Omit<import("@mikro-orm/postgresql").EmptyOptions, "nullable"> & {
        nullable: true;
    }, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly browser: Pick<import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<string, Omit<import("@mikro-orm/postgresql").EmptyOptions, "nullable"> & {
        nullable: true;
    }, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
}, undefined, never, never, false, undefined, undefined, false>>, undefined>;
export declare class Session extends SessionSchema.class {
}
declare const RefreshTokenSchema: import("@mikro-orm/postgresql").EntitySchemaWithMeta<"RefreshToken", "refresh_token", import("@mikro-orm/postgresql").InferEntityFromProperties<{
    readonly id: Pick<import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<string, Omit<import("@mikro-orm/postgresql").EmptyOptions, "primary"> & {
        primary: true;
    }, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly companyId: import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<string, import("@mikro-orm/postgresql").EmptyOptions, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly sessionId: import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<string, import("@mikro-orm/postgresql").EmptyOptions, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    /** SHA-256 of 32 random bytes: nothing to guess, so no slow hash. */
    readonly hash: import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<NonNullable<Buffer<ArrayBufferLike> | Uint8Array<ArrayBufferLike> | null>, import("@mikro-orm/postgresql").EmptyOptions, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly createdAt: import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<Date, import("@mikro-orm/postgresql").EmptyOptions, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly expiresAt: import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<Date, import("@mikro-orm/postgresql").EmptyOptions, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly usedAt: Pick<import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<Date, Omit<import("@mikro-orm/postgresql").EmptyOptions, "nullable"> & {
        nullable: true;
    }, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
}, undefined, never, never, false, undefined, undefined, false>, never, {
    readonly id: Pick<import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<string, Omit<import("@mikro-orm/postgresql").EmptyOptions, "primary"> & {
        primary: true;
    }, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly companyId: import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<string, import("@mikro-orm/postgresql").EmptyOptions, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly sessionId: import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<string, import("@mikro-orm/postgresql").EmptyOptions, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    /** SHA-256 of 32 random bytes: nothing to guess, so no slow hash. */
    readonly hash: import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<NonNullable<Buffer<ArrayBufferLike> | Uint8Array<ArrayBufferLike> | null>, import("@mikro-orm/postgresql").EmptyOptions, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly createdAt: import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<Date, import("@mikro-orm/postgresql").EmptyOptions, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly expiresAt: import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<Date, import("@mikro-orm/postgresql").EmptyOptions, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly usedAt: Pick<import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<Date, Omit<import("@mikro-orm/postgresql").EmptyOptions, "nullable"> & {
        nullable: true;
    }, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
}, import("@mikro-orm/postgresql").EntityCtor<import("@mikro-orm/postgresql").InferEntityFromProperties<{
    readonly id: Pick<import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<string, Omit<import("@mikro-orm/postgresql").EmptyOptions, "primary"> & {
        primary: true;
    }, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly companyId: import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<string, import("@mikro-orm/postgresql").EmptyOptions, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly sessionId: import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<string, import("@mikro-orm/postgresql").EmptyOptions, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    /** SHA-256 of 32 random bytes: nothing to guess, so no slow hash. */
    readonly hash: import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<NonNullable<Buffer<ArrayBufferLike> | Uint8Array<ArrayBufferLike> | null>, import("@mikro-orm/postgresql").EmptyOptions, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly createdAt: import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<Date, import("@mikro-orm/postgresql").EmptyOptions, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly expiresAt: import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<Date, import("@mikro-orm/postgresql").EmptyOptions, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly usedAt: Pick<import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<Date, Omit<import("@mikro-orm/postgresql").EmptyOptions, "nullable"> & {
        nullable: true;
    }, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
}, undefined, never, never, false, undefined, undefined, false>>, undefined>;
export declare class RefreshToken extends RefreshTokenSchema.class {
}
export {};
