import { useState } from 'react';
import { Button, Modal, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { phonebookFiles } from '@carillon/contracts/ldap';
import { CopyButton } from '../../../kit/part/copy.tsx';
import { Facts } from '../../../kit/part/facts.tsx';
import { RefusalBox } from '../../../kit/part/refusal-box.tsx';
import { useAccess } from '../../../kit/api/access.ts';
import { call } from '../../../kit/api/call.ts';
import { count } from '../../../kit/text/text.ts';
import { macText } from '../../../kit/text/time.ts';
import { useText } from '../../../kit/text/use-text.ts';
import {
  getPhonebookLinks,
  phonebookDevicesQuery,
  renewPhonebookLinks,
  withdrawPhonebookLinks,
  type PhonebookLinks,
} from './ldap-account.calls.ts';
import css from '../../../kit/part/dialog.module.css';
import { useAction } from '../../../kit/part/use-action.ts';
import own from './phonebook-dialog.module.css';

/** Shows a device's links to the phonebook. Each device has its own, so that one can be renewed separately. */
export default function PhonebookDialog({ onClose }: { onClose: () => void }) {
  const { t } = useText();
  const access = useAccess();
  const [search, setSearch] = useState('');
  const [asked] = useDebouncedValue(search.trim(), 250);
  const [device, setDevice] = useState<{ id: string; name: string }>();
  const [shown, setShown] = useState<PhonebookLinks>();
  const { busy, refusal, run } = useAction();
  const devices = useQuery(phonebookDevicesQuery(asked)).data ?? [];
  const options = devices.map((d) => ({ value: d.id, label: `${d.name} · ${macText(d.mac)}` }));
  // The chosen device stays an option during a search.
  if (device && !devices.some((d) => d.id === device.id)) options.unshift({ value: device.id, label: device.name });
  const show = (ask: () => Promise<PhonebookLinks>) =>
    run(async () => {
      setShown(await ask());
    });
  const choose = (id: string | null) => {
    const chosen = options.find((d) => d.value === id);
    setDevice(chosen && { id: chosen.value, name: chosen.label });
    setShown(undefined);
    if (chosen) void show(() => getPhonebookLinks(chosen.value));
  };
  const links = shown?.links;
  const may = access.can('editDevice');
  return (
    <Modal opened onClose={onClose} title={t('phonebook.title')} withCloseButton={false} size={560}>
      <p className={css.effect}>{t('phonebook.text')}</p>
      <Select
        className={css.param}
        name="deviceId"
        label={t('phonebook.device')}
        placeholder={t('phonebook.deviceSearch')}
        data={options}
        value={device?.id ?? null}
        onChange={choose}
        searchable
        filter={({ options: all }) => all}
        onSearchChange={setSearch}
        openOnFocus={false}
        nothingFoundMessage={t('phonebook.deviceNone')}
        data-autofocus
      />
      {links && (
        <>
          <Facts
            items={phonebookFiles.map((file) => [
              t(`phonebook.${file}`),
              <span key={file} className={own.link}>
                <code>{`${location.origin}${links[file]}`}</code>
                <CopyButton value={`${location.origin}${links[file]}`} label={t(`phonebook.${file}`)} />
              </span>,
            ])}
          />
          <p className={own.note}>{t('phonebook.secret')}</p>
          {shown.leftOut > 0 && (
            <p className={own.note}>{t('phonebook.leftOut', { count: shown.leftOut, number: count(shown.leftOut) })}</p>
          )}
        </>
      )}
      {shown && !links && <p role="status">{t(may ? 'phonebook.none' : 'phonebook.noneReader')}</p>}
      <RefusalBox refusal={refusal} />
      <div className={css.buttons}>
        {device && may && links && (
          <>
            <Button
              variant="default"
              data-danger
              disabled={busy}
              onClick={() => void show(() => call(withdrawPhonebookLinks, { query: { id: device.id } }))}
            >
              {t('phonebook.withdraw')}
            </Button>
            <Button
              variant="default"
              disabled={busy}
              onClick={() => void show(() => call(renewPhonebookLinks, { body: { id: device.id } }))}
            >
              {t('phonebook.renew')}
            </Button>
          </>
        )}
        {device && may && shown && !links && (
          <Button
            variant="default"
            loading={busy}
            onClick={() => void show(() => call(renewPhonebookLinks, { body: { id: device.id } }))}
          >
            {t('phonebook.make')}
          </Button>
        )}
        <Button onClick={onClose}>{t('common.close')}</Button>
      </div>
    </Modal>
  );
}
