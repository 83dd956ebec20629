import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Failed } from '../../../kit/grid/states.tsx';
import { macText, moment } from '../../../kit/text/time.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { deviceLogQuery, type Entry } from './device-log.calls.ts';
import { What } from './what-cell.tsx';
import { useWhat } from './what.ts';
import css from '../record/device-parts.module.css';

const shown = 50;

/**
 * Shows the latest events of one device, newest first, with a link to the rest. Events of the device that it replaced
 * follow under a heading, and so on (DEV-13).
 */
export default function DeviceLogTab({ id }: { id: string }) {
  const { t } = useText();
  const query = useQuery(deviceLogQuery({ deviceId: [id], limit: shown }));
  const replaced = useQuery(deviceLogQuery({ deviceId: [id], kind: ['replaces'], limit: 5 })).data?.records[0];
  if (query.isError && !query.data)
    return <Failed text={t('deviceLog.listFailed')} error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return null;
  return (
    <>
      {query.data.records.length === 0 ? (
        <p className={css.none}>{t('deviceLog.none')}</p>
      ) : (
        <Entries entries={query.data.records} />
      )}
      {query.data.total > shown && (
        <p>
          <Link to="/device/deviceLog" search={{ deviceId: id } as never} className="link">
            {t('deviceLog.all')}
          </Link>
        </p>
      )}
      {replaced && (
        <section>
          <h2 className={css.heading}>{t('deviceForm.before', { mac: macText(String(replaced.detail['mac'])) })}</h2>
          <DeviceLogTab id={String(replaced.detail['deviceId'])} />
        </section>
      )}
    </>
  );
}

function Entries({ entries }: { entries: readonly Entry[] }) {
  const { t } = useText();
  const what = useWhat();
  return (
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
          {entries.map((e) => (
            <tr key={e.id}>
              <td className={css.atState}>{moment(e.at)}</td>
              <td className={css.atName}>{t(`deviceLog.kind.${e.kind}`)}</td>
              <td className={`${css.server} ${css.atWide}`} title={what(e)}>
                <What entry={e} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
