import { useState } from 'react';
import { Button, Select } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { AskDialog } from '../../../kit/part/ask-dialog.tsx';
import { told } from '../../../kit/part/told.ts';
import { call } from '../../../kit/session/call.ts';
import { moment } from '../../../kit/text/time.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { addAlarmSilence, endAlarmSilence, silencesQuery, type AlarmRecord } from './alarm.calls.ts';
import { kindNames } from './alarm-kinds.ts';
import css from './alarm-page.module.css';

const minutes = [60, 480, 1_440, 10_080] as const;

/** Silences notifications of a device, a site or a kind for a while, and ends running silences. */
export default function SilenceDialog({ alarm, onClose }: { alarm: AlarmRecord; onClose: () => void }) {
  const { t } = useText();
  const client = useQueryClient();
  const { data: silences = [] } = useQuery(silencesQuery);
  const kind = t(`alarm.kind.${kindNames[String(alarm.type)] ?? 'firmware'}`);
  const scopes = {
    ...(alarm.devices === 1 && alarm.objectId !== null
      ? { device: { label: alarm.objectName ?? '', body: { deviceId: alarm.objectId } } }
      : {}),
    ...(alarm.cause === 'site' && alarm.causeId !== null
      ? { site: { label: t('alarm.cause.site', { name: alarm.causeName ?? '' }), body: { siteId: alarm.causeId } } }
      : {}),
    kind: { label: t('alarm.silenceKind', { name: kind }), body: { type: alarm.type } },
  };
  const [scope, setScope] = useState(Object.keys(scopes)[0] as keyof typeof scopes);
  const [length, setLength] = useState('60');
  const renew = () => client.invalidateQueries({ queryKey: ['message'] });
  return (
    <AskDialog
      title={t('alarm.silence')}
      text={t('alarm.silenceText')}
      onConfirm={async () => {
        const { until } = await call(addAlarmSilence, { body: { ...scopes[scope]!.body, minutes: Number(length) } });
        await renew();
        told(t('alarm.silencedUntil', { time: moment(until) }));
      }}
      onClose={onClose}
    >
      <Select
        label={t('alarm.silenceWhat')}
        data={Object.entries(scopes).map(([value, { label }]) => ({ value, label }))}
        value={scope}
        onChange={(v) => setScope((v ?? scope) as keyof typeof scopes)}
        allowDeselect={false}
        mb={12}
      />
      <Select
        label={t('alarm.silenceFor')}
        data={minutes.map((m) => ({ value: String(m), label: t(`alarm.silence.${m}`) }))}
        value={length}
        onChange={(v) => setLength(v ?? length)}
        allowDeselect={false}
      />
      {silences.length > 0 && (
        <section aria-label={t('alarm.silences')}>
          <h3 className={css.heading}>{t('alarm.silences')}</h3>
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
                  <Button
                    variant="default"
                    size="xs"
                    aria-label={t('alarm.endSilence', { name: what })}
                    onClick={() => void call(endAlarmSilence, { query: { id: s.id } }).then(renew, () => {})}
                  >
                    {t('alarm.end')}
                  </Button>
                </li>
              );
            })}
          </ul>
        </section>
      )}
    </AskDialog>
  );
}
