import { actions, type ActionKey, type ActionParam } from '@carillon/actions';
import type { Language } from '@carillon/contracts';
import { organizationTexts } from './area/organization/organization/organization.text.ts';
import { channelTexts } from './area/channel/channel/channel.text.ts';
import { supportAccessTexts } from './area/channel/support-access/support-access.text.ts';
import { unclaimedPhoneTexts } from './area/organization/company/unclaimed-phone.text.ts';
import { deliveryTexts } from './area/organization/company/delivery.text.ts';
import { macDisputeTexts } from './area/organization/company/mac-dispute.text.ts';
import { channelOrderTexts } from './area/channel/channel-order/channel-order.text.ts';
import { allocationTexts } from './area/channel/channel-order/allocation.text.ts';
import { madeDevicesTexts } from './area/channel/channel-order/made-devices.text.ts';
import { channelStatisticTexts } from './area/channel/channel-statistic/channel-statistic.text.ts';
import { channelAddressTexts } from './area/channel/channel-address/channel-address.text.ts';
import { configPeriodTexts } from './area/device/config-period/config-period.text.ts';
import { configLockTexts } from './area/device/config-template/config-lock.text.ts';
import { configTemplateVersionTexts } from './area/device/config-template/config-template-version.text.ts';
import { rawSettingTexts } from './area/device/config-template/raw-setting.text.ts';
import { macFileTexts } from './area/device/config-template/mac-file.text.ts';
import { configTemplateTexts } from './area/device/config-template/config-template.text.ts';
import { phoneKeyTexts } from './area/device/phone-key/phone-key.text.ts';
import { settingTexts } from './area/device/config-template/setting.text.ts';
import { firstAccessTexts } from './area/device/first-access/first-access.text.ts';
import { redirectServiceTexts } from './area/device/redirect-service/redirect-service.text.ts';
import { configRequestTexts } from './area/device/device-config/config-request.text.ts';
import { deviceConfigTexts } from './area/device/device-config/device-config.text.ts';
import { deviceGroupTexts } from './area/device/device-group/device-group.text.ts';
import { approvalTexts } from './area/task/approval/approval.text.ts';
import { paceTexts } from './area/task/pace/pace.text.ts';
import { rolloutTexts } from './area/task/rollout/rollout.text.ts';
import { baselineTexts } from './area/task/baseline/baseline.text.ts';
import { freezePeriodTexts } from './area/task/freeze-period/freeze-period.text.ts';
import { taskTemplateTexts } from './area/task/template/task-template.text.ts';
import { taskResultTexts } from './area/task/task/task-result.text.ts';
import { taskWaitTexts } from './area/task/task/task-wait.text.ts';
import { lineSheetTexts } from './area/device/line/line-sheet.text.ts';
import { lineCauseTexts } from './area/device/line/line-cause.text.ts';
import { tagTexts } from './area/device/tag/tag.text.ts';
import { modelTexts } from './area/device/model/model.text.ts';
import { deviceChangeTexts } from './area/device/device-change/device-change.text.ts';
import { deviceFormTexts } from './area/device/device/device-form.text.ts';
import { doorTexts } from './area/device/door/door.text.ts';
import { deviceAccessTexts } from './area/device/device/device-access.text.ts';
import { browserErrorsTexts } from './area/system/log/browser-errors.text.ts';
import { mailStateTexts } from './area/people/mail/mail-state.text.ts';
import { severalUsersTexts } from './area/people/user/several-users.text.ts';
import { roleCopyTexts } from './area/people/role/role-copy.text.ts';
import { historyTexts } from './area/home/history.text.ts';
import { alarmTexts } from './area/system/alarm/alarm.text.ts';
import { companyKeyTexts } from './area/system/company-key/company-key.text.ts';
import { mailServerTexts } from './area/system/mail-server/mail-server.text.ts';
import { webhookTexts } from './area/system/webhook/webhook.text.ts';
import { emailNoticeTexts } from './area/system/email-notice/email-notice.text.ts';
import { setupTexts } from './area/home/setup.text.ts';
import { taskOrderTexts } from './area/device/task-order/task-order.text.ts';
import { taskTimeTexts } from './area/task/task/task-time.text.ts';
import { siteTexts } from './area/device/site/site.text.ts';
import { ldapAccountTexts } from './area/sip/ldap-account/ldap-account.text.ts';
import { phonebookTexts } from './area/sip/ldap-account/phonebook.text.ts';
import { ldapServerTexts } from './area/sip/ldap-server/ldap-server.text.ts';
import { ldapSyncTexts } from './area/sip/ldap-server/ldap-sync.text.ts';
import { sipAccountTexts } from './area/sip/sip-account/sip-account.text.ts';
import { accountLinesTexts } from './area/sip/sip-account/account-lines.text.ts';
import { accountPasswordsTexts } from './area/sip/sip-account/account-passwords.text.ts';
import { sipServerTexts } from './area/sip/sip-server/sip-server.text.ts';
import { fcsTexts } from './area/sip/fcs/fcs.text.ts';
import { filePairsTexts } from './area/task/action/file-pairs.text.ts';
import { configFileTexts } from './area/resource/config-file/config-file.text.ts';
import { firmwareTexts } from './area/resource/firmware/firmware.text.ts';
import { firmwareDeltasTexts } from './area/resource/firmware/firmware-deltas.text.ts';
import { resourceFileTexts } from './area/resource/resource-file/resource-file.text.ts';
import { storageTexts } from './area/resource/storage/storage.text.ts';
import { uploadTexts } from './kit/upload/upload.text.ts';
import { importTexts } from './kit/import/import.text.ts';
import { doneTexts } from './kit/part/done.text.ts';
import { baseTexts, type TextPart } from './kit/text/base.ts';
import { textsIn, type AreaTexts, type Flat } from './kit/text/define.ts';

