import { useEffect, useRef, useState } from 'react';
import {
  phoneKeyName,
  phoneKeyPlace,
  type PhoneKeyArea,
  type PhoneKeyLayout,
  type PhoneKeyName,
} from '@carillon/contracts/settings';
import { useText } from '../../../kit/text/use-text.ts';
import { swapped, withKey, type KeyDraft } from './key-moves.ts';
import { keyPlaceWords } from './key-words.ts';

export type ShownPages = Readonly<Record<PhoneKeyArea, number>>;

/** Returns the pages in sight: those of another layout may be fewer. */
const within = (pages: ShownPages, { areas }: PhoneKeyLayout): ShownPages => ({
  side: Math.max(Math.min(pages.side, areas.side.pages), 1),
  dss: Math.max(Math.min(pages.dss, areas.dss.pages), 1),
  soft: 1,
});
const inSight = (name: PhoneKeyName, pages: ShownPages, { areas }: PhoneKeyLayout): boolean => {
  const { area, page, position } = phoneKeyPlace(name);
  return pages[area] === page && position <= areas[area].perPage;
};
const firstInSight = (pages: ShownPages, { areas }: PhoneKeyLayout): PhoneKeyName => {
  const area = (['side', 'soft', 'dss'] as const).find((one) => areas[one].perPage > 0) ?? 'side';
  return phoneKeyName({ area, page: pages[area], position: 1 });
};

/** What the editor of keys shows and does: the pages, the current key, the one that is edited, and one that moves. */
export function useKeyEditor(
  layout: PhoneKeyLayout,
  keys: KeyDraft,
  onKeys: (keys: KeyDraft) => void,
  onSwap: (from: PhoneKeyName, to: PhoneKeyName) => void,
) {
  const { t } = useText();
  const box = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState<ShownPages>({ side: 1, dss: 1, soft: 1 });
  const [last, setCurrent] = useState<PhoneKeyName>();
  const [chosen, setChosen] = useState<PhoneKeyName>();
  const [moving, setMoving] = useState<PhoneKeyName>();
  const [said, setSaid] = useState('');
  const [focus, setFocus] = useState<{ name: PhoneKeyName }>();
  useEffect(() => {
    if (focus) box.current?.querySelector<HTMLElement>(`[data-key="${focus.name}"]`)?.focus();
  }, [focus]);
  const pages = within(shown, layout);
  // The Tab key reaches a key that is in sight.
  const current = last !== undefined && inSight(last, pages, layout) ? last : firstInSight(pages, layout);
  const onPage = (area: PhoneKeyArea, page: number) => setShown((all) => ({ ...all, [area]: page }));
  /** Shows a key and gives it the focus. */
  const goTo = (name: PhoneKeyName) => {
    const { area, page } = phoneKeyPlace(name);
    onPage(area, page);
    setCurrent(name);
    setFocus({ name });
  };
  const move = (from: PhoneKeyName, to: PhoneKeyName) => {
    onKeys(swapped(keys, from, to));
    onSwap(from, to);
    setMoving(undefined);
    setChosen(undefined);
    setSaid(t('phoneKey.moved', { name: keyPlaceWords(to) }));
  };
  const clear = (name: PhoneKeyName) => {
    if (keys[name] === undefined) return;
    onKeys(withKey(keys, name, undefined));
    setSaid(t('phoneKey.cleared', { name: keyPlaceWords(name) }));
  };
  /** Opens a key, or puts the one that moves in its place. */
  const choose = (name: PhoneKeyName) => {
    if (moving !== undefined && moving !== name) {
      move(moving, name);
      goTo(name);
    } else {
      setMoving(undefined);
      setChosen(name);
    }
  };
  const close = (name: PhoneKeyName) => {
    setChosen(undefined);
    goTo(name);
  };
  const start = (name: PhoneKeyName) => {
    setMoving(name);
    goTo(name);
  };
  const cancel = () => setMoving(undefined);
  return {
    box,
    pages,
    current,
    chosen,
    moving,
    said,
    onPage,
    setCurrent,
    goTo,
    move,
    clear,
    choose,
    close,
    start,
    cancel,
  };
}
export type KeyEditor = ReturnType<typeof useKeyEditor>;
