import { useState } from 'react';
import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { done } from '../../../kit/part/done.ts';
import type { Language } from '@carillon/contracts';
import { missingParts } from '@carillon/contracts/password';
import { FormDialog } from '../../../kit/part/form-dialog.tsx';
import { AreaField, SelectField, TextField } from '../../../kit/part/form-field.tsx';
import { useForm } from '../../../kit/part/use-form.tsx';
import { call } from '../../../kit/api/call.ts';
import { useMailReady } from '../../../kit/api/mail-ready.ts';
import { currentLanguage, languageNames } from '../../../kit/browser/language.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { useZoneOptions, zoneOfBrowser } from '../../../kit/text/zone.ts';
import { FirstAccess } from '../../people/user/first-access.tsx';
import { FirstLogin } from '../../people/user/first-login.tsx';
import { newFirstPassword } from '../../people/user/first-password.tsx';
import { AgeField } from '../../people/user/user-fields.tsx';
import { addCompany, companyTypes, type Company } from './company.calls.ts';
import css from '../../../kit/part/dialog.module.css';
import own from './company-dialog.module.css';

/** Adds a company with its first administrator. */
export default function CompanyDialog({ onClose }: { onClose: () => void }) {
  const mailReady = useMailReady();
  return mailReady === undefined ? null : <CompanyForm mailReady={mailReady} onClose={onClose} />;
}

function CompanyForm({ mailReady, onClose }: { mailReady: boolean; onClose: () => void }) {
  const { t } = useText();
  const zones = useZoneOptions();
  const client = useQueryClient();
  const form = useForm({
    name: '',
    type: 'enterprise' as Company['type'],
    organizationName: t('company.firstOrganization'),
    remarks: '',
    username: '',
    nickname: '',
    email: '',
    activation: (mailReady ? 'email' : 'password') as 'email' | 'password',
    password: mailReady ? '' : newFirstPassword(),
    language: currentLanguage() as Language,
    timezoneId: zoneOfBrowser,
    oldEnough: false,
  });
  const [made, setMade] = useState(false);
  const { values, set, fault } = form;
  const names = [values.username, values.email, values.name];
  const check = () => ({
    ...(values.name.trim() === '' ? { name: t('company.nameMissing') } : {}),
    ...(values.organizationName.trim() === '' ? { organizationName: t('organization.nameMissing') } : {}),
    ...(values.username.trim() === '' ? { username: t('user.usernameMissing') } : {}),
    ...(values.nickname.trim() === '' ? { nickname: t('user.nicknameMissing') } : {}),
    ...(values.activation === 'email' && values.email.trim() === '' ? { email: t('user.emailMissing') } : {}),
    ...(values.activation === 'password' && missingParts(values.password, names).length > 0
      ? { password: t('password.rule') }
      : {}),
    ...(values.oldEnough ? {} : { oldEnough: t('user.tooYoung') }),
  });
  async function save() {
    const { password, email, timezoneId, ...rest } = values;
    await call(addCompany, {
      body: {
        ...rest,
        name: rest.name.trim(),
        username: rest.username.trim(),
        nickname: rest.nickname.trim(),
        email: email.trim() === '' ? null : email.trim(),
        timezoneId: timezoneId === zoneOfBrowser ? null : Number(timezoneId),
        countryId: 1,
        ...(rest.activation === 'password' ? { password } : {}),
      },
    });
    await client.invalidateQueries({ queryKey: ['company'] });
    await done('added', { name: rest.name.trim() });
    if (rest.activation === 'password') setMade(true);
    else onClose();
  }
  return (
    <FormDialog
      title={t('company.add')}
      size="lg"
      long
      form={form}
      confirm={t('company.add')}
      result={
        made
          ? {
              title: t('user.added', { name: values.username.trim() }),
              content: <MadeCompany username={values.username.trim()} password={values.password} onClose={onClose} />,
            }
          : undefined
      }
      onSubmit={form.submit(check, save)}
      onClose={onClose}
    >
      <h3 className={own.heading}>{t('company.own')}</h3>
      <div className={own.fields}>
        <TextField form={form} name="name" label={t('company.name')} maxLength={64} data-autofocus />
        <SelectField
          form={form}
          name="type"
          label={t('company.type')}
          data={companyTypes.map((v) => ({ value: v, label: t(`companyType.${v}`) }))}
        />
        <TextField form={form} name="organizationName" label={t('company.organization')} maxLength={64} />
        <AreaField form={form} name="remarks" label={t('company.remarks')} maxLength={512} />
      </div>
      <h3 className={own.heading}>{t('company.first')}</h3>
      <div className={own.fields}>
        <TextField
          form={form}
          name="username"
          label={t('company.administrator')}
          maxLength={64}
          autoCapitalize="none"
          spellCheck={false}
        />
        <TextField form={form} name="nickname" label={t('user.nickname')} maxLength={64} />
        <TextField form={form} name="email" type="email" label={t('user.email')} maxLength={254} />
        <FirstAccess form={form} mailReady={mailReady} names={names} />
        <SelectField
          form={form}
          name="language"
          label={t('user.language')}
          data={Object.entries(languageNames).map(([value, label]) => ({ value, label }))}
        />
        <SelectField form={form} name="timezoneId" label={t('user.timezone')} data={zones} searchable />
      </div>
      <AgeField text="user.oldEnough" values={values} set={set} error={fault('oldEnough')} />
    </FormDialog>
  );
}

/** Shows the first password of a company's administrator once. */
function MadeCompany({ username, password, onClose }: { username: string; password: string; onClose: () => void }) {
  const { t } = useText();
  return (
    <>
      <FirstLogin username={username} password={password} />
      <div className={css.buttons}>
        <Button autoFocus onClick={onClose}>
          {t('common.done')}
        </Button>
      </div>
    </>
  );
}
