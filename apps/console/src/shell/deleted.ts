import { count, pageTexts } from '../text/text.ts';
import { useText } from '../text/use-text.ts';
import { told } from './told.ts';

/** Says that something was deleted, with the way back, which answers how many came back; texts are those of `undo.<what>Deleted` and `undo.<what>Restored`. */
export function useDeleted(): (what: 'site', many: number, back: () => Promise<number>) => Promise<void> {
  const { t } = useText();
  return async (what, many, back) => {
    await pageTexts();
    told('success', t(`undo.${what}Deleted`, { count: many, number: count(many) }), { run: async () => { const n = await back(); return t(`undo.${what}Restored`, { count: n, number: count(n) }); } });
  };
}
