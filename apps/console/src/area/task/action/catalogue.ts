import type * as Tabler from '@tabler/icons-react';
import { actions, type ActionIcon, type ActionKey } from '@carillon/actions';
import type { PermissionKey } from '@carillon/contracts';
import { fieldsOf, type ParamField } from './params.ts';

/** An action as the console shows it, but for its words, which are texts. */
export interface ActionCard {
  key: ActionKey;
  /** One that there is not does not compile. */
  icon: Extract<keyof typeof Tabler, `Icon${string}`>;
  right: PermissionKey;
  fields: readonly ParamField[];
}

/**
 * What the console shows of every action. Evaluated when the console is built (`virtual:actions`): the schema library
 * and what a server does with an action stay out of the browser.
 */
export const catalogue: readonly ActionCard[] = Object.values(actions).map(({ key, icon, right, params }) => ({
  key: key as ActionKey,
  icon: icon as ActionIcon,
  right,
  fields: fieldsOf(params),
}));
