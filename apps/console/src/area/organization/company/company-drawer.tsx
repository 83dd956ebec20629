import { useState } from 'react';
import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { done } from '../../../kit/part/done.ts';
import { AskDialog } from '../../../kit/part/ask-dialog.tsx';
import { Facts } from '../../../kit/part/facts.tsx';
import { SideDrawer } from '../../../kit/part/side-drawer.tsx';
import { lazy } from '../../../kit/part/lazy.tsx';
import { RefusalBox } from '../../../kit/part/refusal-box.tsx';
import { useAction } from '../../../kit/part/use-action.ts';
import { useAccess } from '../../../kit/api/access.ts';
import { call } from '../../../kit/api/call.ts';
import { session } from '../../../kit/session/session.ts';
import { count } from '../../../kit/text/text.ts';
import { moment } from '../../../kit/text/time.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { MailState } from '../../people/mail/mail-state.tsx';
import { companyMailQuery } from '../../people/mail/mail.calls.ts';
import { UserState } from '../../people/user/user-state.tsx';
import { CompanyState } from './company-state.tsx';
import {
  getCompanyAdministrator,
  isOpen,
  resendCompanyActivation,
  setCompanyStatus,
  type Company,
} from './company.calls.ts';
import css from './company-drawer.module.css';

const EditCompanyDialog = lazy(() => import('./edit-company-dialog.tsx'));
export type CompanyChange = 'disable' | 'lock' | 'enable';
const statusAfter = { disable: 'disabled', lock: 'locked', enable: 'normal' } as const;
const doneTo = { disable: 'disabled', lock: 'locked', enable: 'enabled' } as const;

/** Tells the effect of closing or reopening a company on its users, before it is done. */
export function StatusDialog({
  company,
  change,
  onClose,
}: {
  company: Company;
  change: CompanyChange;
  onClose: () => void;
}) {
  const { t } = useText();
  const client = useQueryClient();
  return (
    <AskDialog
      title={t(`company.${change}One`, { name: company.name })}
      text={t(change === 'enable' ? 'company.enableText' : 'company.closeText')}
      danger={change !== 'enable'}
      onConfirm={async () => {
        await call(setCompanyStatus, { body: { id: company.id, status: statusAfter[change] } });
        await client.invalidateQueries({ queryKey: ['company'] });
        await done(doneTo[change], { name: company.name });
      }}
      onClose={onClose}
    />
  );
}

/** Shows a company with its first administrator and the actions for both. */
export default function CompanyDrawer({ company, onClose }: { company: Company; onClose: () => void }) {
  const { t } = useText();
  const access = useAccess();
  const [asked, setAsked] = useState<CompanyChange | 'edit'>();
  /** The last mail before the one that was requested here. */
  const [before, setBefore] = useState<string | null>();
  const { busy, refusal, run } = useAction();
  const administrator = useQuery({
    queryKey: ['company', 'administrator', company.id],
    queryFn: ({ signal }) => call(getCompanyAdministrator, { params: { id: company.id } }, { signal }),
  });
  const user = administrator.data;
  const mail = useQuery({ ...companyMailQuery(company.id, user?.id ?? '', before), enabled: Boolean(user?.email) });
  const isOwn = session()?.companyId === company.id;
  const resend = () =>
    run(async () => {
      const { data: last } = await mail.refetch();
      await call(resendCompanyActivation, { params: { id: company.id } });
      setBefore(last?.id ?? null);
      await mail.refetch();
    });
  const changes: CompanyChange[] = isOpen(company) ? ['disable', 'lock'] : ['enable'];
  return (
    <SideDrawer title={company.name} onClose={onClose}>
      <Facts
        items={[
          [t('company.state'), <CompanyState key="s" status={company.status} />],
          [t('company.type'), t(`companyType.${company.type}`)],
          [t('organization.users'), count(company.users)],
          [t('organization.devices'), count(company.devices)],
          [t('user.created'), moment(company.createdAt)],
          [t('company.remarks'), company.remarks],
        ]}
      />
      <div className={css.buttons}>
        {access.can('editCompany') && (
          <Button variant="default" onClick={() => setAsked('edit')}>
            {t('common.edit')}
          </Button>
        )}
        {access.can('disableCompany') &&
          !isOwn &&
          changes.map((change) => (
            <Button
              key={change}
              variant="default"
              data-danger={change !== 'enable' || undefined}
              onClick={() => setAsked(change)}
            >
              {t(`company.${change}`)}
            </Button>
          ))}
      </div>
      <h2 className={css.heading}>{t('company.first')}</h2>
      {user === null && <p>{t('company.nobody')}</p>}
      {user && (
        <>
          <Facts
            items={[
              [t('company.who'), user.nickname],
              [t('user.username'), <code key="u">{user.username}</code>],
              [t('user.email'), user.email],
              [t('company.state'), <UserState key="s" status={user.status} />],
              [t('user.activation'), t(user.activation === 'email' ? 'user.byEmail' : 'user.byPassword')],
              ...(user.email === null
                ? []
                : [[t('mailState.last'), <MailState key="m" mail={mail.data} before={before} />] as const]),
            ]}
          />
          {user.status === 'inactive' && user.email !== null && user.activation === 'email' && (
            <div className={css.buttons}>
              {access.can('editCompany') && (
                <Button variant="default" loading={busy} onClick={() => void resend()}>
                  {t('company.resend')}
                </Button>
              )}
            </div>
          )}
          <RefusalBox refusal={refusal} />
        </>
      )}
      {asked === 'edit' && <EditCompanyDialog company={company} onClose={() => setAsked(undefined)} />}
      {asked !== undefined && asked !== 'edit' && (
        <StatusDialog company={company} change={asked} onClose={() => setAsked(undefined)} />
      )}
    </SideDrawer>
  );
}
