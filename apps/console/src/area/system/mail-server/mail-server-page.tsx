import { useState } from 'react';
import { Checkbox } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { RouteOutput, getMailServer } from '@carillon/contracts';
import { done } from '../../../kit/part/done.ts';
import { useAccess, useUser } from '../../../kit/api/access.ts';
import { call } from '../../../kit/api/call.ts';
import { systemTexts } from '../../../kit/text/system.ts';
import { pageTexts } from '../../../kit/text/text.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { MailServerForm } from './mail-server-form.tsx';
import { deleteMailServer, editMailServer, mailServerQuery, testMailServer } from './mail-server.calls.ts';
import css from '../config/config-page.module.css';

// The texts of a mail server are part of the system settings.
await Promise.all([systemTexts(), pageTexts()]);

/** Edits the server for the company's own mails (NOTE-03). */
export function MailServerPage() {
  const { t } = useText();
  const { data } = useQuery(mailServerQuery());
  const { data: user } = useUser();
  const access = useAccess();
  return (
    <section className={css.page} aria-label={t('menu.mailServer')}>
      <header className={css.head}>
        <h1>{t('menu.mailServer')}</h1>
      </header>
      <div className={css.body}>{data && user && access.ready && <Own now={data} address={user.email ?? ''} />}</div>
    </section>
  );
}

function Own({ now: { server, installation }, address }: { now: RouteOutput<typeof getMailServer>; address: string }) {
  const { t } = useText();
  const access = useAccess();
  const client = useQueryClient();
  const [enabled, setEnabled] = useState(server?.enabled ?? true);
  const may = access.can('editMailServer');
  const renew = () => client.invalidateQueries({ queryKey: ['mailServer'] });
  const without = t(installation ? 'mailServer.withoutOwn' : 'mailServer.withoutAny');
  return (
    <>
      <p className={css.hint} role="status">
        {server === null
          ? without
          : server.enabled
            ? t('mailServer.used', { host: server.host })
            : `${t('mailServer.off', { host: server.host })} ${without}`}
      </p>
      <MailServerForm
        now={server}
        address={address}
        may={may}
        label={t('menu.mailServer')}
        removal={without}
        onSave={async (given) => {
          await call(editMailServer, { body: { ...given, enabled } });
          await renew();
          await done('saved', { name: t('menu.mailServer') });
        }}
        onRemove={async () => {
          await call(deleteMailServer, {});
          setEnabled(true);
          await renew();
          await done('removed', { name: t('menu.mailServer') });
        }}
        onTest={(to, given) => call(testMailServer, { body: { to, server: given } })}
      >
        <Checkbox
          name="enabled"
          label={t('mailServer.enabled')}
          description={t('mailServer.enabledHint')}
          checked={enabled}
          disabled={!may}
          onChange={(e) => setEnabled(e.currentTarget.checked)}
        />
      </MailServerForm>
    </>
  );
}
