import { Checkbox } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconMinus, IconPlus } from '@tabler/icons-react';
import { useText } from '../text/use-text.ts';
import { measuredWidths } from './head.tsx';
import type { Layout } from './layout.ts';
import css from './toolbar.module.css';

const icon = { size: 14, stroke: 1.75, 'aria-hidden': true } as const;
const step = 24;

/** Sets the visible columns, their order and widths. Everything works with buttons, without a pointer. */
export default function ColumnList<T>({ layout }: { layout: Layout<T> }) {
  const { t } = useText();
  const shown = layout.shown.map((c) => c.key);
  const wider = (key: string, by: number) => {
    const now = measuredWidths(document.querySelector('main table'));
    layout.setWidths({ ...now, [key]: (now[key] ?? 0) + by });
  };
  return (
    <>
      {layout.all.map((c, at) => (
        <div key={c.key} className={css.column}>
          <label className={css.choice}>
            <Checkbox
              checked={shown.includes(c.key)}
              disabled={c.fixed === true}
              onChange={(e) =>
                layout.setShown(e.currentTarget.checked ? [...shown, c.key] : shown.filter((k) => k !== c.key))
              }
            />
            <span className="ellipsis" title={c.title}>
              {c.title}
            </span>
          </label>
          <button
            type="button"
            className={css.x}
            disabled={at === 0}
            aria-label={t('grid.moveUp', { name: c.title })}
            title={t('grid.moveUp', { name: c.title })}
            onClick={() => layout.move(c.key, -1)}
          >
            <IconArrowUp {...icon} />
          </button>
          <button
            type="button"
            className={css.x}
            disabled={at === layout.all.length - 1}
            aria-label={t('grid.moveDown', { name: c.title })}
            title={t('grid.moveDown', { name: c.title })}
            onClick={() => layout.move(c.key, 1)}
          >
            <IconArrowDown {...icon} />
          </button>
          <button
            type="button"
            className={css.x}
            disabled={!shown.includes(c.key)}
            aria-label={t('grid.narrower', { name: c.title })}
            title={t('grid.narrower', { name: c.title })}
            onClick={() => wider(c.key, -step)}
          >
            <IconMinus {...icon} />
          </button>
          <button
            type="button"
            className={css.x}
            disabled={!shown.includes(c.key)}
            aria-label={t('grid.wider', { name: c.title })}
            title={t('grid.wider', { name: c.title })}
            onClick={() => wider(c.key, step)}
          >
            <IconPlus {...icon} />
          </button>
        </div>
      ))}
      <button type="button" className={css.clear} onClick={layout.reset}>
        {t('grid.resetColumns')}
      </button>
    </>
  );
}
