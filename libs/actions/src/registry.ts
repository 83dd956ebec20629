/** All actions. A new one needs its folder and its line here. */
export { configUpdate } from './config-update/config-update.action.ts';
export { doorControl } from './door-control/door-control.action.ts';
export { factoryReset } from './factory-reset/factory-reset.action.ts';
export { firmwareUpgrade } from './firmware-upgrade/firmware-upgrade.action.ts';
export { locate } from './locate/locate.action.ts';
export { reboot } from './reboot/reboot.action.ts';
export { resourceUpgrade } from './resource-upgrade/resource-upgrade.action.ts';
