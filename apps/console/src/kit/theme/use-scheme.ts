import { useMantineColorScheme } from '@mantine/core';

/** Returns whether the scheme is dark, and a function that toggles it. */
export function useScheme(): { dark: boolean; toggle: () => void } {
  const { setColorScheme } = useMantineColorScheme();
  const dark = document.documentElement.dataset['mantineColorScheme'] === 'dark';
  return { dark, toggle: () => setColorScheme(dark ? 'light' : 'dark') };
}
