import { NativeSelect } from '@mantine/core';
import type { PhoneKeyArea } from '@carillon/contracts/settings';
import { count } from '../../../kit/text/text.ts';
import { useText } from '../../../kit/text/use-text.ts';
import css from './phone-key.module.css';

/** More pages than this are a list. */
const mostTabs = 6;

/** Chooses the page of an area; nothing for a single page. */
export function PageTabs({
  area,
  pages,
  page,
  onPage,
}: {
  area: PhoneKeyArea;
  pages: number;
  page: number;
  onPage: (page: number) => void;
}) {
  const { t } = useText();
  if (pages < 2) return null;
  const label = t(`phoneKey.pagesOf.${area as 'side' | 'dss'}`);
  const all = Array.from({ length: pages }, (_, i) => i + 1);
  if (pages > mostTabs)
    return (
      <NativeSelect
        size="xs"
        aria-label={label}
        data={all.map((one) => ({ value: String(one), label: t('phoneKey.page', { page: count(one) }) }))}
        value={String(page)}
        onChange={(e) => onPage(Number(e.currentTarget.value))}
      />
    );
  return (
    <div className={css.tabs} role="group" aria-label={label}>
      {all.map((one) => (
        <button
          key={one}
          type="button"
          data-page={`${area} ${one}`}
          aria-label={t('phoneKey.page', { page: count(one) })}
          aria-pressed={one === page}
          onClick={() => onPage(one)}
        >
          {one}
        </button>
      ))}
    </div>
  );
}
