import { useState } from 'react';
import { Button, FileButton, TextInput } from '@mantine/core';
import { useQueries, useQuery } from '@tanstack/react-query';
import type { PictureKey } from '@carillon/contracts';
import { done } from '../../../kit/part/done.ts';
import { RefusalBox } from '../../../kit/part/refusal-box.tsx';
import { refusalOf, type Refusal } from '../../../kit/part/refusal.ts';
import { useForm } from '../../../kit/part/use-form.tsx';
import { useAccess } from '../../../kit/api/access.ts';
import { knownSettings, product } from '../../../kit/session/settings.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { configQuery, useSaveConfig } from './config.calls.ts';
import { renewSettings } from './renew.ts';
import css from './config-page.module.css';

const names = ['systemName', 'abbreviatedName', 'copyright'] as const;
const lengths = { systemName: 64, abbreviatedName: 32, copyright: 256 } as const;
type Names = Record<(typeof names)[number], string | null>;

/** Edits names, copyright and pictures, which everyone sees, also before the login. */
export function NamesTab() {
  const all = useQueries({ queries: names.map((key) => configQuery<string | null>(key)) }).map((query) => query.data);
  const known = all.every((v) => v !== undefined);
  return (
    <>
      {known && <NamesForm now={Object.fromEntries(names.map((key, i) => [key, all[i]])) as Names} />}
      <div>
        {(['logo', 'loginImage', 'favicon'] as const).map((name) => (
          <Picture key={name} name={name} />
        ))}
      </div>
    </>
  );
}

function NamesForm({ now }: { now: Names }) {
  const { t } = useText();
  const access = useAccess();
  const save = useSaveConfig();
  const form = useForm({
    systemName: now.systemName ?? '',
    abbreviatedName: now.abbreviatedName ?? '',
    copyright: now.copyright ?? '',
  });
  const defaults = {
    systemName: product.name,
    abbreviatedName: product.name,
    copyright: t('login.copyright', { year: product.year, product: product.name }),
  };
  async function submit() {
    const wanted = names.map((configKey) => ({
      configKey,
      value: form.values[configKey].trim().normalize('NFC') || null,
    }));
    for (const { configKey, value } of wanted) if (value !== now[configKey]) await save({ configKey, value });
    await renewSettings((saved) => wanted.every(({ configKey, value }) => (saved[configKey] ?? null) === value));
    await done('saved', { name: t('config.names') });
  }
  return (
    <form className={css.form} onSubmit={form.submit(() => ({}), submit)} noValidate aria-label={t('config.names')}>
      {names.map((key) => (
        <TextInput
          key={key}
          name={key}
          label={t(`config.${key}`)}
          description={key === 'copyright' ? undefined : t(`config.${key}Hint`)}
          placeholder={t('config.default', { value: defaults[key] })}
          maxLength={lengths[key]}
          value={form.values[key]}
          onChange={(e) => {
            form.set({ [key]: e.currentTarget.value });
          }}
          error={form.fault(key)}
          autoComplete="off"
        />
      ))}
      <RefusalBox refusal={form.refusal} />
      {access.can('editConfig') && (
        <div className={css.buttons}>
          <Button type="submit" loading={form.busy}>
            {t('common.save')}
          </Button>
        </div>
      )}
    </form>
  );
}

const accepted: Record<PictureKey, string> = {
  logo: 'image/jpeg',
  loginImage: 'image/jpeg,image/png',
  favicon: '.ico,image/x-icon',
};

/** Edits a picture: the current one, a new one, or none. The server checks its content. */
function Picture({ name }: { name: PictureKey }) {
  const { t } = useText();
  const access = useAccess();
  const save = useSaveConfig();
  const { data } = useQuery(configQuery<string | null>(name));
  const [refusal, setRefusal] = useState<Refusal>();
  async function store(value: string | null) {
    setRefusal(undefined);
    try {
      const before = knownSettings()?.[name];
      await save({ configKey: name, value });
      await renewSettings((saved) => saved[name] !== before);
      await done(value === null ? 'removed' : 'saved', { name: t(`config.${name}`) });
    } catch (e) {
      setRefusal(refusalOf(e));
    }
  }
  // Sends only the beginning of a larger file, which the server refuses anyway, so that nobody waits for the upload.
  const choose = async (file: File | null) => {
    if (file) await store(toBase64(new Uint8Array(await file.slice(0, 110_000).arrayBuffer())));
  };
  return (
    <div className={css.picture} data-picture={name}>
      <span className={css.shown}>{data ? <img src={data} alt={t(`config.${name}`)} /> : t('config.noPicture')}</span>
      <div>
        <strong>{t(`config.${name}`)}</strong>
        <span className={css.hint}>{t(`config.${name}Hint`)}</span>
      </div>
      {access.can('editConfig') && (
        <span className={css.buttons}>
          <FileButton accept={accepted[name]} onChange={(file) => void choose(file)}>
            {(props) => (
              <Button {...props} variant="default" aria-label={`${t('config.choose')}: ${t(`config.${name}`)}`}>
                {t('config.choose')}
              </Button>
            )}
          </FileButton>
          {data && (
            <Button
              variant="subtle"
              data-danger
              onClick={() => void store(null)}
              aria-label={`${t('config.takeAway')}: ${t(`config.${name}`)}`}
            >
              {t('config.takeAway')}
            </Button>
          )}
        </span>
      )}
      {refusal && (
        <div style={{ flexBasis: '100%' }}>
          <RefusalBox refusal={refusal} />
        </div>
      )}
    </div>
  );
}

const toBase64 = (bytes: Uint8Array) => btoa(Array.from(bytes, (b) => String.fromCharCode(b)).join(''));
