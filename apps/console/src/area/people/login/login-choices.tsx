import { useMantineColorScheme } from '@mantine/core';
import { IconChevronDown, IconLanguage, IconMoon, IconSun } from '@tabler/icons-react';
import { useText } from '../../../kit/text/use-text.ts';
import type { Language } from '@carillon/contracts';
import { chooseLanguage } from '../../../kit/text/text.ts';
import { currentLanguage, languageNames, languageTags } from '../../../kit/browser/language.ts';
import css from './login-page.module.css';

/**
 * Chooses language and colour scheme before the login. A native select works with every screen reader and costs
 * nothing.
 */
export function LoginChoices() {
  const { t } = useText();
  const { setColorScheme } = useMantineColorScheme();
  const dark = document.documentElement.dataset['mantineColorScheme'] === 'dark';
  return (
    <div className={css.choices}>
      <IconLanguage size={16} stroke={1.75} aria-hidden className={css.choiceIcon} />
      <select
        className={css.language}
        aria-label={t('shell.language')}
        value={currentLanguage()}
        onChange={(e) => chooseLanguage(e.currentTarget.value as Language)}
      >
        {(Object.keys(languageNames) as Language[]).map((l) => (
          <option key={l} value={l} lang={languageTags[l]}>
            {languageNames[l]}
          </option>
        ))}
      </select>
      <IconChevronDown size={14} stroke={1.75} aria-hidden className={css.arrow} />
      <button
        type="button"
        className={css.scheme}
        title={t(dark ? 'shell.light' : 'shell.dark')}
        aria-label={t(dark ? 'shell.light' : 'shell.dark')}
        onClick={() => setColorScheme(dark ? 'light' : 'dark')}
      >
        {dark ? <IconMoon size={16} stroke={1.75} /> : <IconSun size={16} stroke={1.75} />}
      </button>
    </div>
  );
}
