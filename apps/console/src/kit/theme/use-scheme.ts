import { useMantineColorScheme } from '@mantine/core';

/** Dark or light, and how to change it. */
export function useScheme(): { dark: boolean; toggle: () => void } {
  const { setColorScheme } = useMantineColorScheme();
  const dark = document.documentElement.dataset['mantineColorScheme'] === 'dark';
  return { dark, toggle: () => setColorScheme(dark ? 'light' : 'dark') };
}
