import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useAccess } from '../../../kit/api/access.ts';
import { call } from '../../../kit/api/call.ts';
import { moment } from '../../../kit/text/time.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { endAlarmSilence, silencesQuery, type AlarmRecord, type AlarmSilence } from './alarm.calls.ts';
import { kindNames } from './alarm-kinds.ts';
import css from './alarm-page.module.css';

/** Returns whether a silence covers an alarm as a whole. */
const covers = ({ type, siteId, deviceId }: AlarmSilence, alarm: AlarmRecord): boolean =>
  (type === null || type === alarm.type) &&
  (siteId === null || (alarm.cause === 'site' && siteId === alarm.causeId)) &&
  (deviceId === null || deviceId === alarm.objectId);

/** Lists running silences with their ends, and ends them; those of an alarm, or all. */
export function SilenceList({ of, title }: { of?: AlarmRecord; title: string }) {
  const { t } = useText();
  const { can } = useAccess();
  const client = useQueryClient();
  const silences = (useQuery(silencesQuery).data ?? []).filter((s) => of === undefined || covers(s, of));
  if (silences.length === 0) return null;
  return (
    <section aria-label={title}>
      <h3 className={css.heading}>{title}</h3>
      <ul className={css.rules}>
        {silences.map((s) => {
          const what = [
            s.type === null ? undefined : t(`alarm.kind.${kindNames[String(s.type)] ?? 'firmware'}`),
            s.siteName ?? undefined,
            s.deviceName ?? undefined,
          ]
            .filter((part) => part !== undefined)
            .join(' · ');
          return (
            <li key={s.id}>
              <span className={css.name}>{what}</span>
              <span className={css.muted}>{moment(s.until)}</span>
              {can('editAlarm') && (
                <Button
                  variant="default"
                  size="xs"
                  aria-label={t('alarm.endSilence', { name: what })}
                  onClick={() =>
                    void call(endAlarmSilence, { query: { id: s.id } }).then(
                      () => client.invalidateQueries({ queryKey: ['message'] }),
                      () => {},
                    )
                  }
                >
                  {t('alarm.end')}
                </Button>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
