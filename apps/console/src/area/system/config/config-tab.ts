/** The tabs of the system settings in their order; the first one has no name in the URL. */
export const configTabs = ['names', 'mail', 'fcs', 'imports', 'certificates', 'apps', 'legal'] as const;
export type ConfigTab = (typeof configTabs)[number];
