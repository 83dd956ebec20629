/** The tabs of the system's settings, in their order; the first has no name in the address. */
export const configTabs = ['names', 'mail', 'fcs', 'imports', 'certificates', 'apps', 'legal'] as const;
export type ConfigTab = (typeof configTabs)[number];