/** Areas that keep their texts in their folder, by the word that their own keys begin with. */
const pageAreas = {
  organization: organizationTexts,
  site: siteTexts,
  channel: channelTexts,
  channelOrder: { ...channelOrderTexts, ...allocationTexts, ...madeDevicesTexts },
  delivery: deliveryTexts,
  macDispute: macDisputeTexts,
  unclaimedPhone: unclaimedPhoneTexts,
  channelStatistic: channelStatisticTexts,
  channelAddress: channelAddressTexts,
  supportAccess: supportAccessTexts,
  sipAccount: { ...sipAccountTexts, ...accountLinesTexts, ...accountPasswordsTexts },
  sipServer: sipServerTexts,
  fcs: fcsTexts,
  ldapServer: { ...ldapServerTexts, ...ldapSyncTexts },
  ldapAccount: ldapAccountTexts,
  phonebook: phonebookTexts,
  deviceGroup: deviceGroupTexts,
  configTemplate: configTemplateTexts,
  configLock: configLockTexts,
  configVersion: configTemplateVersionTexts,
  macFile: macFileTexts,
  rawSetting: rawSettingTexts,
  phoneKey: phoneKeyTexts,
  setting: settingTexts,
  deviceConfig: deviceConfigTexts,
  configRequest: configRequestTexts,
  firstAccess: firstAccessTexts,
  redirectService: redirectServiceTexts,
  configPeriod: configPeriodTexts,
  freezePeriod: freezePeriodTexts,
  baseline: baselineTexts,
  taskTemplate: taskTemplateTexts,
  taskResult: taskResultTexts,
  taskWait: taskWaitTexts,
  lineSheet: lineSheetTexts,
  lineCause: lineCauseTexts,
  tag: tagTexts,
  approval: approvalTexts,
  rollout: rolloutTexts,
  pace: paceTexts,
  model: modelTexts,
  deviceAccess: deviceAccessTexts,
  door: doorTexts,
  deviceForm: deviceFormTexts,
  deviceChange: deviceChangeTexts,
  alarm: alarmTexts,
  emailNotice: emailNoticeTexts,
  webhook: webhookTexts,
  mailServer: mailServerTexts,
  companyKey: companyKeyTexts,
  taskOrder: taskOrderTexts,
  taskTime: taskTimeTexts,
  done: doneTexts,
  import: importTexts,
  upload: uploadTexts,
  firmware: { ...firmwareTexts, ...firmwareDeltasTexts },
  resourceFile: resourceFileTexts,
  configFile: configFileTexts,
  filePairs: filePairsTexts,
  storage: storageTexts,
} as const;
/** Areas whose texts only the screens of administration show. */
const systemAreas = {
  browserErrors: browserErrorsTexts,
  history: historyTexts,
  mailState: mailStateTexts,
  roleCopy: roleCopyTexts,
  setup: setupTexts,
  severalUsers: severalUsersTexts,
} as const;
const areas = { ...pageAreas, ...systemAreas };
/** What actions say: `deviceAction.reboot` is its name. */
const actionWord = 'deviceAction';
type Word = typeof actionWord;

