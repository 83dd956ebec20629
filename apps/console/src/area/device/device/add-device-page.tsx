import { useEffect, useState } from 'react';
import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { addDevice as Add, RouteOutput } from '@carillon/contracts';
import { LeaveGuard } from '../../../kit/part/leave-guard.tsx';
import { RefusalBox } from '../../../kit/part/refusal-box.tsx';
import { StatusPage } from '../../../kit/part/status-page.tsx';
import { TextField } from '../../../kit/part/form-field.tsx';
import { useForm } from '../../../kit/part/use-form.tsx';
import { useAccess } from '../../../kit/api/access.ts';
import { call } from '../../../kit/api/call.ts';
import { organization, session } from '../../../kit/session/session.ts';
import { useClosedWhenLeft } from '../../../kit/session/tabs.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { addDevice } from '../record/device-change.calls.ts';
import { macDigits } from '../record/mac.ts';
import {
  claimCodeFault,
  ClaimCodeFields,
  claimCodeOf,
  noClaimCode,
  type ClaimCodeValues,
} from './claim-code-fields.tsx';
import { DeviceFields, linesBody, modelBody, noDevice, useMissing, type DeviceValues } from './device-form.tsx';
import { FirstPlaceField, useFirstPlace, type FirstPlace } from './first-place.tsx';
import { FirstContact } from './first-contact.tsx';
import { SecretCard } from './secret-card.tsx';
import css from '../../../kit/part/form-page.module.css';
import own from './device-form.module.css';

type Added = RouteOutput<typeof Add>;
type Values = DeviceValues & FirstPlace & ClaimCodeValues & { mac: string };
const nothing: Values = { ...noDevice, ...noClaimCode, mac: '', siteName: '', address: '' };

/**
 * Adds a device. The form ends with the data to type into the device or to scan, shown once (docs/device-link.md,
 * "Connect").
 */
export function AddDevicePage() {
  const access = useAccess();
  const [round, setRound] = useState<{ n: number; first: Values }>({ n: 0, first: nothing });
  const [added, setAdded] = useState<Added>();
  useClosedWhenLeft(added !== undefined);
  if (!access.can('addDevice')) return access.ready && <StatusPage code="403" />;
  return added ? (
    <AddedDevice
      added={added}
      onAnother={() => {
        setAdded(undefined);
        setRound(({ n, first }) => ({ n: n + 1, first }));
      }}
    />
  ) : (
    <AddDeviceForm
      key={round.n}
      first={round.first}
      onAdded={(answer, values) => {
        setAdded(answer);
        // Keeps some values, because the next device is often similar.
        setRound(({ n }) => ({ n, first: { ...values, mac: '', claimCode: '', name: '', sn: '', lines: [] } }));
      }}
    />
  );
}

function AddDeviceForm({ first, onAdded }: { first: Values; onAdded: (added: Added, values: Values) => void }) {
  const { t } = useText();
  const navigate = useNavigate();
  const client = useQueryClient();
  const mayAssign = useAccess().can('assignSipAccount');
  const missing = useMissing();
  const chosenOrgId = organization() === '1' ? (session()?.orgId ?? '') : organization();
  const form = useForm<Values>({ ...first, orgId: first.orgId || chosenOrgId });
  const { values: entered, set, fault, submit, refusal, busy, dirty } = form;
  const place = useFirstPlace(entered);
  const values = { ...entered, ...place.places };
  useEffect(() => {
    document.getElementById('add-device')?.querySelector('input')?.focus();
  }, []);
  const check = () => {
    const mac = macDigits(values.mac);
    const wrong = /[^0-9a-f]/.test(mac.digits)
      ? t('device.macCharacters')
      : t('device.macDigits', { digits: mac.digits.length });
    const { siteId, serverId, ...others } = missing(values);
    return {
      ...(mac.valid ? {} : { mac: wrong }),
      ...others,
      ...(siteId === undefined || place.asks.site ? {} : { siteId }),
      ...(serverId === undefined || place.asks.server ? {} : { serverId }),
      ...place.missing(),
      ...claimCodeFault(values, t),
    };
  };
  const save = async () => {
    const { siteId, serverId } = await place.create(set);
    const answer = await call(addDevice, {
      body: {
        mac: macDigits(values.mac).digits,
        name: values.name.trim(),
        ...modelBody(values.model),
        sn: values.sn.trim(),
        siteId,
        serverId,
        ...(values.orgId === '' ? {} : { orgId: values.orgId }),
        ...claimCodeOf(values),
        ...(mayAssign && values.lines.length > 0 ? { lines: linesBody(values.lines) } : {}),
      },
    });
    onAdded(answer, { ...values, siteId, serverId });
    void client.invalidateQueries({ queryKey: ['device'] });
  };
  const firstField = (field: keyof FirstPlace) => (
    <FirstPlaceField field={field} values={values} set={set} fault={fault} />
  );
  return (
    <div className={css.page} id="add-device">
      <LeaveGuard when={dirty} />
      <header className={css.head}>
        <h1>{t('device.add')}</h1>
      </header>
      <form className={css.form} onSubmit={submit(check, save)} noValidate>
        <div className={css.body}>
          <TextField form={form} name="mac" label={t('device.mac')} description={t('device.macHint')} code />
          <ClaimCodeFields values={values} set={set} fault={fault} />
          <DeviceFields
            values={values}
            set={set}
            fault={fault}
            first={{
              site: place.asks.site && firstField('siteName'),
              server: place.asks.server && firstField('address'),
            }}
          />
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
    </div>
  );
}

function AddedDevice({ added, onAnother }: { added: Added; onAnother: () => void }) {
  const { t } = useText();
  const others = [...new Set(added.also.map((device) => device.name))].join(', ');
  return (
    <div className={css.page}>
      <header className={css.head}>
        <h1>{t('device.added', { name: added.device.name })}</h1>
      </header>
      <div className={css.body}>
        {others !== '' && (
          <p className={own.warning} role="status">
            {t('deviceForm.also', { others })}
          </p>
        )}
        <SecretCard device={added.device} secret={added.secret} connect={added.connect} />
        <FirstContact device={added.device} />
      </div>
      <footer className={css.foot}>
        <Button variant="default" onClick={onAnother}>
          {t('device.addAnother')}
        </Button>
        <Button component={Link} to="/device/deviceDetail" search={{ id: added.device.id } as never}>
          {t('device.open')}
        </Button>
      </footer>
    </div>
  );
}
