import { useText } from '../../../kit/text/use-text.ts';
import type { Attempt } from './webhook.calls.ts';
import { faultWords } from './webhook-words.ts';
import css from './webhook.module.css';

/** Shows the receiver's answer, or why there was none. */
export function AttemptResult({ attempt: { status, ms, fault, answer } }: { attempt: Attempt }) {
  const { t } = useText();
  return (
    <div className={css.result} data-failed={fault !== null || undefined}>
      <strong>
        {fault === null ? t('webhook.sent.delivered') : t(faultWords[fault])}
        {status !== null && ` · ${status}`}
        {fault !== 'off' && ` · ${t('webhook.took', { ms })}`}
      </strong>
      {answer === '' ? status !== null && <p>{t('webhook.noAnswer')}</p> : <pre>{answer}</pre>}
    </div>
  );
}
