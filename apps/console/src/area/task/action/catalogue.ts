import { actions } from '@carillon/actions';
import { fieldsOf, type ActionCard } from './params.ts';

/**
 * What the console shows of every action. Evaluated when the console is built (`virtual:actions`): the schema library
 * and what a server does with an action stay out of the browser.
 */
export const catalogue: readonly ActionCard[] = Object.values(actions).map((a) => ({
  key: a.key,
  name: a.name,
  effect: a.effect,
  icon: a.icon,
  permission: a.permission,
  labels: a.labels,
  fields: fieldsOf(a.params),
}));
