import { useMemo, type ReactNode } from 'react';
import { hasText, t } from '../../../kit/text/translate.ts';
import { catalogue } from 'virtual:actions';
import type { Target } from '../../../kit/grid/selection.ts';
import { useAccess } from '../../../kit/api/access.ts';

/** An action that a user wants to run, and its devices. */
export interface ActionRequest {
  action: string;
  target: Target<unknown>;
  count: number;
  name?: string | undefined;
  /** Parameters that are chosen already. */
  params?: Readonly<Record<string, unknown>>;
}
export const actionRequest = (
  action: string,
  target: Target<unknown>,
  count: number,
  name?: string,
): ActionRequest => ({ action, target, count, name });

export const actionIcon = (key: string, size = 16): ReactNode => {
  const Glyph = catalogue.find((a) => a.key === key)?.icon;
  return Glyph && <Glyph size={size} stroke={1.75} aria-hidden />;
};

export const actionKeys: readonly string[] = catalogue.map((a) => a.key);
/** Returns the name of an action in the user's language, or its key when this console does not know it. */
export const actionName = (key: string): string => {
  const text = `deviceAction.${key}`;
  return hasText(text) ? t(text as 'menu.home') : key;
};

interface Usable {
  key: string;
  label: string;
  icon: ReactNode;
  /** What devices need for it, if not all have it. */
  needs: 'doors' | null | undefined;
}

/** Returns the actions that this user may run. */
export function useActions(): readonly Usable[] {
  const access = useAccess();
  const allowed = catalogue
    .filter((a) => access.can('addTask', a.right))
    .map((a) => a.key)
    .join();
  return useMemo(
    () =>
      catalogue
        .filter(({ key }) => allowed.split(',').includes(key))
        .map(({ key, needs }) => ({ key, label: actionName(key), icon: actionIcon(key), needs })),
    [allowed],
  );
}
