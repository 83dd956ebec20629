import { useEffect, useState, type SubmitEvent } from 'react';
import { Button, Select, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useText } from '../../../kit/text/use-text.ts';
import type { DeviceRecord } from '@carillon/contracts';
import { StatusPage } from '../../../kit/part/status-page.tsx';
import { LeaveGuard } from '../../../kit/part/leave-guard.tsx';
import { FieldError } from '../../../kit/part/field-error.tsx';
import { RefusalBox } from '../../../kit/part/refusal-box.tsx';
import { faultsOf, refusalOf, type Refusal } from '../../../kit/part/refusal.ts';
import { useAccess, useOrganizations } from '../../../kit/session/access.ts';
import { call, isCallError } from '../../../kit/session/call.ts';
import { organization, session } from '../../../kit/session/session.ts';
import { useClosedWhenLeft } from '../../../kit/session/tabs.ts';
import { addDevice } from '../record/device.calls.ts';
import { macDigits } from '../record/mac.ts';
import { SecretCard } from './secret-card.tsx';
import css from '../../../kit/part/form-page.module.css';

const none = { mac: '', name: '', model: '', sn: '', orgId: '' };
type Field = keyof typeof none;

/** A form that ends with the device's secret, shown once (device-link, "Connect"). */
export function AddDevicePage() {
  const { t } = useText();
  const navigate = useNavigate();
  const client = useQueryClient();
  const access = useAccess();
  const { data: organizations } = useOrganizations();
  const [values, setValues] = useState(none);
  const [faults, setFaults] = useState<Partial<Record<Field, string>>>({});
  const [refusal, setRefusal] = useState<Refusal>();
  const [busy, setBusy] = useState(false);
  const [added, setAdded] = useState<{ device: DeviceRecord; secret: string }>();
  const dirty = added === undefined && Object.values(values).some((v) => v !== '');
  useClosedWhenLeft(added !== undefined);
  useEffect(() => {
    document.getElementById('add-device')?.querySelector('input')?.focus();
  }, [added]);

  if (!access.can('addDevice')) return access.ready && <StatusPage code="403" />;
  function set(field: Field, value: string) {
    setValues({ ...values, [field]: value });
    setFaults({ ...faults, [field]: undefined });
  }
  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const mac = macDigits(values.mac);
    const found: Partial<Record<Field, string>> = {};
    if (!mac.valid)
      found.mac = /[^0-9a-f]/.test(mac.digits)
        ? t('device.macCharacters')
        : t('device.macDigits', { digits: mac.digits.length });
    for (const field of ['name', 'model', 'sn'] as const)
      if (values[field].trim() === '') found[field] = t(`device.${field}Missing`);
    setFaults(found);
    setRefusal(undefined);
    const form = event.currentTarget;
    const first = (Object.keys(none) as Field[]).find((f) => found[f] !== undefined);
    if (first) {
      (form.elements.namedItem(first) as HTMLElement).focus();
      return;
    }
    setBusy(true);
    try {
      setAdded(
        await call(addDevice, {
          body: {
            mac: mac.digits,
            name: values.name.trim(),
            model: values.model.trim(),
            sn: values.sn.trim(),
            ...(values.orgId === '' ? {} : { orgId: values.orgId }),
          },
        }),
      );
      void client.invalidateQueries({ queryKey: ['device'] });
    } catch (e) {
      const isMac = isCallError(e) && e.error?.startsWith('device.mac');
      const fields = isMac ? { mac: refusalOf(e).text } : faultsOf(e, Object.keys(none) as Field[]);
      setFaults(fields);
      if (Object.keys(fields).length === 0) setRefusal(refusalOf(e));
    }
    setBusy(false);
  }
  const fault = (field: Field) => faults[field] !== undefined && <FieldError text={faults[field]} />;
  return (
    <div className={css.page} id="add-device">
      <LeaveGuard when={dirty} />
      <header className={css.head}>
        <h1>{added ? t('device.added', { name: added.device.name }) : t('device.add')}</h1>
      </header>
      {added ? (
        <>
          <div className={css.body}>
            <SecretCard device={added.device} secret={added.secret} />
          </div>
          <footer className={css.foot}>
            <Button
              variant="default"
              onClick={() => {
                setAdded(undefined);
                setValues({ ...none, model: values.model, orgId: values.orgId });
              }}
            >
              {t('device.addAnother')}
            </Button>
            <Button component={Link} to="/device/deviceDetail" search={{ id: added.device.id } as never}>
              {t('device.open')}
            </Button>
          </footer>
        </>
      ) : (
        <form className={css.form} onSubmit={(e) => void submit(e)} noValidate>
          <div className={css.body}>
            <TextInput
              name="mac"
              label={t('device.mac')}
              description={t('device.macHint')}
              value={values.mac}
              onChange={(e) => set('mac', e.currentTarget.value)}
              error={fault('mac')}
              autoComplete="off"
              spellCheck={false}
              classNames={{ input: 'mono' }}
            />
            <TextInput
              name="name"
              label={t('device.name')}
              maxLength={64}
              value={values.name}
              onChange={(e) => set('name', e.currentTarget.value)}
              error={fault('name')}
              autoComplete="off"
            />
            <TextInput
              name="model"
              label={t('device.model')}
              maxLength={64}
              value={values.model}
              onChange={(e) => set('model', e.currentTarget.value)}
              error={fault('model')}
              autoComplete="off"
            />
            <TextInput
              name="sn"
              label={t('device.snLong')}
              maxLength={64}
              value={values.sn}
              onChange={(e) => set('sn', e.currentTarget.value)}
              error={fault('sn')}
              autoComplete="off"
              spellCheck={false}
              classNames={{ input: 'mono' }}
            />
            {organizations && organizations.length > 1 && (
              <Select
                name="orgId"
                label={t('device.organization')}
                data={organizations.map((o) => ({ value: o.id, label: o.name }))}
                value={values.orgId || (organization() === '1' ? (session()?.orgId ?? null) : organization())}
                onChange={(v) => set('orgId', v ?? '')}
              />
            )}
            <RefusalBox refusal={refusal} />
          </div>
          <footer className={css.foot}>
            <Button variant="default" onClick={() => void navigate({ to: '/device/list', search: {} as never })}>
              {t('common.cancel')}
            </Button>
            <Button type="submit" loading={busy}>
              {t('device.add')}
            </Button>
          </footer>
        </form>
      )}
    </div>
  );
}
