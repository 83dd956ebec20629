import type { ErrorEntry } from './define/error.ts';
import { commonErrors } from './common.errors.ts';
import { authErrors } from './auth/auth.errors.ts';
import { companyErrors } from './org/org.errors.ts';
import { viewErrors } from './org/view.errors.ts';
import { deviceErrors } from './device/device.errors.ts';
import { approvalErrors } from './task/approval.errors.ts';
import { taskErrors } from './task/task.errors.ts';
import { userErrors } from './auth/user.errors.ts';
import { menuErrors, roleErrors } from './auth/role.errors.ts';
import { accountLinkErrors } from './auth/account-link.errors.ts';
import { alarmErrors } from './notification/alarm.errors.ts';
import { mailErrors } from './notification/mail.errors.ts';
import { channelErrors } from './auth/channel.errors.ts';
import { supportAccessErrors } from './auth/support-access.errors.ts';
import { egsErrors } from './egs/egs.errors.ts';
import { diagnosisErrors } from './diagnosis/diagnosis.errors.ts';
import { fileErrors } from './file/file.errors.ts';
import { fcsErrors } from './provisioning/fcs.errors.ts';
import { redirectServiceErrors } from './provisioning/redirect-service.errors.ts';
import { companyKeyErrors } from './secret/company-key.errors.ts';
import { importErrors } from './file/import.errors.ts';
import { uploadErrors } from './file/upload.errors.ts';
import { installationErrors } from './license/installation.errors.ts';
import { configErrors } from './license/config.errors.ts';
import { timeErrors } from './license/time.errors.ts';
import { nounErrors } from './nouns.ts';
import type { Language } from './define/language.ts';

/** The error catalogue (SYS-07). Server only: the console shows the `msg` of the response. */
export const errorCatalogue = {
  ...commonErrors,
  ...authErrors,
  ...companyErrors,
  ...nounErrors,
  ...viewErrors,
  ...deviceErrors,
  ...taskErrors,
  ...approvalErrors,
  ...alarmErrors,
  ...mailErrors,
  ...userErrors,
  ...roleErrors,
  ...menuErrors,
  ...accountLinkErrors,
  ...channelErrors,
  ...supportAccessErrors,
  ...egsErrors,
  ...diagnosisErrors,
  ...fileErrors,
  ...importErrors,
  ...uploadErrors,
  ...fcsErrors,
  ...redirectServiceErrors,
  ...companyKeyErrors,
  ...installationErrors,
  ...timeErrors,
  ...configErrors,
};
export type ErrorKey = keyof typeof errorCatalogue;

export function isErrorKey(key: string): key is ErrorKey {
  return Object.hasOwn(errorCatalogue, key);
}

/** `{name}`, or singular and plural words: `{count|it|them}`. */
export const placeholder = /\{(\w+)(?:\|([^|}]*)\|([^|}]*))?\}/g;

/** Returns the public text of an error. Unknown placeholders stay unchanged. */
export function errorText(key: ErrorKey, language: Language, values: Record<string, unknown> = {}): string {
  const plural = new Intl.PluralRules(language.replace('_', '-'));
  return (errorCatalogue[key] as ErrorEntry)[language].replace(
    placeholder,
    (whole, name: string, one?: string, several?: string) =>
      one !== undefined && several !== undefined
        ? plural.select(Number(values[name])) === 'one'
          ? one
          : several
        : name in values
          ? String(values[name])
          : whole,
  );
}

export function errorStatus(key: ErrorKey): number {
  return errorCatalogue[key].status;
}
