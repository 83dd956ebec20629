import type { TextKey } from '../text/key.ts';
import { count, pageTexts } from '../text/text.ts';
import { useText } from '../text/use-text.ts';
import { told } from './told.ts';

/** What has its words for it: `undo.siteDeleted` and `undo.siteRestored` for a site. */
export type Undoable = {
  [K in TextKey]: K extends `undo.${infer W}Deleted` ? (`undo.${W}Restored` extends TextKey ? W : never) : never;
}[TextKey];

/** How many came back, and the names of those that could not. */
export type Restored = { restored: number; taken?: readonly string[] };

/**
 * Says that something was deleted, with the way back; that answers how many came back, and the names of those that
 * could not.
 */
export function useDeleted(): (what: Undoable, many: number, back: () => Promise<Restored>) => Promise<void> {
  const { t } = useText();
  return async (what, many, back) => {
    await pageTexts();
    told('success', t(`undo.${what}Deleted`, { count: many, number: count(many) }), {
      run: async () => {
        const { restored, taken = [] } = await back();
        if (restored + taken.length === 0) return t('undo.already');
        const text = t(`undo.${what}Restored`, { count: restored, number: count(restored) });
        return taken.length === 0 ? text : `${text} · ${t('undo.userTaken', { names: taken.join(', ') })}`;
      },
    });
  };
}
