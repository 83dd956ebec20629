import type * as Tabler from '@tabler/icons-react';
import { actions, mayRetry, type Action, type ActionIcon, type ActionKey } from '@carillon/actions';
import type { PermissionKey } from '@carillon/contracts';
import { fieldsOf, type ParamField } from './params.ts';

/** An action as the console shows it, but for its words, which are texts. */
export interface ActionCard {
  key: ActionKey;
  /** One that there is not does not compile. */
  icon: Extract<keyof typeof Tabler, `Icon${string}`>;
  right: PermissionKey;
  fields: readonly ParamField[];
  isDestructive: boolean;
  /** Whether a task of it tries again where it failed, and spreads its devices over a time. */
  pacing: { retries: boolean; spreads: boolean };
  /** What a device needs for it, where not every one has it. */
  needs: Action['needs'] | null;
}

/**
 * What the console shows of every action. Evaluated when the console is built (`virtual:actions`): the schema library
 * and what a server does with an action stay out of the browser.
 */
export const catalogue: readonly ActionCard[] = Object.values(actions)
  // Those that bring something first, so that what is done most often stands last, where the main button is.
  .toSorted((a, b) => Number(b.file !== undefined) - Number(a.file !== undefined))
  .map(({ key, icon, right, params, file, chooses, isDestructive = false, isMomentary = false, needs = null }) => ({
    key: key as ActionKey,
    icon: icon as ActionIcon,
    right,
    fields: fieldsOf({ params, file, ...(chooses ? { chooses } : {}) }),
    isDestructive,
    pacing: { retries: mayRetry({ isMomentary, isDestructive }), spreads: !isMomentary },
    needs,
  }));
