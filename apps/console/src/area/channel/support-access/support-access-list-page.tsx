import { useState } from 'react';
import { Button } from '@mantine/core';
import { IconBan, IconLifebuoy, IconPlus } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ListPage } from '../../../kit/grid/list-page.tsx';
import type { ListColumn } from '../../../kit/grid/list.types.ts';
import { AskDialog } from '../../../kit/part/ask-dialog.tsx';
import { lazy } from '../../../kit/part/lazy.tsx';
import { showToast } from '../../../kit/part/toast.ts';
import { useAccess } from '../../../kit/api/access.ts';
import { call } from '../../../kit/api/call.ts';
import { pageTexts } from '../../../kit/text/text.ts';
import { moment } from '../../../kit/text/time.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { currentAccessQuery, endSupportAccess, listSupportAccess, type SupportAccess } from './support-access.calls.ts';
import css from '../../../kit/part/security.module.css';

const SupportAccessDialog = lazy(() => pageTexts().then(() => import('./support-access-dialog.tsx')));

const levels = ['view', 'manage'] as const;
const states = ['active', 'expired', 'ended'] as const;

const columns: ListColumn<typeof listSupportAccess>[] = [
  {
    key: 'createdAt',
    type: 'moment',
    title: 'supportAccess.createdAt',
    sort: true,
    fixed: true,
    value: (a) => a.createdAt,
  },
  {
    key: 'state',
    type: 'word',
    title: 'supportAccess.state',
    width: 100,
    phone: 'state',
    value: (a) => `supportAccess.state.${a.state}`,
  },
  { key: 'until', type: 'moment', title: 'supportAccess.until', sort: true, phone: 'extra', value: (a) => a.until },
  {
    key: 'level',
    type: 'word',
    title: 'supportAccess.level',
    width: 120,
    sort: true,
    value: (a) => `supportAccess.level.${a.level}`,
  },
  { key: 'company', type: 'text', title: 'supportAccess.company', width: 140, value: (a) => a.company },
  {
    key: 'createdBy',
    type: 'text',
    title: 'supportAccess.createdBy',
    optional: true,
    width: 160,
    sort: true,
    phone: 'sub',
    value: (a) => a.createdBy,
  },
  { key: 'reason', type: 'text', title: 'supportAccess.reason', width: 158, value: (a) => a.reason },
  { key: 'visits', type: 'number', title: 'supportAccess.visits', width: 90, sort: true, value: (a) => a.visits },
  {
    key: 'visitedAt',
    type: 'moment',
    title: 'supportAccess.visitedAt',
    optional: true,
    sort: true,
    value: (a) => a.visitedAt,
  },
  { key: 'endedBy', type: 'text', title: 'supportAccess.endedBy', optional: true, value: (a) => a.endedBy },
  { key: 'endedAt', type: 'moment', title: 'supportAccess.endedAt', optional: true, value: (a) => a.endedAt },
];

/** Lists the accesses of the parent company: who allowed each, for how long, and how often it was used (CHN-07). */
export function SupportAccessListPage() {
  const { t } = useText();
  const { can } = useAccess();
  const current = useQuery(currentAccessQuery()).data;
  const [adding, setAdding] = useState(false);
  const company = current?.company ?? null;
  return (
    <>
      <ListPage
        name="supportAccess"
        route="/_main/system/supportAccess"
        list={listSupportAccess}
        service="auth"
        title="menu.supportAccess"
        icon={IconLifebuoy}
        texts="supportAccess"
        columns={columns}
        filters={[
          {
            key: 'state',
            title: 'supportAccess.state',
            values: states,
            word: (state: (typeof states)[number]) => `supportAccess.state.${state}`,
          },
          {
            key: 'level',
            title: 'supportAccess.level',
            values: levels,
            word: (level: (typeof levels)[number]) => `supportAccess.level.${level}`,
          },
          { key: 'reason', kind: 'text', title: 'supportAccess.reason' },
          { key: 'createdBy', kind: 'text', title: 'supportAccess.createdBy' },
          { key: 'createdAt', kind: 'moment', title: 'supportAccess.createdAt' },
          { key: 'until', kind: 'moment', title: 'supportAccess.until' },
        ]}
        label={(a) => moment(a.createdAt)}
        drawer={{ parameter: 'access' }}
        actions={[
          {
            key: 'end',
            label: 'supportAccess.end',
            icon: IconBan,
            right: 'endSupportAccess',
            danger: true,
            when: (a) => a.state === 'active',
            dialog: ({ record, close }) => <EndDialog access={record!} onClose={close} />,
          },
        ]}
        primary={
          company !== null &&
          current?.until === null &&
          can('addSupportAccess') && (
            <Button leftSection={<IconPlus size={15} stroke={1.75} aria-hidden />} onClick={() => setAdding(true)}>
              {t('supportAccess.add')}
            </Button>
          )
        }
        strip={
          current && (
            <section className={css.box}>
              <h2 className={css.title} role="status">
                {company === null
                  ? t('supportAccess.nobodyAbove')
                  : current.until === null
                    ? t('supportAccess.isClosed', { company })
                    : t('supportAccess.isOpen', { company, time: moment(current.until) })}
              </h2>
            </section>
          )
        }
      />
      {adding && company !== null && <SupportAccessDialog company={company} onClose={() => setAdding(false)} />}
    </>
  );
}

function EndDialog({ access, onClose }: { access: SupportAccess; onClose: () => void }) {
  const { t } = useText();
  const client = useQueryClient();
  return (
    <AskDialog
      title={t('supportAccess.end')}
      text={t('supportAccess.endText')}
      danger
      onClose={onClose}
      onConfirm={async () => {
        await call(endSupportAccess, { params: { id: access.id } });
        await client.invalidateQueries({ queryKey: ['supportAccess'] });
        showToast(t('supportAccess.wasEnded', { company: access.company }));
      }}
    />
  );
}
