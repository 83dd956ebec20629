import { z } from 'zod';
export declare const authConfig: z.ZodObject<{
    tokenKey: z.ZodUnion<readonly [z.ZodInstanceOf<Buffer<ArrayBufferLike>>, z.ZodPipe<z.ZodString, z.ZodTransform<Buffer<ArrayBuffer>, string>>]>;
    passwordPepper: z.ZodUnion<readonly [z.ZodInstanceOf<Buffer<ArrayBufferLike>>, z.ZodPipe<z.ZodString, z.ZodTransform<Buffer<ArrayBuffer>, string>>]>;
    clientId: z.ZodString;
    clientSecret: z.ZodString;
    tokenSeconds: z.ZodDefault<z.ZodCoercedNumber<unknown>>;
    refreshSeconds: z.ZodDefault<z.ZodCoercedNumber<unknown>>;
    sessionSeconds: z.ZodDefault<z.ZodCoercedNumber<unknown>>;
    idleSeconds: z.ZodDefault<z.ZodCoercedNumber<unknown>>;
    lockFailures: z.ZodDefault<z.ZodCoercedNumber<unknown>>;
    lockWindowSeconds: z.ZodDefault<z.ZodCoercedNumber<unknown>>;
    lockSeconds: z.ZodDefault<z.ZodCoercedNumber<unknown>>;
    addressFailuresPerMinute: z.ZodDefault<z.ZodCoercedNumber<unknown>>;
}, z.core.$strip>;
export type AuthConfig = z.output<typeof authConfig>;