declare module './kit/text/key.ts' {
  interface AreaTexts
    extends
      Flat<(typeof areas)[keyof typeof areas]>,
      Record<
        `${Word}.${ActionKey}` | `${Word}.${ActionKey}.effect` | `${Word}.${ActionKey}.param.${ActionParam}`,
        string
      > {}
}

/** The names of the actions, which lists and menus show. */
const actionNames = (language: Language): Record<string, string> =>
  Object.fromEntries(Object.values(actions).map(({ key, texts }) => [`${actionWord}.${key}`, texts.name[language]]));

/** The other texts of the actions, which stand in their folders of `libs/actions`. */
const actionTexts = (language: Language): Record<string, string> =>
  Object.fromEntries(
    Object.values(actions).flatMap(({ key, right, texts }): [string, string][] => [
      [`${actionWord}.${key}.effect`, texts.effect[language]],
      [`right.${right}`, texts.right[language]],
      ...Object.entries(texts.params).map(([param, text]): [string, string] => [
        `${actionWord}.${key}.param.${param}`,
        text[language],
      ]),
      ...Object.entries(texts.choices ?? {}).flatMap(([param, choices]) =>
        Object.entries(choices ?? {}).map(([value, text]): [string, string] => [
          `${actionWord}.${key}.param.${param}.${value}`,
          text[language],
        ]),
      ),
    ]),
  );

const textsOfAreas = (language: Language, areas: object): Record<string, string> =>
  Object.assign({}, ...Object.values(areas).map((texts: AreaTexts) => textsIn(language, texts)));

export const areaTexts = (language: Language): Record<string, string> => ({
  ...textsOfAreas(language, areas),
  ...actionNames(language),
  ...actionTexts(language),
});

/** Whether the menu shows this name of a page, before any page is loaded. */
const isMenuName = (key: string): boolean => key.startsWith('menu.');
const only = (texts: Record<string, string>, wanted: (key: string) => boolean): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).filter(([key]) => wanted(key)));

/**
 * Returns the texts that a browser loads together. A text of the kit declares its part by its file, and an area by its
 * place above.
 */
export const textsOfPart = (language: Language, part: TextPart): Record<string, string> => ({
  ...baseTexts[language][part],
  ...(part === 'rest' ? { ...only(textsOfAreas(language, areas), isMenuName), ...actionNames(language) } : {}),
  ...(part === 'page'
    ? { ...only(textsOfAreas(language, pageAreas), (key) => !isMenuName(key)), ...actionTexts(language) }
    : {}),
  ...(part === 'system' ? only(textsOfAreas(language, systemAreas), (key) => !isMenuName(key)) : {}),
});

/** Every text of a language, for the checks and the tests. */
export const allTexts = (language: Language): Record<string, string> => ({
  ...Object.assign({}, ...Object.values(baseTexts[language])),
  ...areaTexts(language),
});
