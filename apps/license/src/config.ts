import { defineConfig } from '@carillon/service';

/** What the installation is stands in its database. */
export const licenseConfig = defineConfig({});
