import { useMemo, type ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { IconBolt, IconPower } from '@tabler/icons-react';
import { useAccess } from '../session/access.ts';
import { currentLanguage } from '../text/language.ts';
import type { Target } from '../grid/selection.ts';

/** What somebody wants to do, to which devices. */
export interface ActionRequest { action: string; target: Target<unknown>; count: number; name?: string | undefined }
export const actionRequest = (action: string, target: Target<unknown>, count: number, name?: string): ActionRequest => ({ action, target, count, name });

/** Icons of the actions by the name that the action gives. */
const icons = { power: IconPower } as const;
export const actionIcon = (name: string, size = 16): ReactNode => { const Glyph = icons[name as keyof typeof icons] ?? IconBolt; return <Glyph size={size} stroke={1.75} aria-hidden />; };

/** All actions there are; loaded on its own, because with their parameters comes the schema library. */
export const actionsQuery = { queryKey: ['session', 'actions'], queryFn: async () => (await import('./catalogue.ts')).actions, staleTime: Number.POSITIVE_INFINITY, gcTime: Number.POSITIVE_INFINITY };

/** The actions that this user may use, in his language. */
export function useActions(): readonly { key: string; label: string; icon: ReactNode }[] {
  const { data } = useQuery(actionsQuery);
  const access = useAccess();
  const allowed = Object.values(data ?? {}).filter((a) => access.can('addTask', a.permission)).map((a) => a.key).join();
  return useMemo(() => Object.values(data ?? {}).filter((a) => allowed.split(',').includes(a.key)).map((a) => ({ key: a.key, label: a.name[currentLanguage()], icon: actionIcon(a.icon) })), [data, allowed]);
}

/** The name of an action in the user's language, or its key while it is loading or unknown here. */
export function useActionName(): (key: string) => string {
  const { data } = useQuery(actionsQuery);
  return (key) => data?.[key]?.name[currentLanguage()] ?? key;
}
