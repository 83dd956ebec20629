import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { phoneKeyLayout, type PhoneKeyLayout, type TemplateLevel } from '@carillon/contracts/settings';
import { keyLayoutQuery } from './config-template.calls.ts';

/** Levels whose phones have the keys of a model. */
const ofModels: ReadonlySet<TemplateLevel> = new Set(['model', 'series', 'device']);
const general = phoneKeyLayout(null);

/** Returns the keys of the phones that a template is for, and whether they are known yet. */
export function useLayout(level: TemplateLevel, target: string): { layout: PhoneKeyLayout; isKnown: boolean } {
  const [model] = useDebouncedValue(target.trim(), 250);
  const { data, isPlaceholderData } = useQuery({
    ...keyLayoutQuery(level, model),
    enabled: ofModels.has(level) && model !== '',
    placeholderData: keepPreviousData,
  });
  return {
    layout: (ofModels.has(level) && data) || general,
    isKnown: !ofModels.has(level) || model === '' || (data !== undefined && !isPlaceholderData),
  };
}
