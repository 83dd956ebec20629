import { useMemo, useState } from 'react';
import { Button } from '@mantine/core';
import { IconBan, IconKey, IconPlus } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { RouteOutput } from '@carillon/contracts';
import { ListPage } from '../../../kit/grid/list-page.tsx';
import type { ListColumn, RecordOf } from '../../../kit/grid/list.types.ts';
import { AskDialog } from '../../../kit/part/ask-dialog.tsx';
import { done } from '../../../kit/part/done.ts';
import { lazy } from '../../../kit/part/lazy.tsx';
import { useAccess } from '../../../kit/api/access.ts';
import { call, remote } from '../../../kit/api/call.ts';
import { systemTexts } from '../../../kit/text/system.ts';
import { pageTexts } from '../../../kit/text/text.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { allRights, rightName } from '../../people/role/right-name.ts';
import css from '../../../kit/part/security.module.css';
import { RefusalBox } from '../../../kit/part/refusal-box.tsx';
import { useAction } from '../../../kit/part/use-action.ts';
import own from './api-developer-page.module.css';

// The names of permissions are texts of the roles.
await Promise.all([systemTexts(), pageTexts()]);

const access = remote('getApiAccess', 'GET /api/f/auth/api');
const rights = remote('getApiRights', 'GET /api/f/auth/api/right');
const list = remote('listApiTokens', 'GET /api/f/auth/api/token/list');
const open = remote('openApiAccess', 'POST /api/f/auth/api/open');
const close = remote('closeApiAccess', 'POST /api/f/auth/api/close');
const revoke = remote('revokeApiToken', 'POST /api/f/auth/api/token/{id}/revoke');
const TokenDialog = lazy(() => pageTexts().then(() => import('./token-dialog.tsx')));

type Token = RecordOf<typeof list>;
const states = ['active', 'expired', 'revoked'] as const;

/** Sorts permissions in the order of the tree; those that the reader lacks come last. */
const inOrder = (scopes: readonly string[], named: ReadonlyMap<string, string>): string[] => [
  ...[...named.keys()].filter((key) => scopes.includes(key)),
  ...scopes.filter((scope) => !named.has(scope)),
];

const columnsOf = (named: ReadonlyMap<string, string>): ListColumn<typeof list>[] => [
  { key: 'name', type: 'text', title: 'api.name', width: 150, sort: true, fixed: true, value: (k) => k.name },
  {
    key: 'state',
    type: 'word',
    title: 'alarm.state',
    width: 100,
    sort: true,
    phone: 'state',
    value: (k) => `api.${k.state}`,
    show: (k) => <TokenState token={k} />,
  },
  {
    key: 'scopes',
    type: 'names',
    title: 'api.scopes',
    width: 218,
    words: Object.fromEntries(named),
    value: (k) => inOrder(k.scopes, named).map((scope) => named.get(scope) ?? scope),
  },
  {
    key: 'createdBy',
    type: 'text',
    title: 'user.createdBy',
    width: 140,
    sort: true,
    phone: 'sub',
    value: (k) => k.createdBy,
  },
  { key: 'createdAt', type: 'moment', title: 'user.created', sort: true, value: (k) => k.createdAt },
  { key: 'expiresAt', type: 'moment', title: 'api.expires', sort: true, phone: 'extra', value: (k) => k.expiresAt },
];

function TokenState({ token: { state } }: { token: Token }) {
  const { t } = useText();
  return (
    <span className={own.state} data-state={state}>
      {t(`api.${state}`)}
    </span>
  );
}

