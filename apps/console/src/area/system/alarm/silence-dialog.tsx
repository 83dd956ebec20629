import { useState } from 'react';
import { Select } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { AskDialog } from '../../../kit/part/ask-dialog.tsx';
import { showToast } from '../../../kit/part/toast.ts';
import { call } from '../../../kit/api/call.ts';
import { moment } from '../../../kit/text/time.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { addAlarmSilence, type AlarmRecord } from './alarm.calls.ts';
import { kindNames } from './alarm-kinds.ts';
import { SilenceList } from './silence-list.tsx';

const minutes = [60, 480, 1_440, 10_080] as const;

/** Silences alarms for a while: of a kind, of a device or site, or of a kind at one of them. Ends running silences. */
export default function SilenceDialog({ alarm, onClose }: { alarm: AlarmRecord; onClose: () => void }) {
  const { t } = useText();
  const client = useQueryClient();
  const kind = t(`alarm.kind.${kindNames[String(alarm.type)] ?? 'firmware'}`);
  const ofKind = (name: string): string => t('alarm.silenceOne', { kind, name });
  const ofAll = (name: string): string => t('alarm.silenceAll', { name });
  const device = alarm.objectName ?? '';
  const site = t('alarm.cause.site', { name: alarm.causeName ?? '' });
  const { type } = alarm;
  // The narrowest first: it is the default.
  const scopes = {
    ...(alarm.devices === 1 && alarm.objectId !== null
      ? {
          deviceKind: { label: ofKind(device), body: { deviceId: alarm.objectId, type } },
          device: { label: ofAll(device), body: { deviceId: alarm.objectId } },
        }
      : {}),
    ...(alarm.cause === 'site' && alarm.causeId !== null
      ? {
          siteKind: { label: ofKind(site), body: { siteId: alarm.causeId, type } },
          site: { label: ofAll(site), body: { siteId: alarm.causeId } },
        }
      : {}),
    kind: { label: t('alarm.silenceKind', { name: kind }), body: { type } },
  };
  const [scope, setScope] = useState(Object.keys(scopes)[0] as keyof typeof scopes);
  const [length, setLength] = useState('60');
  const [opened] = useState(() => Date.now());
  const end = new Date(opened + Number(length) * 60_000).toISOString();
  return (
    <AskDialog
      title={t('alarm.silence')}
      text={t('alarm.silenceText')}
      onConfirm={async () => {
        const { until } = await call(addAlarmSilence, { body: { ...scopes[scope]!.body, minutes: Number(length) } });
        await client.invalidateQueries({ queryKey: ['message'] });
        showToast(t('alarm.silencedUntil', { time: moment(until) }));
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
        description={t('alarm.silenceEnds', { time: moment(end) })}
        data={minutes.map((m) => ({ value: String(m), label: t(`alarm.silence.${m}`) }))}
        value={length}
        onChange={(v) => setLength(v ?? length)}
        allowDeselect={false}
      />
      <SilenceList title={t('alarm.silences')} />
    </AskDialog>
  );
}
