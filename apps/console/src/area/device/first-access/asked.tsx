import type { FirstAsk } from '@carillon/contracts';
import { moment } from '../../../kit/text/time.ts';
import { useText } from '../../../kit/text/use-text.ts';
import css from './first-access.module.css';

/** From where a phone asked, as what, and when. */
export function Asked({ ask }: { ask: Pick<FirstAsk, 'address' | 'userAgent' | 'lastAt'> }) {
  const { t } = useText();
  return (
    <div className={css.asked}>
      <span className="mono">{ask.address}</span>
      <small>{ask.userAgent}</small>
      <small>{t('firstAccess.asked', { when: moment(ask.lastAt) })}</small>
    </div>
  );
}
