/** Every action there is. A new one is its folder and its line here. */
export { locate } from './locate/locate.action.ts';
export { reboot } from './reboot/reboot.action.ts';
