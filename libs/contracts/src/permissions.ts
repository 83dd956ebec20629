import { menuOf, type NounDefinition, type RightsOfNoun } from './define/noun.ts';
import { fixedMenu, type MenuDefinition } from './menu.ts';
import { nouns } from './nouns.ts';

export { actionRights } from './device/action-rights.ts';
export type { FixedMenuIcon, FixedMenuKey, MenuDefinition } from './menu.ts';

type ButtonOf<E> = E extends { buttons: readonly (infer B)[] } ? B : never;
type KeysOf<E> = E extends { key: infer K }
  ? K | ButtonOf<E> | (E extends { children: readonly (infer C)[] } ? KeysOf<C> : never)
  : never;
/** A menu's key or a button's key. */
export type PermissionKey = (KeysOf<(typeof fixedMenu)[number]> & string) | RightsOfNoun<(typeof nouns)[number]>;

const placed: readonly NounDefinition[] = nouns;
const withNouns = (entries: readonly MenuDefinition[]): readonly MenuDefinition[] =>
  entries.flatMap((entry) => [
    ...placed.filter(({ menu }) => menu.before === entry.key).map(menuOf),
    entry.children
      ? {
          ...entry,
          children: [...withNouns(entry.children), ...placed.filter(({ menu }) => menu.in === entry.key).map(menuOf)],
        }
      : entry,
  ]);

/**
 * The permission tree: one constant for the guard, the menu, the roles and the console. A role stores keys; a call
 * names one.
 */
export const menuTree = withNouns(fixedMenu);

const keysOf = (m: MenuDefinition): PermissionKey[] => [
  m.key as PermissionKey,
  ...((m.buttons ?? []) as readonly PermissionKey[]),
  ...(m.children ?? []).flatMap(keysOf),
];
export const permissionKeys: readonly PermissionKey[] = menuTree.flatMap(keysOf);

const superOf = (m: MenuDefinition): PermissionKey[] => (m.superOnly ? keysOf(m) : (m.children ?? []).flatMap(superOf));
/** Keys that only the super administrator's kind of account can use. */
export const superKeys: readonly PermissionKey[] = menuTree.flatMap(superOf);

/** Seeded roles: everything, and looking only. */
export const seededRoles = {
  administrator: permissionKeys,
  viewer: ['home', 'device', 'deviceLog', 'task', 'alarm'] as readonly PermissionKey[],
} as const;

/**
 * Rights that nobody has in a customer's company that they entered (CHN-07): what manages accounts and who may enter,
 * what takes devices out of the company, what shows a secret or makes a device with one that is known, and what sends
 * anything of the company elsewhere after the end: its mails by another server, its alarms to another address, what its
 * directory holds in any attribute; the keys of its secrets; and the company's own second look at tasks: one visitor
 * has an id for each visit.
 */
export const neverVisiting: readonly PermissionKey[] = [
  'addUser',
  'editUser',
  'deleteUser',
  'enableUser',
  'disableUser',
  'unlockUser',
  'resendActivation',
  'editEnterprise',
  'addRole',
  'editRole',
  'deleteRole',
  'addMenu',
  'editMenu',
  'deleteMenu',
  'editTwoStep',
  'renewCompanyKey',
  'approveTask',
  'editApproval',
  'editApi',
  'addApiToken',
  'revokeApiToken',
  'addSupportAccess',
  'endSupportAccess',
  'addChannel',
  'editChannel',
  'disableChannel',
  'bindChannel',
  'unbindChannel',
  'offerChannel',
  'enterChannel',
  'allocateChannelOrder',
  'toDeviceChannelOrder',
  'addDevice',
  'importDevice',
  'renewDeviceSecret',
  'replaceDevice',
  'transferOrganization',
  'editLdapServer',
  'editMailServer',
  'addEmailNotice',
  'editEmailNotice',
  'addWebhook',
  'editWebhook',
  'downloadConfigFile',
  ...superKeys,
];

const seeing = (m: MenuDefinition): PermissionKey[] => [m.key as PermissionKey, ...(m.children ?? []).flatMap(seeing)];
/** Keys of what is seen, without those of buttons. */
const seeingKeys: readonly string[] = menuTree.flatMap(seeing);

/** What a visitor may: what they have in common with who let them in, at that level. */
export const visitorRights = (
  visitor: readonly string[],
  host: readonly string[],
  level: 'view' | 'manage',
): string[] =>
  visitor.filter(
    (key) =>
      host.includes(key) &&
      !neverVisiting.includes(key as PermissionKey) &&
      (level === 'manage' || seeingKeys.includes(key)),
  );
