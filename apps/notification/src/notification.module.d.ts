export declare class NotificationModule {
}
export declare const notificationService: import("@carillon/service").ServiceDefinition<import("zod").ZodObject<{}, import("zod/v4/core").$strip>>;
