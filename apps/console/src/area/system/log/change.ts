import { hasText, t } from '../../../kit/text/translate.ts';
import { menuTree, type MenuDefinition } from '@carillon/contracts/permissions';
import { settingName, valueWords } from '../../device/config-template/setting-words.ts';
import { rightName } from '../../people/role/right-name.ts';
import type { TextKey } from '../../../kit/text/key.ts';
import { moment } from '../../../kit/text/time.ts';

/**
 * Names of fields on their screens. Other fields have a name of their own here (`log.fields`), or one from their noun
 * (`site.segments`). A field without a name is data: a user's login name in a bulk change.
 */
const named: Readonly<Record<string, TextKey>> = {
  name: 'device.name',
  description: 'site.description',
  mac: 'device.mac',
  model: 'device.model',
  sn: 'device.sn',
  site: 'device.site',
  devices: 'menu.devices',
  users: 'menu.users',
  username: 'user.username',
  nickname: 'user.nickname',
  email: 'user.email',
  accountType: 'user.type',
  status: 'user.status',
  roles: 'user.roles',
  orgs: 'user.organizations',
  erpId: 'user.erpId',
  timezoneId: 'user.timezone',
  timeZone: 'user.timezone',
  language: 'user.language',
  contact: 'enterprise.contact',
  phone: 'enterprise.phone',
  website: 'enterprise.website',
  permissions: 'role.rights',
  administrator: 'company.administrator',
  type: 'task.type',
  path: 'common.path',
  parent: 'site.parent',
  shared: 'grid.viewShared',
  action: 'task.action',
  number: 'task.number',
  scopes: 'api.scopes',
  offset: 'time.offset',
  region: 'time.region',
  sort: 'time.order',
  rule: 'time.rule',
  kind: 'time.kind',
  enabled: 'time.enabled',
  start: 'time.start',
  end: 'time.end',
  month: 'time.month',
  week: 'time.week',
  day: 'time.day',
  hour: 'time.hour',
  icon: 'menuAdmin.icon',
  hidden: 'menuAdmin.hidden',
  keepAlive: 'menuAdmin.keepAlive',
  host: 'config.host',
  port: 'config.port',
  security: 'config.security',
  user: 'config.user',
  from: 'config.from',
  address: 'config.address',
  transport: 'config.transport',
  domain: 'config.domain',
  servers: 'config.fcsServers',
  localConfigSync: 'config.fcsSync',
  code: 'log.code',
  added: 'ldapServer.added',
  changed: 'ldapServer.changed',
  removed: 'ldapServer.removed',
  overrideFreeze: 'freezePeriod.override',
  needsApproval: 'approval.needed',
  reason: 'approval.reason',
  sealed: 'companyKey.sealed',
  unopened: 'companyKey.unopened',
  inSiteZones: 'taskOrder.inSiteZones',
  pace: 'pace.pace',
  retry: 'pace.retries',
  tries: 'pace.tries',
  of: 'pace.of',
  firstSeconds: 'pace.firstSeconds',
  spreadMinutes: 'pace.spreadMinutes',
  siteSync: 'pace.siteSync',
  sitePerMinute: 'pace.sitePerMinute',
};
/** Fields with values that are texts of ours. */
const words: Readonly<Record<string, string>> = {
  accountType: 'accountType',
  status: 'userStatus',
  permissions: 'right',
  scopes: 'right',
  passwords: 'sipAccount',
  security: 'config.security',
  action: 'deviceAction',
  actions: 'deviceAction',
  level: 'configTemplate.level',
};

const menuNames = (menus: readonly MenuDefinition[]): (readonly [string, string])[] =>
  menus.flatMap((menu) => [[menu.key, menu.langKey] as const, ...menuNames(menu.children ?? [])]);
/** A permission for a page is named like the page in the menu; any other one has its own name. */
const pages = new Map(menuNames(menuTree));

type Fields = Record<string, unknown>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Settings of phones have names and values of their own. */
const isSetting = (field: string, noun: string): boolean => noun === 'configTemplate' && field.includes('.');

