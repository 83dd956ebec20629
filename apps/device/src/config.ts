import { defineConfig } from '@carillon/service';

/** The device registry has no setting of its own yet. */
export const deviceConfig = defineConfig({});
