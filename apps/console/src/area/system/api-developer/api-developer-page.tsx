import { lazy, useMemo, useState } from 'react';
import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Late } from '../../../kit/part/late.tsx';
import { systemTexts } from '../../../kit/text/system.ts';
import { pageTexts } from '../../../kit/text/text.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { AskDialog } from '../../../kit/part/ask-dialog.tsx';
import { done } from '../../../kit/part/done.ts';
import { FieldError } from '../../../kit/part/field-error.tsx';
import { refusalOf } from '../../../kit/part/refusal.ts';
import { useAccess } from '../../../kit/session/access.ts';
import { call, remote } from '../../../kit/session/call.ts';
import { moment } from '../../../kit/text/time.ts';
import { allRights, rightName } from '../../people/role/right-name.ts';
import css from '../../../kit/part/security.module.css';
import own from './api-developer-page.module.css';

// The names of rights are the roles' words.
await Promise.all([systemTexts(), pageTexts()]);

const access = remote('getApiAccess', 'GET /api/f/auth/api');
const rights = remote('getApiRights', 'GET /api/f/auth/api/right');
const list = remote('listApiTokens', 'GET /api/f/auth/api/token/list');
const open = remote('openApiAccess', 'POST /api/f/auth/api/open');
const close = remote('closeApiAccess', 'POST /api/f/auth/api/close');
const revoke = remote('revokeApiToken', 'POST /api/f/auth/api/token/{id}/revoke');
const TokenDialog = lazy(() => pageTexts().then(() => import('./token-dialog.tsx')));

/** As the tree has them; what the reader does not have comes last. */
const inOrder = (scopes: readonly string[], named: ReadonlyMap<string, string>): string[] => [
  ...[...named.keys()].filter((key) => scopes.includes(key)),
  ...scopes.filter((scope) => !named.has(scope)),
];

type Asked = { text: 'close' } | { text: 'revoke'; id: string; name: string };

/** The company's door for programs: whether it is open, and the tokens that open it (AUTH-17). */
export function ApiDeveloperPage() {
  const { t } = useText();
  const client = useQueryClient();
  const { can } = useAccess();
  const { data: api } = useQuery({
    queryKey: ['apiToken', 'access'],
    queryFn: ({ signal }) => call(access, {}, { signal }),
  });
  const { data: tokens } = useQuery({
    queryKey: ['apiToken', 'list'],
    queryFn: ({ signal }) => call(list, {}, { signal }),
  });
  const { data: tree = [] } = useQuery({
    queryKey: ['apiToken', 'rights'],
    queryFn: ({ signal }) => call(rights, {}, { signal }),
  });
  const named = useMemo(() => new Map(allRights(tree).map((node) => [node.id, rightName(node)])), [tree]);
  const [adding, setAdding] = useState(false);
  const [asked, setAsked] = useState<Asked>();
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState<string>();
  const again = () => client.invalidateQueries({ queryKey: ['apiToken'] });

  async function run(work: () => Promise<unknown>) {
    setBusy(true);
    setFailed(undefined);
    try {
      await work();
      await again();
    } catch (e) {
      setFailed(refusalOf(e).text);
    }
    setBusy(false);
  }
  return (
    <div className={css.page}>
      <header className={`${css.head} ${own.head}`}>
        <h1>{t('menu.apiDeveloper')}</h1>
        {api?.open && can('addApiToken') && (
          <Button leftSection={<IconPlus size={15} stroke={1.75} aria-hidden />} onClick={() => setAdding(true)}>
            {t('api.add')}
          </Button>
        )}
      </header>
      <div className={css.body} aria-busy={api === undefined || tokens === undefined || undefined}>
        {failed !== undefined && (
          <div role="alert" className={css.error}>
            <FieldError text={failed} />
          </div>
        )}
        {api && (
          <section className={css.box} aria-labelledby="api-state">
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
                  onClick={() => {
                    if (api.open) setAsked({ text: 'close' });
                    else void run(() => call(open).then(() => done('enabled', { name: 'API' })));
                  }}
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
          </section>
        )}
        {tokens && (tokens.length > 0 || api?.open) && (
          <section className={css.box} aria-labelledby="api-tokens">
            <div className={css.title}>
              <h2 id="api-tokens">{t('api.tokens')}</h2>
            </div>
            {tokens.length === 0 && <p className={css.lead}>{t('api.none')}</p>}
            <ul className={css.list}>
              {tokens.map((token) => (
                <li key={token.id} data-token={token.id}>
                  <div className={css.what}>
                    <strong>
                      {token.name}
                      <span className={own.state} data-state={token.state}>
                        {t(`api.${token.state}`)}
                      </span>
                    </strong>
                    <small>
                      {t('api.facts', {
                        who: token.createdBy,
                        when: moment(token.createdAt),
                        end: moment(token.expiresAt),
                      })}
                    </small>
                    <small className={own.scopes}>
                      {inOrder(token.scopes, named).map((scope) => (
                        <span key={scope}>{named.get(scope) ?? <code>{scope}</code>}</span>
                      ))}
                    </small>
                  </div>
                  {token.state === 'active' && can('revokeApiToken') && (
                    <Button
                      variant="default"
                      data-danger
                      size="compact-sm"
                      aria-label={t('api.revokeOne', { name: token.name })}
                      onClick={() => setAsked({ text: 'revoke', id: token.id, name: token.name })}
                    >
                      {t('api.revoke')}
                    </Button>
                  )}
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
      {adding && api && (
        <Late>
          <TokenDialog
            tree={tree}
            onClose={() => {
              setAdding(false);
              void again();
            }}
          />
        </Late>
      )}
      {asked && (
        <AskDialog
          title={asked.text === 'close' ? t('api.close') : t('api.revokeTitle', { name: asked.name })}
          text={t(asked.text === 'close' ? 'api.closeText' : 'api.revokeText')}
          danger
          onClose={() => setAsked(undefined)}
          onConfirm={async () => {
            if (asked.text === 'close') await call(close);
            else await call(revoke, { params: { id: asked.id } });
            await again();
            await (asked.text === 'close' ? done('disabled', { name: 'API' }) : done('revoked', { name: asked.name }));
          }}
        />
      )}
    </div>
  );
}
