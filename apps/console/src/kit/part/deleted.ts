import type { TextKey } from '../text/key.ts';
import { count, pageTexts } from '../text/text.ts';
import { useText } from '../text/use-text.ts';
import { showToast } from './toast.ts';

/** Nouns with undo texts: `undo.siteDeleted` and `undo.siteRestored` for a site. */
export type Undoable = {
  [K in TextKey]: K extends `undo.${infer W}Deleted` ? (`undo.${W}Restored` extends TextKey ? W : never) : never;
}[TextKey];
/** Nouns of which several are deleted at once: counted by `undo.usersDeleted` and `undo.usersRestored`. */
type Several = { [W in Undoable]: `${W}s` extends Undoable ? W : never }[Undoable];

/** Number of restored records, and names of those that could not be restored. */
export type Restored = { restored: number; taken?: readonly string[] };
/** One record by name, or a number of records. */
export type Gone = { what: Exclude<Undoable, `${Several}s`>; name: string } | { what: Several; many: number };

/** Reports a deletion with an undo, which then reports how many records were restored and which could not be. */
export function useDeleted(): (gone: Gone, back: () => Promise<Restored>) => Promise<void> {
  const { t } = useText();
  return async (gone, back) => {
    await pageTexts();
    const say = (end: 'Deleted' | 'Restored', many: number) =>
      'name' in gone
        ? t(`undo.${gone.what}${end}`, { name: gone.name })
        : t(`undo.${gone.what}s${end}`, { count: many, number: count(many) });
    showToast(say('Deleted', 'many' in gone ? gone.many : 1), {
      run: async () => {
        const { restored, taken = [] } = await back();
        if (restored + taken.length === 0) return t('undo.already');
        const names = t('undo.userTaken', { names: taken.join(', ') });
        if (restored === 0) return names;
        return taken.length === 0 ? say('Restored', restored) : `${say('Restored', restored)} · ${names}`;
      },
    });
  };
}
