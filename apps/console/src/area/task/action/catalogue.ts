import type * as Tabler from '@tabler/icons-react';
import { actions, mayRetry, type Action, type ActionIcon, type ActionKey } from '@carillon/actions';
import type { PermissionKey } from '@carillon/contracts';
import { fieldsOf, type ParamField } from './params.ts';

/** An action as the console shows it, without its texts. */
export interface ActionCard {
  key: ActionKey;
  /** An unknown name does not compile. */
  icon: Extract<keyof typeof Tabler, `Icon${string}`>;
  right: PermissionKey;
  fields: readonly ParamField[];
  isDestructive: boolean;
  /** Whether a task of it can retry failures, and spread its devices over time. */
  pacing: { retries: boolean; spreads: boolean };
  /** Minutes by which a task without a time limit may run late; 0 for a momentary action. */
  lateMinutes: number;
  /** What devices need for it, if not all have it. */
  needs: Action['needs'] | null;
}

/**
 * The console's data of every action. Evaluated at build time (`virtual:actions`), so that the schema library and the
 * server's part of an action stay out of the browser.
 */
export const catalogue: readonly ActionCard[] = Object.values(actions)
  // Actions with a file come first, so that the most frequent ones are last, at the main button.
  .toSorted((a, b) => Number(b.file !== undefined) - Number(a.file !== undefined))
  .map(({ isDestructive = false, isMomentary = false, needs = null, ...action }) => ({
    key: action.key as ActionKey,
    icon: action.icon as ActionIcon,
    right: action.right,
    fields: fieldsOf(action),
    isDestructive,
    pacing: { retries: mayRetry({ isMomentary, isDestructive }), spreads: !isMomentary },
    lateMinutes: isMomentary ? 0 : action.expiresAfterMs / 60_000,
    needs,
  }));
