import { menuOf, type NounDefinition, type RightsOfNoun } from './define/noun.ts';
import { fixedMenu, type MenuDefinition } from './menu.ts';
import { nouns } from './nouns.ts';

export { actionRights } from './device/action-rights.ts';
export type { FixedMenuIcon, FixedMenuKey, MenuDefinition } from './menu.ts';

type ButtonOf<E> = E extends { buttons: readonly (infer B)[] } ? B : never;
type KeysOf<E> = E extends { key: infer K }
  ? K | ButtonOf<E> | (E extends { children: readonly (infer C)[] } ? KeysOf<C> : never)
  : never;
/** Key of a menu entry or a button. */
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
/** Keys that only the super administrator's type of account can use. */
export const superKeys: readonly PermissionKey[] = menuTree.flatMap(superOf);

/** Seeded roles: full access, and read-only. */
export const seededRoles = {
  administrator: permissionKeys,
  viewer: ['home', 'device', 'deviceLog', 'task', 'alarm'] as readonly PermissionKey[],
} as const;

/**
 * Permissions that no visitor of a customer's company has (CHN-07): those that manage accounts and access, take devices
 * out of the company, show a secret or create a device with a known one, or send data of the company elsewhere after
 * the visit (its mails through another server, its alarms to another address, the attributes of its directory); those
 * of its secret keys; and approval of tasks, because one visitor has a new id on each visit.
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
  'editRedirectService',
  'addEmailNotice',
  'editEmailNotice',
  'addWebhook',
  'editWebhook',
  'downloadConfigFile',
  'revealSipAccount',
  ...superKeys,
];

/** Permissions that no API token has (AUTH-17): those that show a password to a person, who the operation log names. */
export const neverProgram: readonly PermissionKey[] = ['revealSipAccount'];

const seeing = (m: MenuDefinition): PermissionKey[] => [m.key as PermissionKey, ...(m.children ?? []).flatMap(seeing)];
/** Keys for viewing, without those of buttons. */
const seeingKeys: readonly string[] = menuTree.flatMap(seeing);

/** Returns the permissions of a visitor: those that visitor and grantor have in common, at the granted level. */
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
