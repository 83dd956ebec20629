import { useState } from 'react';
import { Button, FileButton, Modal } from '@mantine/core';
import { IconAlertTriangleFilled, IconCircleCheckFilled } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { macFiles } from '@carillon/contracts/constants';
import { RefusalBox } from '../../../kit/part/refusal-box.tsx';
import { saveBlob } from '../../../kit/api/save-file.ts';
import { count } from '../../../kit/text/text.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { useActions } from '../../task/action/actions.tsx';
import { keepDraft } from '../../task/action/draft.ts';
import type { MacFileResult } from './config-template.calls.ts';
import { exampleFile, upload } from './mac-file.ts';
import actions from '../../../kit/part/dialog.module.css';
import part from '../../../kit/part/drawer-table.module.css';
import { useAction } from '../../../kit/part/use-action.ts';
import own from './mac-file.module.css';

const example = '0c383e112233.txt';

/** Uploads settings of single devices as text files that are named by MAC, and shows the result of each (CFG-02). */
export default function MacFileDialog({ onClose }: { onClose: () => void }) {
  const { t } = useText();
  const [results, setResults] = useState<MacFileResult[]>();
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('macFile.upload')}
      size={640}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      {results ? (
        <Results results={results} onAgain={() => setResults(undefined)} onClose={onClose} />
      ) : (
        <Choice onDone={setResults} onClose={onClose} />
      )}
    </Modal>
  );
}

/** Chooses and sends the files. */
function Choice({ onDone, onClose }: { onDone: (results: MacFileResult[]) => void; onClose: () => void }) {
  const { t } = useText();
  const client = useQueryClient();
  const [files, setFiles] = useState<readonly File[]>([]);
  const { busy, refusal, run } = useAction();
  const isTooMany = files.length > macFiles;
  const number = { count: files.length, number: count(files.length) };
  const send = () =>
    run(async () => {
      const results = await upload(files);
      // What devices are to have changes with it.
      for (const queryKey of [['configTemplate'], ['device', 'config']]) void client.invalidateQueries({ queryKey });
      onDone(results);
    });
  return (
    <div className={own.choice}>
      <p className={part.note}>{t('macFile.about')}</p>
      <div className={own.files}>
        <FileButton multiple accept=".txt,text/plain" onChange={(chosen) => setFiles(chosen)} disabled={busy}>
          {(props) => (
            <Button {...props} variant="default" disabled={busy}>
              {t('macFile.choose')}
            </Button>
          )}
        </FileButton>
        <p role="status">
          {files.length > 0 &&
            (isTooMany
              ? t('macFile.tooMany', { most: count(macFiles), number: number.number })
              : t('macFile.chosen', number))}
        </p>
        <Button variant="subtle" onClick={() => saveBlob(new Blob([exampleFile()], { type: 'text/plain' }), example)}>
          {t('macFile.example')}
        </Button>
      </div>
      <RefusalBox refusal={refusal} />
      <div className={actions.buttons}>
        <Button variant="default" onClick={onClose}>
          {t('common.cancel')}
        </Button>
        <Button onClick={() => void send()} loading={busy} disabled={files.length === 0 || isTooMany}>
          {t('macFile.upload')}
        </Button>
      </div>
    </div>
  );
}

/** Shows what became of each file, the refused ones first. */
function Results({
  results,
  onAgain,
  onClose,
}: {
  results: readonly MacFileResult[];
  onAgain: () => void;
  onClose: () => void;
}) {
  const { t } = useText();
  const navigate = useNavigate();
  const maySend = useActions().some(({ key }) => key === 'configUpdate');
  const accepted = results.filter(({ error }) => error === null);
  const refused = results.length - accepted.length;
  const changed = accepted.flatMap(({ isChanged, deviceId }) => (isChanged && deviceId !== null ? [deviceId] : []));
  const send = () => {
    const target = { ids: changed };
    const draft = keepDraft({ action: 'configUpdate', params: { by: 'template' }, target, count: changed.length });
    onClose();
    void navigate({ to: '/task/addTask', search: { draft } as never });
  };
  return (
    <>
      <p role="status" className={own.sum}>
        <IconCircleCheckFilled size={14} aria-hidden data-tone="good" />
        {t('macFile.accepted', { count: accepted.length, number: count(accepted.length) })}
        {refused > 0 && (
          <>
            <IconAlertTriangleFilled size={14} aria-hidden data-tone="bad" />
            {t('macFile.refused', { count: refused, number: count(refused) })}
          </>
        )}
      </p>
      <div className={own.results} tabIndex={0} role="group" aria-label={t('macFile.results')}>
        <table className={part.table}>
          <thead>
            <tr>
              <th scope="col">{t('macFile.file')}</th>
              <th scope="col">{t('macFile.device')}</th>
              <th scope="col">{t('macFile.result')}</th>
            </tr>
          </thead>
          <tbody>
            {results.map((result, i) => (
              // Two files of different folders can have one name.
              <tr key={`${i} ${result.name}`} data-refused={result.error !== null || undefined}>
                <th scope="row">{result.name}</th>
                <td>{result.deviceName ?? '–'}</td>
                <td>
                  {result.msg ??
                    (result.isChanged
                      ? t('configTemplate.settingCount', { count: result.settings, number: count(result.settings) })
                      : t('macFile.same'))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className={actions.buttons}>
        <Button variant="default" onClick={onAgain}>
          {t('macFile.choose')}
        </Button>
        {maySend && changed.length > 0 ? (
          <Button onClick={send}>{t('configTemplate.send')}</Button>
        ) : (
          <Button onClick={onClose}>{t('common.close')}</Button>
        )}
      </div>
    </>
  );
}
