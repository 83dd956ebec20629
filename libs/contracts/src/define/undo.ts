export { restoreMinutes } from './constant.ts';