/** Manages the company's API access: whether it is open, and its tokens (AUTH-17). */
export function ApiDeveloperPage() {
  const { t } = useText();
  const client = useQueryClient();
  const { can } = useAccess();
  const { data: api } = useQuery({
    queryKey: ['apiToken', 'access'],
    queryFn: ({ signal }) => call(access, {}, { signal }),
  });
  const { data: tree = [] } = useQuery({
    queryKey: ['apiToken', 'rights'],
    queryFn: ({ signal }) => call(rights, {}, { signal }),
  });
  const columns = useMemo(() => columnsOf(new Map(allRights(tree).map((node) => [node.id, rightName(node)]))), [tree]);
  const [adding, setAdding] = useState(false);
  const again = () => client.invalidateQueries({ queryKey: ['apiToken'] });
  return (
    <>
      <ListPage
        name="apiToken"
        route="/_main/system/apiDeveloper"
        list={list}
        service="auth"
        title="menu.apiDeveloper"
        icon={IconKey}
        texts="api"
        columns={columns}
        filters={[
          {
            key: 'state',
            title: 'alarm.state',
            values: states,
            word: (state: (typeof states)[number]) => `api.${state}`,
          },
          { key: 'name', kind: 'text', title: 'api.name' },
          { key: 'createdBy', kind: 'text', title: 'user.createdBy' },
          { key: 'createdAt', kind: 'moment', title: 'user.created' },
          { key: 'expiresAt', kind: 'moment', title: 'api.expires' },
        ]}
        label={(k) => k.name}
        drawer={{ parameter: 'token' }}
        actions={[
          {
            key: 'revoke',
            label: 'api.revoke',
            icon: IconBan,
            right: 'revokeApiToken',
            danger: true,
            when: (k) => k.state === 'active',
            dialog: ({ record, close: leave }) => <Revoke token={record!} onDone={again} onClose={leave} />,
          },
        ]}
        primary={
          api?.open &&
          can('addApiToken') && (
            <Button leftSection={<IconPlus size={15} stroke={1.75} aria-hidden />} onClick={() => setAdding(true)}>
              {t('api.add')}
            </Button>
          )
        }
        strip={api && <Door api={api} onChanged={again} />}
      />
      {adding && api && (
        <TokenDialog
          tree={tree}
          passwordNeeded={api.passwordNeeded}
          onClose={() => {
            setAdding(false);
            void again();
          }}
        />
      )}
    </>
  );
}

/** Shows whether API access is open, with a button to change it. */
function Door({ api, onChanged }: { api: RouteOutput<typeof access>; onChanged: () => Promise<void> }) {
  const { t } = useText();
  const { can } = useAccess();
  const [asked, setAsked] = useState(false);
  const { busy, refusal, run } = useAction();
  const letIn = () =>
    run(async () => {
      await call(open);
      await done('enabled', { name: 'API' });
      await onChanged();
    });
  return (
    <section className={`${css.box} ${own.door}`} aria-labelledby="api-state">
      <RefusalBox refusal={refusal} />
      <div className={css.title}>
        <h2 id="api-state" role="status">
          {t(api.open ? 'api.isOpen' : 'api.isClosed')}
        </h2>
        {can('editApi') && (
          <Button
            variant={api.open ? 'default' : 'filled'}
            data-danger={api.open || undefined}
            size="compact-sm"
            loading={busy}
            onClick={() => (api.open ? setAsked(true) : void letIn())}
          >
            {t(api.open ? 'api.close' : 'api.open')}
          </Button>
        )}
      </div>
      <p className={css.lead}>
        {t('api.text')}{' '}
        <a href="/api/docs" target="_blank" rel="noreferrer">
          {t('api.docs')}
        </a>
      </p>
      {asked && (
        <AskDialog
          title={t('api.close')}
          text={t('api.closeText')}
          danger
          onClose={() => setAsked(false)}
          onConfirm={async () => {
            await call(close);
            await onChanged();
            await done('disabled', { name: 'API' });
          }}
        />
      )}
    </section>
  );
}

function Revoke({ token, onDone, onClose }: { token: Token; onDone: () => Promise<void>; onClose: () => void }) {
  const { t } = useText();
  return (
    <AskDialog
      title={t('api.revokeTitle', { name: token.name })}
      text={t('api.revokeText')}
      danger
      onClose={onClose}
      onConfirm={async () => {
        await call(revoke, { params: { id: token.id } });
        await onDone();
        await done('revoked', { name: token.name });
      }}
    />
  );
}
