import { useState } from 'react';
import { Button, SegmentedControl, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Language } from '@carillon/contracts';
import { done } from '../../../kit/part/done.ts';
import { RefusalBox } from '../../../kit/part/refusal-box.tsx';
import { useForm } from '../../../kit/part/use-form.tsx';
import { useAccess } from '../../../kit/api/access.ts';
import { currentLanguage, languageNames, languageTags } from '../../../kit/browser/language.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { configQuery, useSaveConfig } from './config.calls.ts';
import css from './config-page.module.css';

type Texts = Record<Language, string | null>;

/** Edits terms and privacy policy per language (SHELL-21). */
export default function LegalTab() {
  return (
    <>
      <LegalForm name="terms" />
      <LegalForm name="privacy" />
    </>
  );
}

function LegalForm({ name }: { name: 'terms' | 'privacy' }) {
  const { data } = useQuery(configQuery<Texts | null>(name));
  return data === undefined ? null : <Editor name={name} now={data} />;
}

function Editor({ name, now }: { name: 'terms' | 'privacy'; now: Texts | null }) {
  const { t } = useText();
  const access = useAccess();
  const save = useSaveConfig();
  const [language, setLanguage] = useState<Language>(currentLanguage());
  const form = useForm({
    en_US: now?.en_US ?? '',
    zh_CN: now?.zh_CN ?? '',
    ko: now?.ko ?? '',
    pt_BR: now?.pt_BR ?? '',
  });
  async function submit() {
    const value = Object.fromEntries(
      Object.entries(form.values).map(([l, text]) => [l, text.trim() === '' ? null : text.trim()]),
    ) as Texts;
    await save({ configKey: name, value: Object.values(value).every((text) => text === null) ? null : value });
    await done('saved', { name: t(`legal.${name}.title`) });
  }
  return (
    <form className={css.form} onSubmit={form.submit(() => ({}), submit)} noValidate aria-labelledby={`legal-${name}`}>
      <h2 id={`legal-${name}`}>{t(`legal.${name}.title`)}</h2>
      <SegmentedControl
        aria-label={t('shell.language')}
        data={(Object.keys(languageNames) as Language[]).map((value) => ({ value, label: languageNames[value] }))}
        value={language}
        onChange={(v) => setLanguage(v as Language)}
      />
      <Textarea
        name={name}
        lang={languageTags[language]}
        label={t(`legal.${name}.title`)}
        description={t('legal.hint')}
        autosize
        minRows={4}
        maxRows={16}
        maxLength={20_000}
        value={form.values[language]}
        onChange={(e) => {
          form.set({ [language]: e.currentTarget.value });
        }}
      />
      <RefusalBox refusal={form.refusal} />
      <div className={css.buttons}>
        {access.can('editConfig') && (
          <Button type="submit" loading={form.busy}>
            {t('common.save')}
          </Button>
        )}
        <Button component="a" href={`/${name}`} target="_blank" rel="noreferrer" variant="default">
          {t('legal.show')}
        </Button>
      </div>
    </form>
  );
}
