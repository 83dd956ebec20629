import { useState } from 'react';
import { Button } from '@mantine/core';
import { IconAdjustments, IconBell, IconBellOff, IconCheck, IconCircleCheck, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { alarmKinds, alarmStates } from '@carillon/contracts/message';
import { ListPage } from '../../../kit/grid/list-page.tsx';
import type { ListColumn } from '../../../kit/grid/list.types.ts';
import { AskDialog } from '../../../kit/part/ask-dialog.tsx';
import { done } from '../../../kit/part/done.ts';
import { lazy } from '../../../kit/part/lazy.tsx';
import { showToast } from '../../../kit/part/toast.ts';
import { useAccess, useGranted } from '../../../kit/api/access.ts';
import { call } from '../../../kit/api/call.ts';
import { pageTexts, count } from '../../../kit/text/text.ts';
import { t } from '../../../kit/text/translate.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { siteNamesQuery } from '../../device/site/site.calls.ts';
import { acknowledgeAlarms, listAlarms } from './alarm.calls.ts';
import { kindNames, kinds } from './alarm-kinds.ts';
import { causeText, deviceText } from './alarm-words.ts';
import { alarmTabs, levels, readWord } from './alarm-tabs.ts';
import { Level } from './level.tsx';
import { deleteMessages } from './message.calls.ts';
import { ReadAll } from './read-all.tsx';
import { Title } from './title.tsx';
import { useMessages } from './use-messages.ts';
import css from './alarm-page.module.css';

const RulesDialog = lazy(() => pageTexts().then(() => import('./rules-dialog.tsx')));
const SilenceDialog = lazy(() => pageTexts().then(() => import('./silence-dialog.tsx')));
const AlarmDrawer = lazy(() => pageTexts().then(() => import('./alarm-drawer.tsx')));

const columns: ListColumn<typeof listAlarms>[] = [
  { key: 'lastAt', type: 'moment', title: 'alarm.last', sort: true, phone: 'extra', value: (a) => a.lastAt },
  {
    key: 'title',
    type: 'text',
    title: 'alarm.title',
    width: 170,
    fixed: true,
    value: (a) => a.title,
    show: (a) => <Title {...a} />,
  },
  {
    key: 'level',
    type: 'word',
    title: 'alarm.level',
    sort: true,
    width: 84,
    value: (a) => `level.${a.level}`,
    show: (a) => <Level level={a.level} />,
  },
  {
    key: 'state',
    type: 'word',
    title: 'alarm.state',
    sort: true,
    width: 98,
    phone: 'state',
    live: true,
    value: (a) => `alarm.state.${a.state}`,
  },
  {
    key: 'objectName',
    type: 'text',
    title: 'alarm.device',
    sort: true,
    width: 110,
    value: (a) => a.objectName,
    show: (a) => deviceText(a) ?? '–',
  },
  { key: 'devices', type: 'number', title: 'alarm.deviceNumber', sort: true, optional: true, value: (a) => a.devices },
  { key: 'count', type: 'number', title: 'alarm.times', sort: true, width: 60, live: true, value: (a) => a.count },
  {
    key: 'causeName',
    type: 'text',
    title: 'alarm.cause',
    sort: true,
    width: 110,
    value: (a) => a.causeName,
    show: (a) => causeText(a) ?? '–',
  },
  { key: 'content', type: 'text', title: 'alarm.content', width: 140, phone: 'sub', value: (a) => a.content },
  { key: 'createTime', type: 'moment', title: 'alarm.since', optional: true, sort: true, value: (a) => a.createTime },
  { key: 'endedAt', type: 'moment', title: 'alarm.ended', optional: true, sort: true, value: (a) => a.endedAt },
];

/** Lists alarms of devices, equal ones in one row (NOTE-04). */
export function AlarmTable() {
  const { t: text } = useText();
  const navigate = useNavigate();
  const access = useAccess();
  const { mark, renew } = useMessages();
  const [asking, ask] = useState<'acknowledge' | 'rules'>();
  const seesDevices = useGranted('/device/list');
  const sites = useQuery({ ...siteNamesQuery(), enabled: seesDevices }).data ?? [];
  const acknowledge = async (body: { ids: string[] } | { all: true }) => {
    const { acknowledged: many } = await call(acknowledgeAlarms, { body });
    showToast(t('alarm.acknowledged', { count: many, number: count(many) }));
  };
  return (
    <>
      <ListPage
        name="message-device"
        kind="message"
        route="/_main/alarm"
        list={listAlarms}
        service="notification"
        title="menu.alarms"
        icon={IconBell}
        texts="alarm"
        tabs={alarmTabs('device')}
        columns={columns}
        filters={[
          {
            key: 'type',
            title: 'alarm.kind',
            values: Object.values(kinds).map(String),
            word: (kind: string) => `alarm.kind.${kindNames[kind]!}`,
          },
          { key: 'level', title: 'alarm.level', values: levels, word: (l: (typeof levels)[number]) => `level.${l}` },
          {
            key: 'state',
            title: 'alarm.state',
            values: alarmStates,
            word: (state: (typeof alarmStates)[number]) => `alarm.state.${state}`,
          },
          { key: 'read', kind: 'flag', title: 'alarm.readState', values: ['false', 'true'], word: readWord },
          { key: 'objectName', kind: 'text', empties: true, title: 'alarm.device' },
          { key: 'causeName', kind: 'text', empties: true, title: 'alarm.cause' },
          { key: 'site', title: 'alarm.site', options: sites.map((s) => ({ value: s.id, label: s.name })) },
          { key: 'devices', kind: 'number', title: 'alarm.deviceNumber' },
          { key: 'count', kind: 'number', title: 'alarm.times' },
          { key: 'lastAt', kind: 'moment', title: 'alarm.last' },
          { key: 'createTime', kind: 'moment', title: 'alarm.since' },
          { key: 'endedAt', kind: 'moment', empties: true, title: 'alarm.ended' },
        ]}
        label={(a) => a.title}
        // For an active alarm the level matters more than the state.
        phone={(a) => (a.state === 'open' ? { state: <Level level={a.level} /> } : {})}
        drawer={{
          parameter: 'alarm',
          show: (id, { records, close }) => {
            const alarm = records.find((a) => a.id === id);
            return (
              alarm && (
                <AlarmDrawer
                  key={id}
                  alarm={alarm}
                  onClose={close}
                  {...(access.can('editAlarm') && alarm.state === 'open'
                    ? { onAcknowledge: () => renew(acknowledge({ ids: [id] })) }
                    : {})}
                />
              )
            );
          },
        }}
        actions={[
          {
            key: 'acknowledge',
            label: 'alarm.acknowledge',
            icon: IconCircleCheck,
            right: 'editAlarm',
            many: 'named',
            when: (a) => a.state === 'open',
            run: ({ ids, deselect }) => {
              renew(acknowledge({ ids }));
              deselect();
            },
          },
          {
            key: 'silence',
            label: 'alarm.silence',
            icon: IconBellOff,
            right: 'editAlarm',
            menuOnly: true,
            when: (a) => a.state !== 'told',
            dialog: ({ record, close }) => <SilenceDialog alarm={record!} onClose={close} />,
          },
          {
            key: 'read',
            label: 'alarm.markRead',
            icon: IconCheck,
            many: 'named',
            run: ({ ids, deselect }) => {
              mark(ids);
              deselect();
            },
          },
          {
            key: 'delete',
            label: 'alarm.delete',
            icon: IconTrash,
            right: 'deleteMessage',
            many: 'named',
            when: (a) => a.state === 'ended' || a.state === 'told',
            run: ({ ids, deselect }) => {
              renew(
                call(deleteMessages, { body: ids }).then(({ deleted }) => done('messagesDeleted', { many: deleted })),
              );
              deselect();
            },
          },
        ]}
        onOpen={(a) => {
          if (!a.read) mark([a.id]);
          const opened = a.type === alarmKinds.taskFailed ? { task: a.objectId } : { alarm: a.id };
          void navigate({ to: '.', search: (s: Record<string, unknown>) => ({ ...s, ...opened }) as never });
        }}
        primary={
          <>
            {access.can('editAlarmRule') && (
              <Button
                variant="default"
                leftSection={<IconAdjustments size={15} stroke={1.75} />}
                onClick={() => ask('rules')}
              >
                {text('alarm.rules')}
              </Button>
            )}
            {access.can('editAlarm') && (
              <Button
                className={css.wideOnly}
                variant="default"
                leftSection={<IconCircleCheck size={15} stroke={1.75} />}
                onClick={() => ask('acknowledge')}
              >
                {text('alarm.acknowledgeAll')}
              </Button>
            )}
            <ReadAll />
          </>
        }
      />
      {asking === 'rules' && <RulesDialog onClose={() => ask(undefined)} />}
      {asking === 'acknowledge' && (
        <AskDialog
          title={text('alarm.acknowledgeAll')}
          text={text('alarm.acknowledgeAllText')}
          onConfirm={async () => {
            const finished = acknowledge({ all: true });
            renew(finished);
            await finished;
          }}
          onClose={() => ask(undefined)}
        />
      )}
    </>
  );
}
