import { useState } from 'react';
import { Button, Modal, Select, Textarea, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { done } from '../../../kit/part/done.ts';
import type { Language } from '@carillon/contracts';
import { missingParts } from '@carillon/contracts/password';
import { RefusalBox } from '../../../kit/part/refusal-box.tsx';
import { useForm } from '../../../kit/part/use-form.tsx';
import { call } from '../../../kit/session/call.ts';
import { useMailReady } from '../../../kit/session/mail-ready.ts';
import { currentLanguage, languageNames } from '../../../kit/session/language.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { useZoneOptions, zoneOfBrowser } from '../../../kit/text/zone.ts';
import { ActivationField } from '../../people/user/activation-field.tsx';
import { FirstLogin } from '../../people/user/first-login.tsx';
import { FirstPassword, newFirstPassword } from '../../people/user/first-password.tsx';
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
  const check = () => ({
    ...(values.name.trim() === '' ? { name: t('company.nameMissing') } : {}),
    ...(values.organizationName.trim() === '' ? { organizationName: t('organization.nameMissing') } : {}),
    ...(values.username.trim() === '' ? { username: t('user.usernameMissing') } : {}),
    ...(values.nickname.trim() === '' ? { nickname: t('user.nicknameMissing') } : {}),
    ...(values.activation === 'email' && values.email.trim() === '' ? { email: t('user.emailMissing') } : {}),
    ...(values.activation === 'password' &&
    missingParts(values.password, [values.username, values.email, values.name]).length > 0
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
  if (made)
    return (
      <Modal
        opened
        onClose={onClose}
        title={t('user.added', { name: values.username.trim() })}
        withCloseButton={false}
        size="lg"
      >
        <FirstLogin username={values.username.trim()} password={values.password} />
        <div className={css.buttons}>
          <Button autoFocus onClick={onClose}>
            {t('common.done')}
          </Button>
        </div>
      </Modal>
    );
  const text = (
    field: 'name' | 'organizationName' | 'username' | 'nickname' | 'email',
    label: string,
    more: object = {},
  ) => (
    <TextInput
      name={field}
      label={label}
      maxLength={field === 'email' ? 254 : 64}
      value={values[field]}
      onChange={(e) => set({ [field]: e.currentTarget.value })}
      error={fault(field)}
      autoComplete="off"
      {...more}
    />
  );
  return (
    <Modal opened onClose={onClose} title={t('company.add')} withCloseButton={false} size="lg">
      <form onSubmit={form.submit(check, save)} noValidate className={own.form}>
        <h3 className={own.heading}>{t('company.own')}</h3>
        <div className={own.fields}>
          {text('name', t('company.name'), { 'data-autofocus': true })}
          <Select
            label={t('company.type')}
            data={companyTypes.map((v) => ({ value: v, label: t(`companyType.${v}`) }))}
            value={values.type}
            onChange={(v) => set({ type: v as 'enterprise' })}
            allowDeselect={false}
          />
          {text('organizationName', t('company.organization'))}
          <Textarea
            label={t('company.remarks')}
            maxLength={512}
            value={values.remarks}
            onChange={(e) => set({ remarks: e.currentTarget.value })}
            autosize
            minRows={2}
          />
        </div>
        <h3 className={own.heading}>{t('company.first')}</h3>
        <div className={own.fields}>
          {text('username', t('company.administrator'), { autoCapitalize: 'none', spellCheck: false })}
          {text('nickname', t('user.nickname'))}
          {text('email', t('user.email'), { type: 'email' })}
          <ActivationField
            value={values.activation}
            mailReady={mailReady}
            onChange={(activation) =>
              set({
                activation,
                ...(activation === 'password' && values.password === '' ? { password: newFirstPassword() } : {}),
              })
            }
          />
          {values.activation === 'password' && (
            <FirstPassword
              value={values.password}
              names={[values.username, values.email, values.name]}
              onValue={(password) => set({ password })}
              error={fault('password')}
            />
          )}
          <Select
            label={t('user.language')}
            data={Object.entries(languageNames).map(([value, label]) => ({ value, label }))}
            value={values.language}
            onChange={(v) => set({ language: v as Language })}
            allowDeselect={false}
          />
          <Select
            label={t('user.timezone')}
            data={zones}
            value={values.timezoneId}
            onChange={(v) => set({ timezoneId: v ?? zoneOfBrowser })}
            allowDeselect={false}
            searchable
          />
        </div>
        <AgeField text="user.oldEnough" values={values} set={set} error={fault('oldEnough')} />
        <RefusalBox refusal={form.refusal} />
        <div className={own.buttons}>
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={form.busy}>
            {t('company.add')}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
