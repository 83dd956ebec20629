import { IconBug } from '@tabler/icons-react';
import { ListPage } from '../../../kit/grid/list-page.tsx';
import type { ListColumn, ListDeclaration, RecordOf } from '../../../kit/grid/list.types.ts';
import { Facts } from '../../../kit/part/facts.tsx';
import { SideDrawer } from '../../../kit/part/side-drawer.tsx';
import { remote } from '../../../kit/api/call.ts';
import { moment } from '../../../kit/text/time.ts';
import { systemTexts } from '../../../kit/text/system.ts';
import { useText } from '../../../kit/text/use-text.ts';
import css from './entry-drawer.module.css';

await systemTexts();

const listErrors = remote('listErrors', 'GET /api/f/notification/errorLog/list');
export type LogTabs = NonNullable<ListDeclaration<typeof listErrors>['tabs']>;

const columns: ListColumn<typeof listErrors>[] = [
  { key: 'time', type: 'moment', title: 'log.time', sort: true, phone: 'extra', value: (e) => e.time },
  {
    key: 'message',
    type: 'text',
    title: 'browserErrors.message',
    sort: true,
    width: 340,
    fixed: true,
    value: (e) => e.message,
  },
  { key: 'username', type: 'text', title: 'log.user', sort: true, width: 120, phone: 'sub', value: (e) => e.username },
  { key: 'url', type: 'code', title: 'browserErrors.page', sort: true, width: 200, value: (e) => e.url },
  { key: 'type', type: 'text', title: 'browserErrors.kind', sort: true, width: 112, value: (e) => e.type },
  { key: 'at', type: 'moment', title: 'browserErrors.received', sort: true, optional: true, value: (e) => e.at },
];

/** Lists the errors that browsers have reported (SHELL-13, SYS-05). */
export function BrowserErrors({ tabs }: { tabs: LogTabs }) {
  return (
    <ListPage
      name="errorLog"
      route="/_main/system/operationLog"
      list={listErrors}
      service="notification"
      tabs={tabs}
      title="menu.operationLog"
      icon={IconBug}
      texts="browserErrors"
      columns={columns}
      filters={[
        { key: 'time', kind: 'moment', title: 'log.time' },
        { key: 'message', kind: 'text', title: 'browserErrors.message' },
        { key: 'username', kind: 'text', title: 'log.user' },
        { key: 'url', kind: 'text', title: 'browserErrors.page' },
        { key: 'type', kind: 'text', title: 'browserErrors.kind' },
        { key: 'at', kind: 'moment', title: 'browserErrors.received' },
      ]}
      label={(e) => e.message}
      drawer={{
        parameter: 'id',
        keep: (e) => e,
        show: (id, { records, close }) => {
          const entry = records.find((e) => e.id === id);
          return entry && <ErrorDrawer entry={entry} onClose={close} />;
        },
      }}
    />
  );
}

function ErrorDrawer({ entry, onClose }: { entry: RecordOf<typeof listErrors>; onClose: () => void }) {
  const { t } = useText();
  return (
    <SideDrawer title={entry.message} size={760} onClose={onClose}>
      <Facts
        items={[
          [t('log.time'), moment(entry.time)],
          [t('browserErrors.received'), moment(entry.at)],
          [t('log.user'), entry.username],
          [t('browserErrors.page'), <code key="u">{entry.url}</code>],
          [t('browserErrors.kind'), entry.type],
          [t('browserErrors.info'), entry.info === '' ? null : entry.info],
        ]}
      />
      {entry.stack !== '' && (
        <>
          <h2 className={css.heading}>{t('errorLog.stack')}</h2>
          <pre className={css.stack} tabIndex={0} role="group" aria-label={t('errorLog.stack')}>
            {entry.stack}
          </pre>
        </>
      )}
    </SideDrawer>
  );
}
