export declare class AuthModule {
}
export declare const authService: import("@carillon/service").ServiceDefinition<import("zod").ZodObject<{
    tokenKey: import("zod").ZodUnion<readonly [import("zod").ZodInstanceOf<Buffer<ArrayBufferLike>>, import("zod").ZodPipe<import("zod").ZodString, import("zod").ZodTransform<Buffer<ArrayBuffer>, string>>]>;
    passwordPepper: import("zod").ZodUnion<readonly [import("zod").ZodInstanceOf<Buffer<ArrayBufferLike>>, import("zod").ZodPipe<import("zod").ZodString, import("zod").ZodTransform<Buffer<ArrayBuffer>, string>>]>;
    clientId: import("zod").ZodString;
    clientSecret: import("zod").ZodString;
    tokenSeconds: import("zod").ZodDefault<import("zod").ZodCoercedNumber<unknown>>;
    refreshSeconds: import("zod").ZodDefault<import("zod").ZodCoercedNumber<unknown>>;
    sessionSeconds: import("zod").ZodDefault<import("zod").ZodCoercedNumber<unknown>>;
    idleSeconds: import("zod").ZodDefault<import("zod").ZodCoercedNumber<unknown>>;
    lockFailures: import("zod").ZodDefault<import("zod").ZodCoercedNumber<unknown>>;
    lockWindowSeconds: import("zod").ZodDefault<import("zod").ZodCoercedNumber<unknown>>;
    lockSeconds: import("zod").ZodDefault<import("zod").ZodCoercedNumber<unknown>>;
    addressFailuresPerMinute: import("zod").ZodDefault<import("zod").ZodCoercedNumber<unknown>>;
}, import("zod/v4/core").$strip>>;
export { accessChanged, republishAccess } from './user/access.service.ts';
export { seedInstallation, type Installation } from './seed.ts';
