import type { KeyboardEvent, PointerEvent, ReactNode } from 'react';
import { phoneKeyName, type PhoneKeyArea, type PhoneKeyLayout, type PhoneKeyName } from '@carillon/contracts/settings';
import { useText } from '../../../kit/text/use-text.ts';
import { isArrow, nearest, onOtherPage, type Arrow, type KeyDraft } from './key-moves.ts';
import { keyPlaceWords, keyWords, shortWords } from './key-words.ts';
import { PageTabs } from './page-tabs.tsx';
import { useKeyDrag } from './use-key-drag.ts';
import type { KeyEditor } from './use-key-editor.ts';
import css from './phone-key.module.css';

interface Picture {
  layout: PhoneKeyLayout;
  keys: KeyDraft;
  editor: KeyEditor;
  /** Keys with a wrong value. */
  wrong: ReadonlySet<PhoneKeyName>;
}

const range = (from: number, to: number) => Array.from({ length: Math.max(to - from + 1, 0) }, (_, i) => from + i);

/** Returns whether a key is dragged, how it is drawn by its position, and what ends a drag. */
function useKeyButtons(picture: Picture) {
  const { editor } = picture;
  const drop = (from: PhoneKeyName, to: PhoneKeyName) => {
    editor.move(from, to);
    editor.goTo(to);
  };
  const { drag, onPointerDown, wasDragged } = useKeyDrag(drop, (tab) => {
    const [area, page] = tab.split(' ');
    editor.onPage(area as PhoneKeyArea, Number(page));
  });
  const onKeyDown = keyboard(picture);
  const button = (area: PhoneKeyArea) => (position: number) => {
    const name = phoneKeyName({ area, page: editor.pages[area], position });
    const isTarget = drag?.over === name || editor.moving === name;
    return (
      <Key
        key={name}
        name={name}
        picture={picture}
        drag={drag?.from === name ? 'from' : isTarget ? 'over' : undefined}
        onPointerDown={onPointerDown(name)}
        onKeyDown={onKeyDown}
        onClick={() => {
          if (!wasDragged()) editor.choose(name);
        }}
      />
    );
  };
  return { isDragging: drag !== undefined, button };
}

/** Draws a phone with its keys, page by page: side keys beside the screen, soft keys below it, and DSS keys. */
export function PhonePicture(picture: Picture) {
  const { t } = useText();
  const { isDragging, button } = useKeyButtons(picture);
  const { layout, editor } = picture;
  const { side, dss, soft } = layout.areas;
  const leftOnes = Math.ceil(side.perPage / 2);
  const nameOfDss = t(layout.secondScreen ? 'phoneKey.secondScreen' : 'phoneKey.area.dss');
  return (
    <div className={css.phone} role="group" aria-label={t('phoneKey.picture')} data-picture data-dragging={isDragging}>
      <div className={css.top}>
        <div className={css.column}>{range(1, leftOnes).map(button('side'))}</div>
        <Screen picture={picture}>
          {soft.perPage > 0 && <div className={css.soft}>{range(1, soft.perPage).map(button('soft'))}</div>}
        </Screen>
        <div className={css.column}>{range(leftOnes + 1, side.perPage).map(button('side'))}</div>
      </div>
      {dss.perPage > 0 && (
        <section className={css.dss} data-second={layout.secondScreen} aria-label={nameOfDss}>
          <header>
            <h3>{nameOfDss}</h3>
            <PageTabs
              area="dss"
              pages={dss.pages}
              page={editor.pages.dss}
              onPage={(page) => editor.onPage('dss', page)}
            />
          </header>
          <div className={css.grid}>{range(1, dss.perPage).map(button('dss'))}</div>
        </section>
      )}
    </div>
  );
}

/** The screen says what the current key does, and has the pages of the side keys. */
function Screen({ picture: { layout, keys, editor }, children }: { picture: Picture; children: ReactNode }) {
  const { t } = useText();
  const { pages, onPage, current, moving } = editor;
  const key = keys[current];
  return (
    <div className={css.middle}>
      <div className={css.screen}>
        <strong>{moving === undefined ? keyPlaceWords(current) : t('phoneKey.choosePlace')}</strong>
        <span>{key === undefined ? t('phoneKey.notSet') : keyWords(key)}</span>
      </div>
      {children}
      <PageTabs area="side" pages={layout.areas.side.pages} page={pages.side} onPage={(page) => onPage('side', page)} />
    </div>
  );
}

function Key({
  name,
  picture: { keys, wrong, editor },
  drag,
  onPointerDown,
  onKeyDown,
  onClick,
}: {
  name: PhoneKeyName;
  picture: Picture;
  drag: 'from' | 'over' | undefined;
  onPointerDown: (event: PointerEvent) => void;
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
  onClick: () => void;
}) {
  const { t } = useText();
  const key = keys[name];
  const words = key === undefined ? t('phoneKey.notSet') : keyWords(key);
  return (
    <button
      type="button"
      className={css.key}
      data-key={name}
      data-set={key !== undefined}
      data-drag={drag}
      data-wrong={wrong.has(name)}
      aria-pressed={editor.chosen === name}
      tabIndex={editor.current === name ? 0 : -1}
      aria-label={`${keyPlaceWords(name)}: ${words}`}
      title={words}
      onFocus={() => editor.setCurrent(name)}
      onPointerDown={key === undefined ? undefined : onPointerDown}
      onKeyDown={onKeyDown}
      onClick={onClick}
    >
      {key === undefined ? name.slice(name.lastIndexOf('.') + 1) : shortWords(key)}
    </button>
  );
}

/**
 * Arrows go to the nearest key and Page Up and Page Down to another page; with Shift they take the key along. Delete
 * clears it.
 */
const keyboard =
  ({ layout, keys, editor }: Picture) =>
  (event: KeyboardEvent<HTMLElement>) => {
    const at = event.currentTarget;
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const name = at.dataset['key'] as PhoneKeyName;
    const go = (to: PhoneKeyName | undefined) => {
      event.preventDefault();
      if (to === undefined) return;
      if (event.shiftKey && keys[name] !== undefined) editor.move(name, to);
      editor.goTo(to);
    };
    if (isArrow(event.key)) go(besides(at, event.key));
    else if (event.key === 'PageDown') go(onOtherPage(name, 1, layout));
    else if (event.key === 'PageUp') go(onOtherPage(name, -1, layout));
    else if (event.key === 'Delete' || event.key === 'Backspace') {
      event.preventDefault();
      editor.clear(name);
    } else if (event.key === 'Escape' && editor.moving !== undefined) {
      event.stopPropagation();
      editor.cancel();
    }
  };

/** Returns the nearest key of the picture in a direction. */
function besides(at: HTMLElement, arrow: Arrow): PhoneKeyName | undefined {
  const picture = at.closest('[data-picture]')!;
  const others = [...picture.querySelectorAll<HTMLElement>('[data-key]')].filter((one) => one !== at);
  const boxes = others.map((one) => {
    const { left, top, width, height } = one.getBoundingClientRect();
    return { left, top, width, height, name: one.dataset['key'] as PhoneKeyName };
  });
  return nearest(at.getBoundingClientRect(), boxes, arrow)?.name;
}
