/**
 * The permission tree (spec, sections 2 and 6): menus with their button keys. One constant for the guard, the seeded
 * menu, roles and the console. A role stores keys; a call names one.
 */
export interface MenuDefinition {
  /** Key of the menu entry, and of the right to see it. */
  key: string;
  /** Language key of its name. */
  langKey: string;
  path?: string;
  /** Tabler icon name. */
  icon?: string;
  keepAlive?: boolean;
  buttons?: readonly string[];
  children?: readonly MenuDefinition[];
}

export const menuTree = [
  { key: 'home', langKey: 'menu.home', path: '/wel/home', icon: 'home' },
  {
    key: 'device', langKey: 'menu.devices', path: '/device/list', icon: 'device', keepAlive: true,
    buttons: ['addDevice', 'editDevice', 'deleteDevice', 'exportDevice', 'renewDeviceSecret', 'rebootDevice'],
  },
  { key: 'task', langKey: 'menu.tasks', path: '/task/list', icon: 'task', keepAlive: true, buttons: ['addTask', 'stopTask', 'cancelTask'] },
  { key: 'alarm', langKey: 'menu.alarms', path: '/alarm', icon: 'alarm', buttons: ['deleteMessage'] },
  { key: 'operationLog', langKey: 'menu.operationLog', path: '/system/operationLog', icon: 'log' },
] as const satisfies readonly MenuDefinition[];

type Entry = (typeof menuTree)[number];
type ButtonOf<E> = E extends { buttons: readonly (infer B)[] } ? B : never;
/** A menu's key or a button's key. */
export type PermissionKey = (Entry['key'] | ButtonOf<Entry>) & string;

export const permissionKeys: readonly PermissionKey[] = (menuTree as readonly MenuDefinition[]).flatMap(function keys(m): PermissionKey[] {
  return [m.key as PermissionKey, ...((m.buttons ?? []) as readonly PermissionKey[]), ...(m.children ?? []).flatMap(keys)];
});

/** Seeded roles: everything, and looking only. */
export const seededRoles = {
  administrator: permissionKeys,
  viewer: ['home', 'device', 'task', 'alarm'] as readonly PermissionKey[],
} as const;
