import { deviceGroup, deviceGroupErrors } from './device/device-group.noun.ts';
import { model, modelErrors } from './device/model.noun.ts';
import { channelAddress, channelAddressErrors } from './org/channel-address.noun.ts';
import { joinErrors } from './define/error.ts';
import { emailNotice, emailNoticeErrors } from './notification/email-notice.noun.ts';
import { organization, organizationErrors } from './org/organization.noun.ts';
import { site, siteErrors } from './org/site.noun.ts';
import { ldapServer, ldapServerErrors } from './provisioning/ldap-server.noun.ts';
import { sipAccount, sipAccountErrors } from './provisioning/sip-account.noun.ts';
import { sipServer, sipServerErrors } from './provisioning/sip-server.noun.ts';

/**
 * Every noun. Rights, menu, live kinds, the error catalogue, docs/where.md and the test of the rights follow from this
 * list.
 */
export const nouns = [
  organization,
  site,
  deviceGroup,
  model,
  sipAccount,
  sipServer,
  channelAddress,
  emailNotice,
  ldapServer,
] as const;
export type NounName = (typeof nouns)[number]['name'];

/** Server only. A bundle that does not use it leaves the texts out, because the calls that make them are pure. */
export const nounErrors = joinErrors(
  organizationErrors,
  siteErrors,
  deviceGroupErrors,
  modelErrors,
  sipAccountErrors,
  sipServerErrors,
  channelAddressErrors,
  emailNoticeErrors,
  ldapServerErrors,
);
