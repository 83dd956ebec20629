import { useText } from '../../../kit/text/use-text.ts';
import type { ConfigLock } from './config-template.calls.ts';
import { settingName, valueWords } from './setting-words.ts';
import css from './config-template.module.css';

/** Says that a value has no effect, because a lock decides. */
export function LockNote({ lock: { key, value, company } }: { lock: ConfigLock }) {
  const { t } = useText();
  const words = valueWords(key, value);
  return (
    <p className={css.lock}>
      {company === null
        ? t('configLock.byTemplate', { value: words })
        : t('configLock.byCompany', { company, value: words })}
    </p>
  );
}

/** Names what companies above lock, of the settings that a template does not contain. */
export function OtherLocks({ locks, shown }: { locks: readonly ConfigLock[]; shown: readonly string[] }) {
  const { t } = useText();
  return locks
    .filter(({ key, company }) => company !== null && !shown.includes(key))
    .map(({ key, value, company }) => (
      <p key={key} className={css.lock}>
        {t('configLock.elsewhere', { company: company!, name: settingName(key), value: valueWords(key, value) })}
      </p>
    ));
}
