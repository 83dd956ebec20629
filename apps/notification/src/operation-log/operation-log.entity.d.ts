/** Who did what, on which object, from where, when, with which result (SYS-04). The id is the message's, so a repeat is no second entry. */
declare const OperationLogSchema: import("@mikro-orm/postgresql").EntitySchemaWithMeta<"OperationLog", "operation_log", import("@mikro-orm/postgresql").InferEntityFromProperties<{
    readonly id: Pick<import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<string, Omit<import("@mikro-orm/postgresql").EmptyOptions, "primary"> & {
        primary: true;
    }, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly companyId: import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<string, import("@mikro-orm/postgresql").EmptyOptions, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly at: import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<Date, import("@mikro-orm/postgresql").EmptyOptions, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly userId: Pick<import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<string, Omit<import("@mikro-orm/postgresql").EmptyOptions, "nullable"> & {
        nullable: true;
    }, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly username: Pick<import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<string, import("@mikro-orm/postgresql").EmptyOptions, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly action: Pick<import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<string, import("@mikro-orm/postgresql").EmptyOptions, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly objectId: Pick<import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<string, Omit<import("@mikro-orm/postgresql").EmptyOptions, "nullable"> & {
        nullable: true;
    }, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly objectName: Pick<import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<string, Omit<import("@mikro-orm/postgresql").EmptyOptions, "nullable"> & {
        nullable: true;
    }, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly address: Pick<import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<string, Omit<import("@mikro-orm/postgresql").EmptyOptions, "nullable"> & {
        nullable: true;
    }, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly result: Pick<import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<string, import("@mikro-orm/postgresql").EmptyOptions, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly requestId: Pick<import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<string, Omit<import("@mikro-orm/postgresql").EmptyOptions, "nullable"> & {
        nullable: true;
    }, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly detail: import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<Record<string, unknown>, import("@mikro-orm/postgresql").EmptyOptions, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
}, undefined, never, never, false, undefined, undefined, false>, never, {
    readonly id: Pick<import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<string, Omit<import("@mikro-orm/postgresql").EmptyOptions, "primary"> & {
        primary: true;
    }, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly companyId: import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<string, import("@mikro-orm/postgresql").EmptyOptions, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly at: import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<Date, import("@mikro-orm/postgresql").EmptyOptions, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly userId: Pick<import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<string, Omit<import("@mikro-orm/postgresql").EmptyOptions, "nullable"> & {
        nullable: true;
    }, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly username: Pick<import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<string, import("@mikro-orm/postgresql").EmptyOptions, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly action: Pick<import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<string, import("@mikro-orm/postgresql").EmptyOptions, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly objectId: Pick<import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<string, Omit<import("@mikro-orm/postgresql").EmptyOptions, "nullable"> & {
        nullable: true;
    }, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly objectName: Pick<import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<string, Omit<import("@mikro-orm/postgresql").EmptyOptions, "nullable"> & {
        nullable: true;
    }, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly address: Pick<import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<string, Omit<import("@mikro-orm/postgresql").EmptyOptions, "nullable"> & {
        nullable: true;
    }, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly result: Pick<import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<string, import("@mikro-orm/postgresql").EmptyOptions, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly requestId: Pick<import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<string, Omit<import("@mikro-orm/postgresql").EmptyOptions, "nullable"> & {
        nullable: true;
    }, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly detail: import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<Record<string, unknown>, import("@mikro-orm/postgresql").EmptyOptions, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
}, import("@mikro-orm/postgresql").EntityCtor<import("@mikro-orm/postgresql").InferEntityFromProperties<{
    readonly id: Pick<import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<string, Omit<import("@mikro-orm/postgresql").EmptyOptions, "primary"> & {
        primary: true;
    }, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly companyId: import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<string, import("@mikro-orm/postgresql").EmptyOptions, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly at: import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<Date, import("@mikro-orm/postgresql").EmptyOptions, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly userId: Pick<import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<string, Omit<import("@mikro-orm/postgresql").EmptyOptions, "nullable"> & {
        nullable: true;
    }, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly username: Pick<import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<string, import("@mikro-orm/postgresql").EmptyOptions, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly action: Pick<import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<string, import("@mikro-orm/postgresql").EmptyOptions, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly objectId: Pick<import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<string, Omit<import("@mikro-orm/postgresql").EmptyOptions, "nullable"> & {
        nullable: true;
    }, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly objectName: Pick<import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<string, Omit<import("@mikro-orm/postgresql").EmptyOptions, "nullable"> & {
        nullable: true;
    }, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly address: Pick<import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<string, Omit<import("@mikro-orm/postgresql").EmptyOptions, "nullable"> & {
        nullable: true;
    }, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly result: Pick<import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<string, import("@mikro-orm/postgresql").EmptyOptions, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly requestId: Pick<import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<string, Omit<import("@mikro-orm/postgresql").EmptyOptions, "nullable"> & {
        nullable: true;
    }, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
    readonly detail: import("@mikro-orm/postgresql").UniversalPropertyOptionsBuilder<Record<string, unknown>, import("@mikro-orm/postgresql").EmptyOptions, ("$type" | "lazyRef" | "strictNullable" | "~options" | "~type") | keyof import("@mikro-orm/postgresql").PropertyOptions<any>>;
}, undefined, never, never, false, undefined, undefined, false>>, undefined>;
export declare class OperationLog extends OperationLogSchema.class {
}
export {};
