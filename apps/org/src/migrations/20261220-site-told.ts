import { Migration20261219SiteTold } from './20261219-site-told.ts';

/** Publishes all sites once more, because `provisioning` copies the time zone of each, too. */
export class Migration20261220SiteTold extends Migration20261219SiteTold {}
