import { useState } from 'react';
import { Button } from '@mantine/core';
import { IconCircleCheck, IconSend } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { alarmKinds } from '@carillon/contracts/message';
import { Failed } from '../../../kit/grid/states.tsx';
import { Facts } from '../../../kit/part/facts.tsx';
import { SideDrawer } from '../../../kit/part/side-drawer.tsx';
import { useGranted } from '../../../kit/api/access.ts';
import { count } from '../../../kit/text/text.ts';
import { moment } from '../../../kit/text/time.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { configDraft } from '../../device/config-template/config-draft.ts';
import { useActions } from '../../task/action/actions.tsx';
import { episodesAtOnce, episodesQuery, type AlarmRecord } from './alarm.calls.ts';
import { causeText } from './alarm-words.ts';
import { Level } from './level.tsx';
import { SilenceList } from './silence-list.tsx';
import css from './alarm-page.module.css';

/** Shows an alarm with its devices: since when each has it, how often, and what ended it. */
export default function AlarmDrawer({
  alarm,
  onAcknowledge,
  onClose,
}: {
  alarm: AlarmRecord;
  onAcknowledge?: () => void;
  onClose: () => void;
}) {
  const { t } = useText();
  return (
    <SideDrawer title={alarm.title} onClose={onClose}>
      <p className={css.content}>{alarm.content}</p>
      <Facts
        items={[
          [t('alarm.level'), <Level key="level" level={alarm.level} />],
          [t('alarm.state'), t(`alarm.state.${alarm.state}`)],
          [t('alarm.cause'), causeText(alarm)],
          [t('alarm.deviceNumber'), count(alarm.devices)],
          [t('alarm.openNumber'), count(alarm.open)],
          [t('alarm.times'), count(alarm.count)],
          [t('alarm.since'), moment(alarm.createTime)],
          [t('alarm.last'), moment(alarm.lastAt)],
          [t('alarm.ended'), alarm.endedAt === null ? null : moment(alarm.endedAt)],
        ]}
      />
      {onAcknowledge && (
        <Button className={css.act} leftSection={<IconCircleCheck size={15} stroke={1.75} />} onClick={onAcknowledge}>
          {t('alarm.acknowledge')}
        </Button>
      )}
      {alarm.type === alarmKinds.configDrift && alarm.open > 0 && <BringBack alarm={alarm} />}
      {alarm.state !== 'told' && <SilenceList of={alarm} title={t('alarm.silencedNow')} />}
      {alarm.state !== 'told' && <Episodes id={alarm.id} />}
    </SideDrawer>
  );
}

/** Opens a task that gives the devices of the alarm the configuration that they are to have. */
function BringBack({ alarm: { objectId, objectName, cause, causeId, open } }: { alarm: AlarmRecord }) {
  const { t } = useText();
  const navigate = useNavigate();
  const maySend = useActions().some(({ key }) => key === 'configUpdate');
  if (!useGranted('/device/list') || !maySend) return null;
  const site = cause === 'site' && causeId !== null ? causeId : 'none';
  const target = objectId === null ? { filter: { config: ['drifted' as const], site: [site] } } : { ids: [objectId] };
  return (
    <Button
      className={css.act}
      variant="default"
      leftSection={<IconSend size={15} stroke={1.75} aria-hidden />}
      onClick={() =>
        void navigate({
          to: '/task/addTask',
          search: { draft: configDraft(target, open, objectName ?? undefined) } as never,
        })
      }
    >
      {t('device.bringBack')}
    </Button>
  );
}

function Episodes({ id }: { id: string }) {
  const { t } = useText();
  const [page, setPage] = useState(1);
  const seesDevices = useGranted('/device/list');
  const query = useQuery(episodesQuery(id, page));
  if (query.isError && !query.data)
    return <Failed text={t('alarm.episodesFailed')} error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return null;
  const { records, total } = query.data;
  const from = (page - 1) * episodesAtOnce + 1;
  return (
    <section aria-label={t('alarm.episodes')}>
      <h3 className={css.heading}>{t('alarm.episodes')}</h3>
      <ul className={css.episodes}>
        {records.map((e) => (
          <li key={e.id}>
            <span className={css.name}>
              {seesDevices && e.ended !== 'deleted' ? (
                <Link to="/device/deviceDetail" search={{ id: e.deviceId } as never}>
                  {e.deviceName}
                </Link>
              ) : (
                e.deviceName
              )}
            </span>
            <span className={css.muted}>
              {[
                e.line === null ? undefined : t('alarm.line', { line: e.line }),
                e.account ?? undefined,
                e.count > 1 ? `${count(e.count)}×` : undefined,
              ]
                .filter((part) => part !== undefined)
                .join(' · ')}
            </span>
            <span className={css.muted}>
              {moment(e.beganAt)}
              {e.endedAt !== null && ` – ${moment(e.endedAt)}`}
            </span>
            <span>
              {e.ended !== null
                ? t(`alarm.end.${e.ended}`)
                : e.acknowledgedBy !== null
                  ? t('alarm.acknowledgedBy', { name: e.acknowledgedBy })
                  : t(e.silenced ? 'alarm.state.silenced' : 'alarm.state.open')}
            </span>
          </li>
        ))}
      </ul>
      {total > episodesAtOnce && (
        <nav className={css.pages} aria-label={t('grid.pages')}>
          <Button variant="default" size="xs" disabled={page === 1} onClick={() => setPage(page - 1)}>
            {t('grid.previous')}
          </Button>
          <span className={css.muted}>
            {t('grid.range', { from: count(from), to: count(from + records.length - 1), total: count(total) })}
          </span>
          <Button
            variant="default"
            size="xs"
            disabled={from + records.length > total}
            onClick={() => setPage(page + 1)}
          >
            {t('grid.next')}
          </Button>
        </nav>
      )}
    </section>
  );
}