/**
 * Returns a field's name. `noun` owns the field: a noun, or an action with its parameters
 * (`deviceAction.reboot.param`).
 */
const fieldName = (field: string, noun: string): string => {
  if (isSetting(field, noun)) return settingName(field);
  if (noun.includes('.') && hasText(`${noun}.${field}`)) return t(`${noun}.${field}` as TextKey);
  if (hasText(`log.fields.${field}`)) return t(`log.fields.${field as 'ids'}`);
  if (Object.hasOwn(named, field)) return t(named[field]!);
  return hasText(`${noun}.${field}`) ? t(`${noun}.${field}` as TextKey) : field;
};

/** Returns a value in readable form. */
function plain(value: unknown, noun: string, kind?: string): string {
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'boolean') return t(value ? 'common.yes' : 'common.no');
  if (Array.isArray(value))
    return value.length === 0
      ? '–'
      : value
          .map((one) => (isFields(one) && typeof one['name'] === 'string' ? one['name'] : plain(one, noun, kind)))
          .join(', ');
  if (isFields(value))
    return (
      Object.entries(value)
        .map(
          ([field, inner]) =>
            `${fieldName(field, noun)}: ${plain(inner, noun, words[field] ?? (noun.includes('.') ? `${noun}.${field}` : undefined))}`,
        )
        .join('; ') || '–'
    );
  const text = String(value);
  if (kind === 'right') return rightName({ id: text, name: text, langKey: pages.get(text) ?? `right.${text}` });
  if (kind !== undefined && hasText(`${kind}.${text}`)) return t(`${kind}.${text}` as TextKey);
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(text) ? moment(text) : text;
}

interface Change {
  field: string;
  before: string;
  after: string;
}

/**
 * Returns the changes of an entry: changed fields with both values, and the names of unchanged ones (SYS-04). The
 * `action` (`site.edit`) tells which noun owns the fields.
 */
export function changeOf(detail: Fields, action = ''): { changed: Change[]; unchanged: string[] } {
  const noun = action.slice(0, Math.max(0, action.indexOf('.')));
  const { before, after, visit: _, ...rest } = detail;
  const sides = [before, after].filter((side) => side !== null && side !== undefined);
  const changed: Change[] = [];
  const unchanged: string[] = [];
  // In a bulk change of users, each row is a user by name.
  const bulk = 'ids' in rest;
  const name = (field: string): string => (bulk ? field : fieldName(field, noun));
  if (sides.length > 0 && sides.every(isFields)) {
    for (const field of new Set(sides.flatMap((side) => Object.keys(side)))) {
      const shown = (value: unknown): string =>
        isSetting(field, noun)
          ? valueWords(field, value as string | number | boolean)
          : plain(value, noun, bulk ? 'userStatus' : words[field]);
      const [from, to] = [before, after].map((side) => (isFields(side) && field in side ? shown(side[field]) : ''));
      if (from === to) unchanged.push(name(field));
      else changed.push({ field: name(field), before: from!, after: to! });
    }
  } else if (sides.length > 0) {
    changed.push({
      field: t('log.value'),
      before: before === undefined ? '' : plain(before, noun, 'state'),
      after: after === undefined ? '' : plain(after, noun, 'state'),
    });
  }
  // Ids of users who are listed by name above say nothing more.
  for (const [field, value] of Object.entries(rest))
    if (!(field === 'ids' && sides.length > 0))
      changed.push({
        field: fieldName(field, noun),
        before: '',
        after: plain(value, field === 'params' ? `deviceAction.${String(rest['action'])}.param` : noun, words[field]),
      });
  return { changed, unchanged };
}

/** Returns the changes as a single line, for a column. */
export const changeLine = (detail: Fields, action = ''): string =>
  changeOf(detail, action)
    .changed.map(({ field, before, after }) => `${field}: ${[before, after].filter((side) => side !== '').join(' → ')}`)
    .join('; ');
