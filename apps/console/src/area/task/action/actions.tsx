import { useMemo, type ReactNode } from 'react';
import { IconBolt, IconPower } from '@tabler/icons-react';
import { catalogue } from 'virtual:actions';
import type { Target } from '../../../kit/grid/selection.ts';
import { useAccess } from '../../../kit/session/access.ts';
import { currentLanguage } from '../../../kit/session/language.ts';

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

/** Icons of the actions by the name that the action gives. */
const icons = { power: IconPower } as const;
export const actionIcon = (name: string, size = 16): ReactNode => {
  const Glyph = icons[name as keyof typeof icons] ?? IconBolt;
  return <Glyph size={size} stroke={1.75} aria-hidden />;
};

export { catalogue };
export const actionOf = (key: string) => catalogue.find((a) => a.key === key);
/** The name of an action in the user's language, or its key when this console does not know it. */
export const actionName = (key: string): string => actionOf(key)?.name[currentLanguage()] ?? key;

/** The actions that this user may use. */
export function useActions(): readonly { key: string; label: string; icon: ReactNode }[] {
  const access = useAccess();
  const allowed = catalogue
    .filter((a) => access.can('addTask', a.permission))
    .map((a) => a.key)
    .join();
  return useMemo(
    () =>
      catalogue
        .filter((a) => allowed.split(',').includes(a.key))
        .map((a) => ({ key: a.key, label: actionName(a.key), icon: actionIcon(a.icon) })),
    [allowed],
  );
}
