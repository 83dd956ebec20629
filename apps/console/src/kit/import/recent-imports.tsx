import { useQuery } from '@tanstack/react-query';
import { count } from '../text/text.ts';
import { moment } from '../text/time.ts';
import { useText } from '../text/use-text.ts';
import { recentImportsQuery, type Import, type ImportPlace } from './import.calls.ts';
import css from './import.module.css';

/** Lists the user's imports of the last days, so that a finished one can be looked at and undone after it was closed. */
export function RecentImports({ place, onShow }: { place: ImportPlace; onShow: (id: string) => void }) {
  const { t } = useText();
  const imports = useQuery(recentImportsQuery(place)).data ?? [];
  if (imports.length === 0) return null;
  const result = ({ status, counts }: Import): string => {
    if (status !== 'done' && status !== 'undone') return t(`import.recent.${status}`);
    const rows = counts[status];
    return t(`import.${status}`, { count: rows, number: count(rows) });
  };
  return (
    <section aria-labelledby="recent-imports" className={css.recent}>
      <h3 id="recent-imports">{t('import.recent')}</h3>
      <ul>
        {imports.map((one) => (
          <li key={one.id}>
            <button type="button" onClick={() => onShow(one.id)}>
              <span className="ellipsis" title={one.name}>
                {one.name}
              </span>
              <span className={css.result}>{result(one)}</span>
              <small>{moment(one.createdAt)}</small>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
