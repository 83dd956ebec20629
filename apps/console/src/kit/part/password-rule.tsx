import { IconCheck, IconCircle } from '@tabler/icons-react';
import { missingParts, passwordParts } from '@carillon/contracts/password';
import { useText } from '../text/use-text.ts';
import css from './password-rule.module.css';

/** What a new password must have, ticked off while it is typed (AUTH-13). */
export function PasswordRule({ id, password }: { id: string; password: string }) {
  const { t } = useText();
  const missing = missingParts(password);
  return (
    <ul id={id} className={css.rule}>
      {passwordParts.map((part) => {
        const has = !missing.includes(part);
        return (
          <li key={part} data-has={has || undefined}>
            {has ? <IconCheck size={14} stroke={2.25} aria-hidden /> : <IconCircle size={10} stroke={2} aria-hidden />}
            <span>{t(`password.${part}`)}</span>
            {has && <span className="hidden-text">{t('password.has')}</span>}
          </li>
        );
      })}
    </ul>
  );
}
