import { useQuery } from '@tanstack/react-query';
import { Failed } from '../../../kit/grid/states.tsx';
import { CopyButton } from '../../../kit/part/copy.tsx';
import { moment } from '../../../kit/text/time.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { AttemptResult } from './attempt-result.tsx';
import { deliveryQuery } from './webhook.calls.ts';
import part from '../../../kit/part/drawer-table.module.css';
import css from './webhook.module.css';

const readable = (body: string): string => JSON.stringify(JSON.parse(body), null, 2);

/** Shows every attempt of a delivery, newest first, and its content. */
export default function DeliveryDetails({ id }: { id: string }) {
  const { t } = useText();
  const query = useQuery(deliveryQuery(id));
  if (query.isError && !query.data)
    return <Failed text={t('webhookDelivery.oneFailed')} error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return null;
  const { attempts, body } = query.data;
  return (
    <>
      <section className={part.section} aria-labelledby="delivery-attempts">
        <h2 id="delivery-attempts">{t('webhookDelivery.attempts')}</h2>
        {attempts.length === 0 ? (
          <p className={part.note}>{t('webhookDelivery.noAttempts')}</p>
        ) : (
          <ol className={css.attempts} reversed>
            {attempts.toReversed().map((attempt) => (
              <li key={attempt.at}>
                <time dateTime={attempt.at}>{moment(attempt.at)}</time>
                <AttemptResult attempt={attempt} />
              </li>
            ))}
          </ol>
        )}
      </section>
      <section className={part.section} aria-labelledby="delivery-body">
        <div className={css.head}>
          <h2 id="delivery-body">{t('webhookDelivery.body')}</h2>
          <CopyButton value={body} label={t('webhookDelivery.body')} />
        </div>
        <pre className={css.body} tabIndex={0} aria-labelledby="delivery-body" role="region">
          {readable(body)}
        </pre>
      </section>
    </>
  );
}
