import { defineConfig } from '@carillon/service';

/** Companies and organizations have no settings yet. */
export const orgConfig = defineConfig({});
