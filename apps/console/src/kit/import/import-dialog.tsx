import { useEffect, useEffectEvent, useState } from 'react';
import { Button, Modal } from '@mantine/core';
import { IconDownload, IconTableImport } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { importFileMaximum, importRowMaximum } from '@carillon/contracts/constants';
import { RefusalBox } from '../part/refusal-box.tsx';
import { refusalOf, type Refusal } from '../part/refusal.ts';
import { isCallError } from '../api/call.ts';
import { keep, recall } from '../browser/storage.ts';
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
import { RecentImports } from './recent-imports.tsx';
import dialog from '../part/dialog.module.css';
import drop from '../part/drop.module.css';
import css from './import.module.css';

/** An import in the browser's storage: its id, and whether its dialog was open. */
export interface KeptImport {
  id: string;
  open: boolean;
}

const megabytes = importFileMaximum / 1_048_576;

/**
 * Imports a spreadsheet: reads the file, checks each row, and changes nothing before the user starts it. The id of an
 * active import is stored, so that it is shown again after a reload (SYS-11).
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
  // Starts over when the import was deleted, after its retention or in another tab.
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
    // A finished import is forgotten; any other waits until the user returns.
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
          <p className={dialog.effect}>
            {t('import.text')} {noun === 'device' && t('import.clears')}
          </p>
          <Choose busy={reading} onFile={(file) => void read(file)} />
          <RecentImports place={place} onShow={show} />
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

/** The file input covers the whole area, so that a file can be dropped on it. */
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
