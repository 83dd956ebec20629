import { IconCheck, IconCircle } from '@tabler/icons-react';
import { missingParts, passwordParts } from '@carillon/contracts/password';
import { useText } from '../text/use-text.ts';
import css from './password-rule.module.css';

/** Shows the rule for a new password, ticked off while it is typed (AUTH-13). `names`: what it must not contain. */
export function PasswordRule({
  id,
  password,
  names = [],
}: {
  id: string;
  password: string;
  names?: readonly (string | null | undefined)[];
}) {
  const { t } = useText();
  const missing = missingParts(password, names);
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
