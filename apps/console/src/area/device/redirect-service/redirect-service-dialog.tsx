import { useState } from 'react';
import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { redirectKindNames, redirectKinds, type RedirectKindName } from '@carillon/contracts/redirect';
import { done } from '../../../kit/part/done.ts';
import { RefusalBox } from '../../../kit/part/refusal-box.tsx';
import { useAction } from '../../../kit/part/use-action.ts';
import { FormDialog } from '../../../kit/part/form-dialog.tsx';
import { CheckField, PasswordField, SelectField, TextField } from '../../../kit/part/form-field.tsx';
import { useForm } from '../../../kit/part/use-form.tsx';
import { call } from '../../../kit/api/call.ts';
import { useText } from '../../../kit/text/use-text.ts';
import {
  addRedirectService,
  editRedirectService,
  testRedirectService,
  type RedirectService,
} from './redirect-service.calls.ts';
import dialog from '../../../kit/part/dialog.module.css';

/** Adds or edits an account at a redirect service, and signs in with what the form has. */
export default function RedirectServiceDialog({
  service,
  taken,
  onClose,
}: {
  service: RedirectService | undefined;
  /** Makers that have an account already. */
  taken: ReadonlySet<string>;
  onClose: () => void;
}) {
  const { t } = useText();
  const client = useQueryClient();
  const kinds = service ? [service.kind] : redirectKindNames.filter((kind) => !taken.has(redirectKinds[kind].maker));
  const first = kinds[0]!;
  const state = useForm({
    kind: first as RedirectKindName,
    address: service?.address ?? redirectKinds[first].address,
    userName: service?.userName ?? '',
    secret: '',
    enabled: service?.enabled ?? true,
  });
  const { values } = state;
  const [isGood, setGood] = useState(false);
  const test = useAction();
  const set: typeof state.set = (change) => {
    state.set(change);
    setGood(false);
    test.clear();
  };
  const form = { ...state, set };
  const isSame = service?.address === values.address.trim() && service.userName === values.userName.trim();
  const account = () => ({
    address: values.address.trim(),
    userName: values.userName.trim(),
    ...(values.secret === '' ? {} : { secret: values.secret }),
  });
  const check = () => ({
    ...(values.address.trim() === '' ? { address: t('redirectService.missing') } : {}),
    ...(values.userName.trim() === '' ? { userName: t('redirectService.missing') } : {}),
    ...(values.secret === '' && !isSame ? { secret: t('redirectService.missing') } : {}),
  });
  const { label } = redirectKinds[values.kind];
  const save = async () => {
    const { kind, enabled } = values;
    await (service
      ? call(editRedirectService, { body: { id: service.id, enabled, ...account() } })
      : call(addRedirectService, { body: { kind, enabled, ...account() } }));
    await client.invalidateQueries({ queryKey: ['redirectService'] });
    onClose();
    await done(service ? 'saved' : 'added', { name: label });
  };
  const runTest = () => {
    setGood(false);
    return test.run(async () => {
      const { kind } = values;
      await call(testRedirectService, { body: { ...(service ? { id: service.id } : {}), kind, ...account() } });
      setGood(true);
    });
  };
  return (
    <FormDialog
      title={service ? t('redirectService.editOne', { name: label }) : t('redirectService.add')}
      form={form}
      confirm={t(service ? 'common.save' : 'redirectService.add')}
      aside={
        <Button
          variant="default"
          className={dialog.aside!}
          loading={test.busy}
          disabled={form.busy}
          onClick={(e) => {
            if (Object.keys(check()).length === 0) void runTest();
            else e.currentTarget.form?.requestSubmit();
          }}
        >
          {t('redirectService.test')}
        </Button>
      }
      onSubmit={form.submit(check, save)}
      onClose={onClose}
    >
      <SelectField
        form={form}
        name="kind"
        label={t('redirectService.kind')}
        data={kinds.map((value) => ({ value, label: redirectKinds[value].label }))}
        also={(kind) => ({ address: redirectKinds[kind].address })}
        disabled={service !== undefined}
      />
      <TextField
        form={form}
        name="address"
        type="url"
        label={t('redirectService.address')}
        description={t('redirectService.addressHint')}
        maxLength={255}
        spellCheck={false}
      />
      <TextField
        form={form}
        name="userName"
        label={t('redirectService.userName')}
        maxLength={128}
        autoCapitalize="none"
        spellCheck={false}
      />
      <PasswordField
        form={form}
        name="secret"
        label={t('redirectService.secret')}
        description={service ? t(isSame ? 'redirectService.secretKept' : 'redirectService.secretAgain') : undefined}
        maxLength={256}
      />
      <CheckField form={form} name="enabled" label={t('redirectService.enabled')} />
      {isGood && <p role="status">{t('redirectService.testGood', { name: label })}</p>}
      <RefusalBox refusal={test.refusal} />
    </FormDialog>
  );
}
