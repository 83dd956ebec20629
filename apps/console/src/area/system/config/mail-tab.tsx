import { useQuery } from '@tanstack/react-query';
import type { MailServerFacts } from '@carillon/contracts';
import { done } from '../../../kit/part/done.ts';
import { useAccess, useUser } from '../../../kit/api/access.ts';
import { call, remote } from '../../../kit/api/call.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { MailServerForm } from '../mail-server/mail-server-form.tsx';
import { configQuery, useSaveConfig } from './config.calls.ts';

const testMail = remote('testMail', 'POST /api/f/notification/mail/test');

/** Edits the mail server of the installation. */
export default function MailTab() {
  const { t } = useText();
  const access = useAccess();
  const save = useSaveConfig();
  const { data } = useQuery(configQuery<MailServerFacts | null>('emailServer'));
  const { data: user } = useUser();
  if (data === undefined || user === undefined) return null;
  return (
    <MailServerForm
      now={data}
      address={user.email ?? ''}
      may={access.can('editConfig')}
      label={t('config.mail')}
      removal={t('config.removeServerText')}
      onSave={async (value) => {
        await save({ configKey: 'emailServer', value });
        await done('saved', { name: t('config.mail') });
      }}
      onRemove={async () => {
        await save({ configKey: 'emailServer', value: null });
        await done('removed', { name: t('config.mail') });
      }}
      onTest={(to, server) => call(testMail, { body: { to, server } })}
    />
  );
}
