import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Failed } from '../../../kit/grid/states.tsx';
import { moment } from '../../../kit/text/time.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { deviceLogQuery } from './device-log.calls.ts';
import { useWhat } from './what.ts';
import css from '../record/device-parts.module.css';

const shown = 50;

/** The last that happened to one device, newest first; the rest is a click away. */
export default function DeviceLogTab({ id }: { id: string }) {
  const { t } = useText();
  const what = useWhat();
  const query = useQuery(deviceLogQuery({ deviceId: [id], limit: shown }));
  if (query.isError && !query.data)
    return <Failed text={t('deviceLog.listFailed')} error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return null;
  if (query.data.records.length === 0) return <p className={css.none}>{t('deviceLog.none')}</p>;
  return (
    <>
      <div className={css.box} tabIndex={0} role="group" aria-label={t('device.log')}>
        <table className={`${css.table} ${css.stacked}`}>
          <thead>
            <tr>
              <th scope="col">{t('deviceLog.time')}</th>
              <th scope="col">{t('deviceLog.kind')}</th>
              <th scope="col">{t('deviceLog.detail')}</th>
            </tr>
          </thead>
          <tbody>
            {query.data.records.map((e) => (
              <tr key={e.id}>
                <td className={css.atState}>{moment(e.at)}</td>
                <td className={css.atName}>{t(`deviceLog.kind.${e.kind}`)}</td>
                <td className={`${css.server} ${css.atWide}`} title={what(e)}>
                  {what(e)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {query.data.total > shown && (
        <p>
          <Link to="/device/deviceLog" search={{ deviceId: id } as never} className="link">
            {t('deviceLog.all')}
          </Link>
        </p>
      )}
    </>
  );
}
