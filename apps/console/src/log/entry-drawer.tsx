import { Button, Drawer } from '@mantine/core';
import { useText } from '../text/use-text.ts';
import { Facts } from '../part/facts.tsx';
import { moment } from '../text/time.ts';
import { Result, type Entry } from './operation-log-page.tsx';
import css from './entry-drawer.module.css';

const plain = (value: unknown): string => (value === null || value === undefined ? '–' : typeof value === 'object' ? JSON.stringify(value) : String(value));

/** What was changed as rows of before and after; a side that is not there stays empty. */
export function changes(detail: Record<string, unknown>): { name: string; before: string; after: string }[] {
  const side = (of: unknown) => (typeof of === 'object' && of !== null && !Array.isArray(of) ? of as Record<string, unknown> : undefined);
  const before = side(detail['before']);
  const after = side(detail['after']);
  const told = before !== undefined || after !== undefined;
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const rest = Object.entries(detail).filter(([name]) => !told || (name !== 'before' && name !== 'after'));
  return [
    ...names.map((name) => ({ name, before: before && name in before ? plain(before[name]) : '', after: after && name in after ? plain(after[name]) : '' })),
    ...rest.map(([name, value]) => ({ name, before: '', after: plain(value) })),
  ];
}

/** One entry whole: who, what, on which object, from where, before and after, result and request (SYS-04). */
export default function EntryDrawer({ entry, word, onClose, onObject, onRelated }: { entry: Entry; word: string; onClose: () => void; onObject: () => void; onRelated: () => void }) {
  const { t } = useText();
  const rows = changes(entry.detail);
  return (
    <Drawer opened onClose={onClose} size={480} title={word} trapFocus={false} withOverlay={false} closeOnClickOutside={false} lockScroll={false} closeButtonProps={{ 'aria-label': t('common.close') }}>
      <Facts items={[
        [t('log.time'), moment(entry.at)], [t('log.user'), entry.username], [t('log.object'), entry.objectName], [t('log.objectId'), entry.objectId && <code>{entry.objectId}</code>],
        [t('log.result'), <Result key="r" result={entry.result} />], [t('log.code'), <code key="c">{entry.result}</code>], [t('log.address'), entry.address && <code>{entry.address}</code>], [t('log.request'), entry.requestId && <code>{entry.requestId}</code>],
        [t('log.place'), entry.seq === 0 ? null : entry.seq],
      ]} />
      <h2 className={css.heading}>{t('log.change')}</h2>
      {rows.length === 0 ? <p className={css.none}>{t('log.noChange')}</p> : (
        <table className={css.table}>
          <thead><tr><th scope="col">{t('log.field')}</th><th scope="col">{t('log.before')}</th><th scope="col">{t('log.after')}</th></tr></thead>
          <tbody>{rows.map((r) => <tr key={r.name}><th scope="row">{r.name}</th><td>{r.before}</td><td>{r.after}</td></tr>)}</tbody>
        </table>
      )}
      {entry.objectId !== null && <Button variant="default" mt={16} mr={8} onClick={onObject}>{t('log.allOfObject')}</Button>}
      {entry.related > 1 && <Button variant="default" mt={16} onClick={onRelated}>{t('log.allRelated', { count: entry.related })}</Button>}
    </Drawer>
  );
}
