import { useState } from 'react';
import { Button } from '@mantine/core';
import { IconArrowBackUp, IconDownload } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { importDays } from '@carillon/contracts/constants';
import { RefusalBox } from '../part/refusal-box.tsx';
import { refusalOf, type Refusal } from '../part/refusal.ts';
import { count } from '../text/text.ts';
import { useText } from '../text/use-text.ts';
import { ImportRows } from './import-rows.tsx';
import { ImportSecrets } from './import-secrets.tsx';
import {
  commitImport,
  discardImport,
  isWorking,
  saveWrong,
  undoImport,
  type Import,
  type ImportPlace,
} from './import.calls.ts';
import css from './import.module.css';

/** Returns the progress of a phase and its total. */
const progressOf = ({ status, counts }: Import): [done: number, total: number] =>
  status === 'checking'
    ? [counts.checked, counts.total]
    : status === 'running'
      ? [counts.done, counts.add + counts.update]
      : [counts.undone + counts.kept, counts.done];

/** Shows an import after it was read: planned rows, progress and result. */
export function ImportProgress({
  place,
  of,
  title,
  onEnd,
  onClose,
}: {
  place: ImportPlace;
  of: Import;
  title: string;
  /** The dialog forgets the import. */
  onEnd: () => void;
  onClose: () => void;
}) {
  const { t } = useText();
  const client = useQueryClient();
  const [refusal, setRefusal] = useState<Refusal>();
  const [busy, setBusy] = useState(false);
  const { id, status, counts } = of;
  const many = (n: number) => ({ count: n, number: count(n) });
  const act = (work: () => Promise<unknown>, end?: () => void) => () => {
    setBusy(true);
    setRefusal(undefined);
    void work()
      .then(() => (end ? end() : client.invalidateQueries({ queryKey: ['operation', 'import', place, id] })))
      .catch((e: unknown) => setRefusal(refusalOf(e)))
      .finally(() => setBusy(false));
  };
  const wanted = counts.add + counts.update;
  return (
    <>
      {isWorking(of) ? (
        <Working of={of} />
      ) : (
        <>
          <p className={css.note}>{of.name}</p>
          <Summary of={of} />
          <ImportRows key={status} place={place} of={of} />
        </>
      )}
      {of.sheet !== null && status === 'checked' && <p className={css.note}>{t('import.sheet', { name: of.sheet })}</p>}
      {of.ignored.length > 0 && status === 'checked' && (
        <p className={css.note}>{t('import.ignored', { names: of.ignored.join(', ') })}</p>
      )}
      <RefusalBox refusal={refusal} />
      <div className={css.actions}>
        {(counts.wrong > 0 || counts.kept > 0) && !isWorking(of) ? (
          <Button
            variant="subtle"
            leftSection={<IconDownload size={15} stroke={1.75} />}
            onClick={act(() => saveWrong(place, id, title))}
          >
            {t('import.file')}
          </Button>
        ) : (
          <span />
        )}
        {(status === 'checking' || status === 'checked') && (
          <Button variant="default" onClick={act(() => discardImport(place, id), onEnd)}>
            {t('import.discard')}
          </Button>
        )}
        {status === 'checked' && (
          <Button loading={busy} disabled={wanted === 0} onClick={act(() => commitImport(place, id))}>
            {t('import.commit', many(wanted))}
          </Button>
        )}
        {status === 'done' && counts.add > 0 && place === 'device/import/device' && (
          <ImportSecrets id={id} onRefused={setRefusal} />
        )}
        {status === 'done' && counts.done > 0 && (
          <Button
            variant="default"
            loading={busy}
            leftSection={<IconArrowBackUp size={15} stroke={1.75} />}
            onClick={act(() => undoImport(place, id))}
          >
            {t('import.undo')}
          </Button>
        )}
        {(status === 'done' || status === 'undone') && (
          <Button variant="default" onClick={onEnd}>
            {t('import.another')}
          </Button>
        )}
        {status !== 'checking' && status !== 'checked' && <Button onClick={onClose}>{t('common.close')}</Button>}
      </div>
    </>
  );
}

function Working({ of }: { of: Import }) {
  const { t } = useText();
  const [done, total] = progressOf(of);
  const words = t(`import.progress.${of.status as 'checking' | 'running' | 'undoing'}`, {
    done: count(done),
    total: count(total),
  });
  return (
    <>
      <progress className={css.bar} value={done} max={Math.max(1, total)} aria-label={of.name} />
      <p role="status" className={css.note}>
        {words}
      </p>
    </>
  );
}

/** Summarizes the import; when it is done, its results. */
function Summary({ of: { status, counts, fields } }: { of: Import }) {
  const { t } = useText();
  const many = (n: number) => ({ count: n, number: count(n) });
  return (
    <div role="status" className={css.outcomes}>
      {status === 'done' && <b>{t('import.done', many(counts.done))}</b>}
      {status === 'undone' && <b>{t('import.undone', many(counts.undone))}</b>}
      {status === 'done' && <span className={css.note}>{t('import.undoText', { days: importDays })}</span>}
      {status === 'undone' && counts.kept > 0 && <span>{t('import.kept', many(counts.kept))}</span>}
      {status === 'checked' && counts.wrong > 0 && <span>{t('import.leftOut', many(counts.wrong))}</span>}
      {status !== 'undone' && counts.wrong > 0 && fields.some((field) => field.secret) && (
        <span>{t('import.fileHint')}</span>
      )}
    </div>
  );
}
