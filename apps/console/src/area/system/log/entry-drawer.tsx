import { Button } from '@mantine/core';
import { useText } from '../../../kit/text/use-text.ts';
import { Facts } from '../../../kit/part/facts.tsx';
import { SideDrawer } from '../../../kit/part/side-drawer.tsx';
import { moment } from '../../../kit/text/time.ts';
import { changeOf } from './change.ts';
import { Result, type Entry } from './result.tsx';
import css from './entry-drawer.module.css';

/** Whether the user came from the parent company during an allowed visit (CHN-07). */
const isVisit = (visit: unknown): visit is { company: string; customer: string; allowedBy: string } =>
  typeof visit === 'object' && visit !== null && 'allowedBy' in visit;

/** Shows an entry completely: who, what, on which object, from where, before and after, result and request (SYS-04). */
export default function EntryDrawer({
  entry,
  word,
  onClose,
  onObject,
  onRelated,
}: {
  entry: Entry;
  word: string;
  onClose: () => void;
  onObject: () => void;
  onRelated: () => void;
}) {
  const { t } = useText();
  const { changed, unchanged } = changeOf(entry.detail, entry.action);
  return (
    <SideDrawer title={word} onClose={onClose}>
      <Facts
        items={[
          [t('log.time'), moment(entry.at)],
          [t('log.user'), entry.username],
          [t('log.object'), entry.objectName],
          [t('log.objectId'), entry.objectId && <code key="o">{entry.objectId}</code>],
          [t('log.result'), <Result key="r" result={entry.result} />],
          [t('log.code'), <code key="c">{entry.result}</code>],
          [t('log.address'), entry.address && <code key="a">{entry.address}</code>],
          [t('log.request'), entry.requestId && <code key="q">{entry.requestId}</code>],
          [t('log.place'), entry.seq === 0 ? null : entry.seq],
          ...(isVisit(entry.detail['visit'])
            ? ([
                [t('log.visitor'), entry.detail['visit'].company],
                [t('log.customer'), entry.detail['visit'].customer],
                [t('log.allowedBy'), entry.detail['visit'].allowedBy],
              ] as const)
            : []),
        ]}
      />
      <h2 className={css.heading}>{t('log.change')}</h2>
      {changed.length === 0 ? (
        <p className={css.none}>{t('log.noChange')}</p>
      ) : (
        <table className={css.table}>
          <thead>
            <tr>
              <th scope="col">{t('log.field')}</th>
              <th scope="col">{t('log.before')}</th>
              <th scope="col">{t('log.after')}</th>
            </tr>
          </thead>
          <tbody>
            {changed.map((c) => (
              <tr key={c.field}>
                <th scope="row">{c.field}</th>
                <td>{c.before}</td>
                <td>{c.after}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {unchanged.length > 0 && <p className={css.unchanged}>{t('log.unchanged', { fields: unchanged.join(', ') })}</p>}
      {entry.objectId !== null && (
        <Button variant="default" mt={16} mr={8} onClick={onObject}>
          {t('log.allOfObject')}
        </Button>
      )}
      {entry.related > 1 && (
        <Button variant="default" mt={16} onClick={onRelated}>
          {t('log.allRelated', { count: entry.related })}
        </Button>
      )}
    </SideDrawer>
  );
}
