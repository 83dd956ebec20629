import type { MantineColorScheme, MantineColorSchemeManager } from '@mantine/core';
import { keep, onKept, recall } from '../browser/storage.ts';
import { themes, type Accent, type ThemeName } from './tokens.ts';

const accentNames = ['verdigris', 'cobalt', 'plum', 'brass', 'graphite'] as const satisfies readonly Accent[];
export { accentNames, themes };

export const chosenAccent = (): Accent => {
  const a = recall<Accent>('colour');
  return a !== undefined && accentNames.includes(a) ? a : 'verdigris';
};
export const chosenTheme = (): ThemeName => {
  const n = recall<ThemeName>('theme');
  return n !== undefined && themes.includes(n) ? n : 'carillon';
};

/** Applies the stored theme and colour before React starts, so that nothing is painted twice. */
export function applyLook(): void {
  const root = document.documentElement;
  root.dataset['theme'] = chosenTheme();
  root.dataset['accent'] = chosenAccent();
  const scheme = schemeManager.get('auto');
  root.dataset['mantineColorScheme'] =
    scheme === 'auto' ? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light') : scheme;
}

export function chooseLook(look: { theme?: ThemeName; accent?: Accent }): void {
  if (look.theme) keep('theme', look.theme);
  if (look.accent) keep('colour', look.accent);
  applyLook();
}

let stop: (() => void) | undefined;
/** Stores Mantine's light, dark or auto like everything else (SHELL-12). */
export const schemeManager: MantineColorSchemeManager = {
  get: (fallback) => recall<MantineColorScheme>('scheme') ?? fallback,
  set: (value) => keep('scheme', value),
  subscribe: (update) => {
    stop = onKept('scheme', () => update(recall<MantineColorScheme>('scheme') ?? 'auto'));
  },
  unsubscribe: () => stop?.(),
  clear: () => keep('scheme', undefined),
};
