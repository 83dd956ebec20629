import { deviceGroup, deviceGroupErrors } from './device/device-group.noun.ts';
import { organization, organizationErrors } from './org/organization.noun.ts';
import { site, siteErrors } from './org/site.noun.ts';

/**
 * Every noun. Rights, menu, live kinds, the error catalogue, docs/where.md and the test of the rights follow from this
 * list.
 */
export const nouns = [organization, site, deviceGroup] as const;
export type NounName = (typeof nouns)[number]['name'];

/** Server only. A bundle that does not use it leaves the texts out, because the calls that make them are pure. */
export const nounErrors = /* @__PURE__ */ Object.assign({}, organizationErrors, siteErrors, deviceGroupErrors);
