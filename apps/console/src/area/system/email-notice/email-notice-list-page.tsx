import { IconMail } from '@tabler/icons-react';
import { alarmLevels, sendTypes } from '@carillon/contracts/message';
import { ListPage } from '../../../kit/grid/list-page.tsx';
import type { ListColumn } from '../../../kit/grid/list.types.ts';
import { DeleteDialog } from '../../../kit/part/delete-dialog.tsx';
import { call } from '../../../kit/api/call.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { Level } from '../alarm/level.tsx';
import { deleteEmailNotice, listEmailNotices, restoreEmailNotices } from './email-notice.calls.ts';

const columns: ListColumn<typeof listEmailNotices>[] = [
  {
    key: 'title',
    type: 'text',
    title: 'emailNotice.title',
    sort: true,
    width: 160,
    fixed: true,
    value: (n) => n.title,
  },
  { key: 'emails', type: 'names', title: 'emailNotice.emails', width: 170, phone: 'sub', value: (n) => n.emails },
  {
    key: 'group',
    type: 'number',
    title: 'emailNotice.groupSize',
    width: 80,
    value: (n) => n.roleIds.length + n.userIds.length,
  },
  {
    key: 'sendType',
    type: 'word',
    title: 'emailNotice.sendType',
    sort: true,
    width: 100,
    value: (n) => `emailNotice.sendType.${n.sendType}`,
  },
  { key: 'time', type: 'text', title: 'emailNotice.time', width: 70, value: (n) => n.time },
  {
    key: 'level',
    type: 'word',
    title: 'emailNotice.level',
    sort: true,
    width: 100,
    value: (n) => `level.${n.level}`,
    show: (n) => <Level level={n.level} />,
  },
  {
    key: 'organization',
    type: 'text',
    title: 'emailNotice.organization',
    optional: true,
    width: 160,
    value: (n) => n.organization?.name,
  },
  {
    key: 'enabled',
    type: 'word',
    title: 'emailNotice.enabled',
    width: 92,
    phone: 'state',
    value: (n) => (n.enabled ? 'emailNotice.on' : 'emailNotice.off'),
  },
  { key: 'sentAt', type: 'moment', title: 'emailNotice.sentAt', sort: true, live: true, value: (n) => n.sentAt },
  {
    key: 'updatedAt',
    type: 'moment',
    title: 'emailNotice.updated',
    sort: true,
    optional: true,
    value: (n) => n.updatedAt,
  },
];

/** Lists who is notified of alarms by mail (NOTE-03). */
export function EmailNoticeListPage() {
  const { t } = useText();
  return (
    <ListPage
      name="emailNotice"
      route="/_main/system/emailNotice"
      list={listEmailNotices}
      service="notification"
      title="menu.emailNotices"
      icon={IconMail}
      texts="emailNotice"
      columns={columns.map((c) =>
        c.key === 'enabled' ? { ...c, words: { true: t('emailNotice.on'), false: t('emailNotice.off') } } : c,
      )}
      filters={[
        { key: 'title', kind: 'text', title: 'emailNotice.title' },
        {
          key: 'sendType',
          title: 'emailNotice.sendType',
          values: sendTypes,
          word: (value: (typeof sendTypes)[number]) => `emailNotice.sendType.${value}`,
        },
        {
          key: 'level',
          title: 'emailNotice.level',
          values: alarmLevels,
          word: (value: (typeof alarmLevels)[number]) => `level.${value}`,
        },
        {
          key: 'enabled',
          kind: 'flag',
          title: 'emailNotice.enabled',
          values: ['true', 'false'],
          word: (value: string) => (value === 'true' ? 'emailNotice.on' : 'emailNotice.off'),
        },
        { key: 'updatedAt', kind: 'moment', title: 'emailNotice.updated' },
      ]}
      label={(n) => n.title}
      add={{ label: 'emailNotice.add', right: 'addEmailNotice', href: '/system/emailNotice/addEmailNotice' }}
      drawer={{ parameter: 'notice' }}
      edit={{ right: 'editEmailNotice', href: (n) => `/system/emailNotice/editEmailNotice?id=${n.id}` }}
      remove={{
        right: 'deleteEmailNotice',
        dialog: ({ id, title }, close) => (
          <DeleteDialog
            noun="emailNotice"
            name={title}
            text={t('emailNotice.deleteText')}
            remove={() => call(deleteEmailNotice, { query: { id } })}
            restore={() => call(restoreEmailNotices, { body: { ids: [id] } })}
            onClose={close}
          />
        ),
      }}
    />
  );
}
