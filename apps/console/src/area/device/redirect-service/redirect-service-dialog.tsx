import { useState } from 'react';
import { Button, Checkbox, Modal, PasswordInput, Select, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { redirectKindNames, redirectKinds, type RedirectKindName } from '@carillon/contracts/redirect';
import { done } from '../../../kit/part/done.ts';
import { passwordEye } from '../../../kit/part/password-eye.ts';
import { RefusalBox } from '../../../kit/part/refusal-box.tsx';
import { refusalOf, type Refusal } from '../../../kit/part/refusal.ts';
import { useForm } from '../../../kit/part/use-form.tsx';
import { call } from '../../../kit/session/call.ts';
import { useText } from '../../../kit/text/use-text.ts';
import {
  addRedirectService,
  editRedirectService,
  testRedirectService,
  type RedirectService,
} from './redirect-service.calls.ts';
import css from '../../../kit/part/dialog.module.css';
import own from './redirect-service.module.css';

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
  const form = useForm({
    kind: first as RedirectKindName,
    address: service?.address ?? redirectKinds[first].address,
    userName: service?.userName ?? '',
    secret: '',
    enabled: service?.enabled ?? true,
  });
  const { values, fault, busy } = form;
  const [tested, setTested] = useState<'good' | Refusal>();
  const [testing, setTesting] = useState(false);
  const set: typeof form.set = (change) => {
    form.set(change);
    setTested(undefined);
  };
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
  const test = async () => {
    setTesting(true);
    setTested(undefined);
    try {
      const { kind } = values;
      await call(testRedirectService, { body: { ...(service ? { id: service.id } : {}), kind, ...account() } });
      setTested('good');
    } catch (e) {
      setTested(refusalOf(e));
    }
    setTesting(false);
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={service ? t('redirectService.editOne', { name: label }) : t('redirectService.add')}
      withCloseButton={false}
    >
      <form onSubmit={form.submit(check, save)} noValidate className={own.form}>
        <Select
          name="kind"
          label={t('redirectService.kind')}
          data={kinds.map((value) => ({ value, label: redirectKinds[value].label }))}
          value={values.kind}
          onChange={(kind) => {
            const chosen = (kind ?? first) as RedirectKindName;
            set({ kind: chosen, address: redirectKinds[chosen].address });
          }}
          disabled={service !== undefined}
          allowDeselect={false}
          error={fault('kind')}
        />
        <TextInput
          name="address"
          type="url"
          label={t('redirectService.address')}
          description={t('redirectService.addressHint')}
          maxLength={255}
          value={values.address}
          onChange={(e) => set({ address: e.currentTarget.value })}
          error={fault('address')}
          autoComplete="off"
          spellCheck={false}
        />
        <TextInput
          name="userName"
          label={t('redirectService.userName')}
          maxLength={128}
          value={values.userName}
          onChange={(e) => set({ userName: e.currentTarget.value })}
          error={fault('userName')}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        <PasswordInput
          name="secret"
          label={t('redirectService.secret')}
          description={service ? t(isSame ? 'redirectService.secretKept' : 'redirectService.secretAgain') : undefined}
          maxLength={256}
          value={values.secret}
          onChange={(e) => set({ secret: e.currentTarget.value })}
          autoComplete="new-password"
          visibilityToggleButtonProps={passwordEye()}
          aria-invalid={Boolean(fault('secret'))}
          error={fault('secret')}
        />
        <Checkbox
          name="enabled"
          label={t('redirectService.enabled')}
          checked={values.enabled}
          onChange={(e) => set({ enabled: e.currentTarget.checked })}
        />
        <RefusalBox refusal={form.refusal} />
        {tested === 'good' ? (
          <p role="status">{t('redirectService.testGood', { name: label })}</p>
        ) : (
          <RefusalBox refusal={tested} />
        )}
        <div className={css.buttons}>
          <Button
            variant="default"
            className={own.test}
            loading={testing}
            disabled={busy}
            onClick={(e) => {
              if (Object.keys(check()).length === 0) void test();
              else e.currentTarget.form?.requestSubmit();
            }}
          >
            {t('redirectService.test')}
          </Button>
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={busy}>
            {t(service ? 'common.save' : 'redirectService.add')}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
