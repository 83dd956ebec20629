import { defineConfig } from '@carillon/service';

/** The operation log has no setting of its own yet. */
export const notificationConfig = defineConfig({});
