import { useMemo, type ReactNode } from 'react';
import { hasText, t } from '../../../kit/text/translate.ts';
import { catalogue } from 'virtual:actions';
import type { Target } from '../../../kit/grid/selection.ts';
import { useAccess } from '../../../kit/session/access.ts';

/** What somebody wants to do, to which devices. */
export interface ActionRequest {
  action: string;
  target: Target<unknown>;
  count: number;
  name?: string | undefined;
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
/** The name of an action in the user's language, or its key when this console does not know it. */
export const actionName = (key: string): string => {
  const text = `deviceAction.${key}`;
  return hasText(text) ? t(text as 'menu.home') : key;
};

interface Usable {
  key: string;
  label: string;
  icon: ReactNode;
  /** What a device needs for it, where not every one has it. */
  needs: 'doors' | null | undefined;
}

/** The actions that this user may use. */
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
