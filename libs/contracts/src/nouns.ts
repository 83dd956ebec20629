import { channelOrder, channelOrderErrors } from './device/channel-order.noun.ts';
import { deviceGroup, deviceGroupErrors } from './device/device-group.noun.ts';
import { model, modelErrors } from './device/model.noun.ts';
import { channelAddress, channelAddressErrors } from './org/channel-address.noun.ts';
import { joinErrors } from './define/error.ts';
import { emailNotice, emailNoticeErrors } from './notification/email-notice.noun.ts';
import { webhook, webhookErrors } from './notification/webhook.noun.ts';
import { organization, organizationErrors } from './org/organization.noun.ts';
import { site, siteErrors } from './org/site.noun.ts';
import { configTemplate, configTemplateErrors } from './provisioning/config-template.noun.ts';
import { firstAccessErrors } from './provisioning/first-access.errors.ts';
import { macFileErrors } from './provisioning/mac-file.errors.ts';
import { ldapServer, ldapServerErrors } from './provisioning/ldap-server.noun.ts';
import { sipAccount, sipAccountErrors } from './provisioning/sip-account.noun.ts';
import { sipServer, sipServerErrors } from './provisioning/sip-server.noun.ts';
import { baseline, baselineErrors } from './task/baseline.noun.ts';
import { freezePeriod, freezePeriodErrors } from './task/freeze-period.noun.ts';
import { configFile, configFileErrors } from './resource/config-file.noun.ts';
import { firmware, firmwareErrors } from './resource/firmware.noun.ts';
import { resourceFile, resourceFileErrors } from './resource/resource-file.noun.ts';

/**
 * Every noun. Permissions, menu, live kinds, error catalogue, docs/where.md and the permission tests are derived from
 * this list.
 */
export const nouns = [
  organization,
  site,
  deviceGroup,
  model,
  sipAccount,
  sipServer,
  channelOrder,
  channelAddress,
  emailNotice,
  webhook,
  ldapServer,
  freezePeriod,
  baseline,
  firmware,
  resourceFile,
  configFile,
  configTemplate,
] as const;
export type NounName = (typeof nouns)[number]['name'];

/** Server only. A bundle that does not use it drops the texts, because the calls that create them are pure. */
export const nounErrors = joinErrors(
  organizationErrors,
  siteErrors,
  deviceGroupErrors,
  modelErrors,
  sipAccountErrors,
  sipServerErrors,
  channelOrderErrors,
  channelAddressErrors,
  emailNoticeErrors,
  webhookErrors,
  ldapServerErrors,
  freezePeriodErrors,
  baselineErrors,
  firmwareErrors,
  resourceFileErrors,
  configFileErrors,
  configTemplateErrors,
  firstAccessErrors,
  macFileErrors,
);
