import { actionRights } from './device/action-rights.ts';

/** An entry of the permission tree (ROLE-02): a menu entry with its button keys. */
export interface MenuDefinition {
  /** Key of the menu entry, and of the permission to see it. */
  key: string;
  /** Language key of its name. */
  langKey: string;
  path?: string;
  /** Tabler icon name. */
  icon?: string;
  keepAlive?: boolean;
  /** A page or permission that is reached from another page and not shown in the menu. */
  hidden?: boolean;
  /** Only the super administrator's type of account can use it, whatever its role contains. */
  superOnly?: boolean;
  buttons?: readonly string[];
  children?: readonly MenuDefinition[];
}

/** The entries that do not belong to a noun. A noun declares its own entry and its position among these. */
export const fixedMenu = [
  { key: 'home', langKey: 'menu.home', path: '/wel/home', icon: 'home' },
  {
    key: 'device',
    langKey: 'menu.devices',
    path: '/device/list',
    icon: 'device',
    keepAlive: true,
    buttons: [
      'addDevice',
      'editDevice',
      'deleteDevice',
      'exportDevice',
      'importDevice',
      'renewDeviceSecret',
      'disableDevice',
      'replaceDevice',
      ...actionRights,
    ],
  },
  { key: 'deviceLog', langKey: 'menu.deviceLogs', path: '/device/deviceLog', icon: 'history' },
  // Its other entries belong to nouns.
  {
    key: 'account',
    langKey: 'menu.accounts',
    icon: 'account',
    children: [{ key: 'ldapAccount', langKey: 'menu.ldapAccounts', path: '/account/ldap/ldapAccount', icon: 'book' }],
  },
  {
    key: 'task',
    langKey: 'menu.tasks',
    path: '/task/list',
    icon: 'task',
    keepAlive: true,
    buttons: ['addTask', 'runTask', 'rerunTask', 'stopTask', 'cancelTask', 'approveTask', 'overrideFreeze'],
  },
  // Its entries belong to nouns.
  {
    key: 'resources',
    langKey: 'menu.resources',
    icon: 'deviceGroup',
    children: [
      // Official versions are in the same list, and only the operator of the installation changes them.
      { key: 'officialFirmware', langKey: 'menu.officialFirmware', icon: 'folder', hidden: true, superOnly: true },
    ],
  },
  {
    key: 'alarm',
    langKey: 'menu.alarms',
    path: '/alarm',
    icon: 'alarm',
    buttons: ['deleteMessage', 'editAlarm', 'editAlarmRule'],
  },
  {
    key: 'channels',
    langKey: 'menu.channels',
    icon: 'company',
    children: [
      {
        key: 'channel',
        langKey: 'menu.boundChannels',
        path: '/channel/boundChannelList',
        icon: 'company',
        buttons: [
          'addChannel',
          'editChannel',
          'disableChannel',
          'bindChannel',
          'unbindChannel',
          'offerChannel',
          'enterChannel',
        ],
      },
      {
        key: 'channelStatistic',
        langKey: 'menu.channelStatistics',
        path: '/channel/statistics',
        icon: 'chart',
      },
    ],
  },
  {
    key: 'system',
    langKey: 'menu.system',
    icon: 'system',
    children: [
      {
        key: 'user',
        langKey: 'menu.users',
        path: '/system/users',
        icon: 'user',
        keepAlive: true,
        buttons: [
          'addUser',
          'editUser',
          'deleteUser',
          'enableUser',
          'disableUser',
          'unlockUser',
          'resendActivation',
          'editEnterprise',
        ],
      },
      {
        // Adding, editing and deleting roles are themselves menu entries (ROLE-02).
        key: 'role',
        langKey: 'menu.roles',
        path: '/system/roles',
        icon: 'role',
        children: [
          { key: 'addRole', langKey: 'menu.addRole', path: '/system/users/addRole', icon: 'role', hidden: true },
          { key: 'editRole', langKey: 'menu.editRole', path: '/system/users/editRole', icon: 'role', hidden: true },
          { key: 'deleteRole', langKey: 'menu.deleteRole', icon: 'role', hidden: true },
        ],
      },
      {
        key: 'menu',
        langKey: 'menu.menus',
        path: '/menu/index',
        icon: 'menu',
        buttons: ['addMenu', 'editMenu', 'deleteMenu'],
      },
      {
        key: 'company',
        langKey: 'menu.companies',
        path: '/system/company',
        icon: 'company',
        superOnly: true,
        buttons: ['addCompany', 'editCompany', 'disableCompany', 'settleMac'],
        children: [
          {
            key: 'importDelivery',
            langKey: 'menu.deliveries',
            path: '/system/company/delivery',
            icon: 'company',
            hidden: true,
          },
        ],
      },
      {
        key: 'mailServer',
        langKey: 'menu.mailServer',
        path: '/system/mailServer',
        icon: 'mail',
        buttons: ['editMailServer'],
      },
      {
        key: 'redirectService',
        langKey: 'menu.redirectService',
        path: '/system/redirectService',
        icon: 'redirect',
        buttons: ['editRedirectService'],
      },
      { key: 'twoStep', langKey: 'menu.twoStep', path: '/system/twoStep', icon: 'twoStep', buttons: ['editTwoStep'] },
      {
        key: 'companyKey',
        langKey: 'menu.companyKey',
        path: '/system/companyKey',
        icon: 'key',
        buttons: ['renewCompanyKey'],
      },
      {
        key: 'approval',
        langKey: 'menu.approval',
        path: '/system/approval',
        icon: 'approval',
        buttons: ['editApproval'],
      },
      {
        key: 'supportAccess',
        langKey: 'menu.supportAccess',
        path: '/system/supportAccess',
        icon: 'help',
        buttons: ['addSupportAccess', 'endSupportAccess'],
      },
      {
        key: 'apiToken',
        langKey: 'menu.apiDeveloper',
        path: '/system/apiDeveloper',
        icon: 'api',
        buttons: ['editApi', 'addApiToken', 'revokeApiToken'],
      },
      {
        key: 'config',
        langKey: 'menu.config',
        path: '/system/config',
        icon: 'config',
        superOnly: true,
        buttons: ['editConfig'],
      },
      { key: 'time', langKey: 'menu.time', path: '/system/time', icon: 'time', superOnly: true, buttons: ['editTime'] },
      { key: 'operationLog', langKey: 'menu.operationLog', path: '/system/operationLog', icon: 'log' },
    ],
  },
] as const satisfies readonly MenuDefinition[];

type MenuKeysOf<E> = E extends { key: infer K }
  ? K | (E extends { children: readonly (infer C)[] } ? MenuKeysOf<C> : never)
  : never;
type IconsOf<E> =
  | (E extends { icon: infer I } ? I : never)
  | (E extends { children: readonly (infer C)[] } ? IconsOf<C> : never);
/** Icons of the entries that do not belong to a noun. */
export type FixedMenuIcon = IconsOf<(typeof fixedMenu)[number]> & string;

/** Key of an entry that does not belong to a noun. */
export type FixedMenuKey = MenuKeysOf<(typeof fixedMenu)[number]> & string;

type GroupKeysOf<E> = E extends { key: infer K; children: readonly unknown[] } ? K : never;
/** Key of an entry that has children. */
export type MenuGroupKey = GroupKeysOf<(typeof fixedMenu)[number]> & string;
