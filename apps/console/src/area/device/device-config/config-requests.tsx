import { useQuery } from '@tanstack/react-query';
import { count } from '../../../kit/text/text.ts';
import { moment } from '../../../kit/text/time.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { configRequestsQuery } from './device-config.calls.ts';
import part from '../record/device-parts.module.css';
import css from './device-config.module.css';

/** Lists what a device asked for over HTTP and what became of it; nothing for a device that never did (EDGE-02). */
export function ConfigRequests({ id }: { id: string }) {
  const { t } = useText();
  const { data = [] } = useQuery(configRequestsQuery(id));
  if (data.length === 0) return null;
  return (
    <div className={css.requests}>
      <h3>{t('configRequest.title')}</h3>
      <div className={part.box} tabIndex={0} role="group" aria-label={t('configRequest.title')}>
        <table className={`${part.table} ${css.settings}`}>
          <thead>
            <tr>
              <th scope="col">{t('deviceConfig.file')}</th>
              <th scope="col">{t('configRequest.outcome')}</th>
              <th scope="col">{t('configRequest.last')}</th>
              <th scope="col">{t('configRequest.times')}</th>
            </tr>
          </thead>
          <tbody>
            {data.map(({ file, outcome, userAgent, address, times, lastAt }) => (
              <tr key={`${outcome} ${file}`}>
                <td>
                  <span className="mono">{file}</span>
                  <small>{[address, userAgent].filter((text) => text !== '').join(' · ')}</small>
                </td>
                <td>{t(`configRequest.outcome.${outcome}`)}</td>
                <td>
                  <time dateTime={lastAt}>{moment(lastAt)}</time>
                </td>
                <td>{count(times)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}
