import { useEffect, useEffectEvent, useState } from 'react';
import { Button, Modal } from '@mantine/core';
import { IconDownload, IconTableImport } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { importFileMaximum, importRowMaximum } from '@carillon/contracts/constants';
import { RefusalBox } from '../part/refusal-box.tsx';
import { refusalOf, type Refusal } from '../part/refusal.ts';
import { isCallError } from '../session/call.ts';
import { keep, recall } from '../session/storage.ts';
import { count } from '../text/text.ts';
import { useText } from '../text/use-text.ts';
import { ImportColumns } from './import-columns.tsx';
import { ImportProgress } from './import-progress.tsx';
import {
  importQuery,
  importTypesQuery,
  readFile,
  saveTemplate,
  type ImportNoun,
  type ImportPlace,
  type Read,
} from './import.calls.ts';
import dialog from '../part/dialog.module.css';
import drop from '../part/drop.module.css';
import css from './import.module.css';

/** What the browser keeps of an import: which one, and whether it was looked at. */
export interface KeptImport {
  id: string;
  open: boolean;
}

const megabytes = importFileMaximum / 1_048_576;

/**
 * From a spreadsheet to its rows: the file is read, each row is checked, and nothing is changed before somebody wants
 * it. The id of what goes on is kept, so that it is here again after the page was loaded anew (SYS-11).
 */
export default function ImportDialog({
  noun,
  place,
  stored,
  onClose,
}: {
  noun: ImportNoun;
  place: ImportPlace;
  stored: string;
  onClose: () => void;
}) {
  const { t } = useText();
  const [id, setId] = useState(() => recall<KeptImport>(stored)?.id);
  const [asked, setAsked] = useState<{ file: File; read: Read }>();
  const [refusal, setRefusal] = useState<Refusal>();
  const [reading, setReading] = useState<string>();
  const query = useQuery({ ...importQuery(place, id ?? ''), enabled: id !== undefined });
  const title = t(`import.title.${noun}`);
  const show = (next: string | undefined) => {
    keep(stored, next === undefined ? undefined : ({ id: next, open: true } satisfies KeptImport));
    setId(next);
  };
  // One that is gone meanwhile, after its days or by another tab, begins anew.
  const leaveMissing = useEffectEvent(() => {
    if (query.isError && isCallError(query.error) && query.error.code === 404) show(undefined);
  });
  useEffect(() => leaveMissing(), [query.isError]);
  const refuse = (e: unknown) => setRefusal(refusalOf(e));
  async function read(file: File, mapping?: Record<string, number>) {
    setRefusal(undefined);
    if (file.size > importFileMaximum) return setRefusal({ text: t('import.tooLarge', { size: count(megabytes) }) });
    setReading(file.name);
    try {
      const answer = await readFile(place, file, mapping);
      setAsked(answer.import ? undefined : { file, read: answer });
      if (answer.import) show(answer.import.id);
    } catch (e) {
      refuse(e);
    } finally {
      setReading(undefined);
    }
  }
  const close = () => {
    // What is over needs nobody to come back to it; anything else waits until somebody asks for it.
    const over = query.data?.status === 'done' || query.data?.status === 'undone';
    keep(stored, over || id === undefined ? undefined : ({ id, open: false } satisfies KeptImport));
    onClose();
  };
  return (
    <Modal
      opened
      onClose={close}
      title={title}
      size={id === undefined ? 'xl' : '72rem'}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      {id !== undefined ? (
        query.data && (
          <ImportProgress place={place} of={query.data} title={title} onEnd={() => show(undefined)} onClose={close} />
        )
      ) : asked ? (
        <ImportColumns
          of={asked.read}
          busy={reading !== undefined}
          onBack={() => setAsked(undefined)}
          onChosen={(mapping) => void read(asked.file, mapping)}
        />
      ) : (
        <>
          <p className={dialog.effect}>{t('import.text')}</p>
          <Choose busy={reading} onFile={(file) => void read(file)} />
          <div className={css.actions}>
            <Button
              variant="subtle"
              leftSection={<IconDownload size={15} stroke={1.75} />}
              onClick={() => void saveTemplate(place, title).catch(refuse)}
            >
              {t('import.template')}
            </Button>
            <Button variant="default" onClick={close}>
              {t('common.cancel')}
            </Button>
          </div>
        </>
      )}
      <RefusalBox refusal={refusal} />
    </Modal>
  );
}

/** The field lies over all of it, so that a file is dropped into it, too. */
function Choose({ busy, onFile }: { busy: string | undefined; onFile: (file: File) => void }) {
  const { t } = useText();
  const types = useQuery(importTypesQuery()).data ?? ['.xls', '.xlsx'];
  return (
    <label className={drop.drop}>
      <input
        type="file"
        name="file"
        accept={types.join()}
        disabled={busy !== undefined}
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? [];
          event.currentTarget.value = '';
          if (file) onFile(file);
        }}
      />
      <IconTableImport size={24} stroke={1.5} aria-hidden />
      <span role="status">{busy === undefined ? t('import.choose') : t('import.reading', { name: busy })}</span>
      <small>
        {t('import.types', { types: types.join(', '), size: count(megabytes), rows: count(importRowMaximum) })}
      </small>
    </label>
  );
}
