import { defineConfig } from '@carillon/service';

/** Companies and organizations have no setting of their own yet. */
export const orgConfig = defineConfig({});
