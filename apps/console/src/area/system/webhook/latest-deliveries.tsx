import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Failed } from '../../../kit/grid/states.tsx';
import { moment } from '../../../kit/text/time.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { SentState } from './webhook-state.tsx';
import { eventWords } from './webhook-words.ts';
import { latestQuery } from './webhook.calls.ts';
import part from '../../../kit/part/drawer-table.module.css';
import css from './webhook.module.css';

/** Shows the latest deliveries of a webhook, with a link to all of them. */
export default function LatestDeliveries({ webhookId }: { webhookId: string }) {
  const { t } = useText();
  const query = useQuery(latestQuery(webhookId));
  return (
    <section className={part.section} aria-labelledby="webhook-latest">
      <div className={css.head}>
        <h2 id="webhook-latest">{t('webhook.latest')}</h2>
        <Link to="/system/webhook/deliveries" search={{ webhook: webhookId }}>
          {t('webhook.allDeliveries')}
        </Link>
      </div>
      {query.isError && !query.data && (
        <Failed text={t('webhookDelivery.listFailed')} error={query.error} onRetry={() => void query.refetch()} />
      )}
      {query.data &&
        (query.data.records.length === 0 ? (
          <p className={part.note}>{t('webhook.noDeliveries')}</p>
        ) : (
          <table className={part.table}>
            <thead>
              <tr>
                <th scope="col">{t('webhookDelivery.created')}</th>
                <th scope="col">{t('webhookDelivery.event')}</th>
                <th scope="col">{t('webhookDelivery.state')}</th>
                <th scope="col">{t('webhookDelivery.status')}</th>
              </tr>
            </thead>
            <tbody>
              {query.data.records.map((d) => (
                <tr key={d.id}>
                  <th scope="row">
                    <Link to="/system/webhook/deliveries" search={{ webhook: webhookId, delivery: d.id }}>
                      {moment(d.createdAt)}
                    </Link>
                  </th>
                  <td>{t(eventWords[d.event])}</td>
                  <td>
                    <SentState state={d.state} />
                  </td>
                  <td>{d.status ?? '–'}</td>
                </tr>
              ))}
            </tbody>
          </table>
        ))}
    </section>
  );
}
