import { useEffect, useRef, useState } from 'react';
import { ActionIcon } from '@mantine/core';
import { IconCheck, IconFileUpload, IconPlayerPause, IconPlayerPlay, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { Upload } from 'tus-js-client';
import { FieldError } from '../part/field-error.tsx';
import { count } from '../text/text.ts';
import { useText } from '../text/use-text.ts';
import { checksumOf } from './checksum.ts';
import { fileSize } from './file.ts';
import { startUpload, uploadRulesQuery, type UploadNoun } from './upload.calls.ts';
import drop from '../part/drop.module.css';
import css from './upload.module.css';

/** A chosen file: its checksum is being computed, or it is uploading, complete or refused. */
export interface Chosen {
  key: string;
  file: File;
  sent: number;
  state: 'hashing' | 'going' | 'paused' | 'done' | 'refused';
  /** SHA-256 of a file whose checksum was asked for. */
  sha256?: string;
  /** Id of the upload, once it is complete. */
  id?: string;
  /** Why it was refused. */
  text?: string | undefined;
}
/** Returns why a form cannot be saved with these files yet; undefined when it can. */
export const filesFault = (
  files: readonly Chosen[],
  t: ReturnType<typeof useText>['t'],
  { needed = true } = {},
): string | undefined =>
  files.some(({ state }) => state === 'hashing' || state === 'going' || state === 'paused')
    ? t('upload.wait')
    : files.some(({ state }) => state === 'refused')
      ? t('upload.refused')
      : needed && files.length === 0
        ? t('upload.missing')
        : undefined;
export const wholeIds = (files: readonly Chosen[]): string[] =>
  files.flatMap(({ id }) => (id === undefined ? [] : [id]));

/**
 * Uploads files while the rest of the form is filled in, each with progress, pause and removal. With `checksum` it shows
 * the SHA-256 of a file, and refuses a file with another one than that, unless it is empty.
 */
export function UploadField({
  noun,
  label,
  most = 1,
  files,
  onChange,
  fault,
  checksum,
}: {
  noun: UploadNoun;
  label: string;
  most?: number;
  files: readonly Chosen[];
  onChange: (change: (files: readonly Chosen[]) => readonly Chosen[]) => void;
  fault: React.ReactNode;
  checksum?: string;
}) {
  const { t } = useText();
  const rules = useQuery(uploadRulesQuery(noun)).data;
  const { refusal, choose, pause, remove } = useUploads({ noun, most, files, onChange, checksum, rules });

  return (
    <div className={css.field}>
      <label className={drop.drop}>
        <input
          type="file"
          name="uploads"
          aria-label={label}
          multiple={most > 1}
          accept={rules?.extensions.join()}
          onChange={(event) => {
            const chosen = [...(event.currentTarget.files ?? [])];
            event.currentTarget.value = '';
            chosen.forEach(choose);
          }}
        />
        <IconFileUpload size={24} stroke={1.5} aria-hidden />
        <span>{t(most > 1 ? 'upload.chooseSeveral' : 'upload.choose')}</span>
        {rules && (
          <small>{t('upload.types', { types: rules.extensions.join(', '), size: fileSize(rules.maximum) })}</small>
        )}
      </label>
      {refusal !== undefined && (
        <div role="alert">
          <FieldError text={refusal} />
        </div>
      )}
      {fault}
      {files.length > 0 && (
        <ul className={css.files}>
          {files.map((one) => (
            <ChosenFile key={one.key} one={one} onPause={() => pause(one)} onRemove={() => remove(one.key)} />
          ))}
        </ul>
      )}
    </div>
  );
}

/** Checks, hashes and uploads chosen files, and reports each change of them. */
function useUploads({
  noun,
  most,
  files,
  onChange,
  checksum,
  rules,
}: {
  noun: UploadNoun;
  most: number;
  files: readonly Chosen[];
  onChange: (change: (files: readonly Chosen[]) => readonly Chosen[]) => void;
  checksum: string | undefined;
  rules: { extensions: string[]; maximum: number } | undefined;
}) {
  const { t } = useText();
  const uploads = useRef(new Map<string, Upload>());
  const hashing = useRef(new Map<string, AbortController>());
  const [refusal, setRefusal] = useState<string>();
  useEffect(() => {
    const running = uploads.current;
    const read = hashing.current;
    // Uploaded bytes stay for a day: the same file resumes there.
    return () => {
      read.forEach((stop) => stop.abort());
      running.forEach((upload) => void upload.abort());
    };
  }, []);
  const change = (key: string, to: Partial<Chosen>) =>
    onChange((all) => all.map((one) => (one.key === key ? { ...one, ...to } : one)));

  function choose(file: File) {
    setRefusal(undefined);
    const ending = /\.[^.]+$/.exec(file.name)?.[0].toLowerCase() ?? '';
    if (rules && !rules.extensions.includes(ending))
      return setRefusal(t('upload.typeWrong', { types: rules.extensions.join(', ') }));
    if (rules && file.size > rules.maximum) return setRefusal(t('upload.tooLarge', { size: fileSize(rules.maximum) }));
    const key = `${file.name} ${file.size} ${file.lastModified}`;
    if (files.some((one) => one.key === key)) return;
    if (files.length >= most && most > 1) return setRefusal(t('upload.tooMany', { count: most, number: count(most) }));
    // A new file replaces the only one.
    if (most === 1)
      for (const one of files) {
        hashing.current.get(one.key)?.abort();
        void uploads.current.get(one.key)?.abort();
      }
    const state = checksum === undefined ? 'going' : 'hashing';
    onChange((all) => [...(most === 1 ? [] : all), { key, file, sent: 0, state }]);
    if (checksum === undefined) upload(key, file);
    else void compare(key, file, checksum);
  }
  /** Uploads a file only when its checksum is the wanted one. */
  async function compare(key: string, file: File, wanted: string) {
    const stop = new AbortController();
    hashing.current.set(key, stop);
    try {
      const sha256 = await checksumOf(file, (sent) => change(key, { sent }), stop.signal);
      if (wanted !== '' && wanted !== sha256)
        return change(key, { state: 'refused', sha256, text: t('upload.checksumWrong') });
      change(key, { state: 'going', sent: 0, sha256 });
      upload(key, file);
    } catch {
      if (!stop.signal.aborted) change(key, { state: 'refused', text: t('upload.broken') });
    } finally {
      hashing.current.delete(key);
    }
  }
  function upload(key: string, file: File) {
    void startUpload(noun, file, {
      progress: (sent) => change(key, { sent }),
      done: (id) => change(key, { state: 'done', sent: file.size, id }),
      failed: (text) => change(key, { state: 'refused', text: text ?? t('upload.broken') }),
    }).then(
      (started) => uploads.current.set(key, started),
      () => change(key, { state: 'refused', text: t('upload.broken') }),
    );
  }
  function remove(key: string) {
    hashing.current.get(key)?.abort();
    void uploads.current
      .get(key)
      ?.abort(true)
      .catch(() => undefined);
    uploads.current.delete(key);
    onChange((all) => all.filter((one) => one.key !== key));
  }
  function pause({ key, state }: Chosen) {
    const started = uploads.current.get(key);
    if (!started) return;
    if (state === 'going') void started.abort();
    else started.start();
    change(key, { state: state === 'going' ? 'paused' : 'going' });
  }
  return { refusal, choose, pause, remove };
}

function ChosenFile({ one, onPause, onRemove }: { one: Chosen; onPause: () => void; onRemove: () => void }) {
  const { t } = useText();
  const { file, state, sha256 } = one;
  return (
    <li>
      <div className={css.name}>
        <span>{file.name}</span>
        <small>{fileSize(file.size)}</small>
      </div>
      {(state === 'going' || state === 'paused') && (
        <ActionIcon
          variant="subtle"
          aria-label={t(state === 'going' ? 'upload.pause' : 'upload.resume', { name: file.name })}
          onClick={onPause}
        >
          {state === 'going' ? <IconPlayerPause size={16} stroke={1.75} /> : <IconPlayerPlay size={16} stroke={1.75} />}
        </ActionIcon>
      )}
      <ActionIcon variant="subtle" aria-label={t('upload.remove', { name: file.name })} onClick={onRemove}>
        <IconX size={16} stroke={1.75} />
      </ActionIcon>
      {sha256 !== undefined && <code className={css.sum}>SHA-256 {sha256}</code>}
      <div className={css.state} role={state === 'refused' ? 'alert' : 'status'}>
        <FileState one={one} />
      </div>
    </li>
  );
}

function FileState({ one: { file, sent, state, text } }: { one: Chosen }) {
  const { t } = useText();
  if (state === 'refused') return <FieldError text={text ?? ''} />;
  if (state === 'done')
    return (
      <>
        <IconCheck size={14} stroke={1.75} aria-hidden /> {t('upload.done')}
      </>
    );
  const words = state === 'going' && sent === file.size ? 'checking' : state;
  return (
    <>
      <progress className={css.bar} aria-label={file.name} value={sent} max={file.size} />
      <span>{t(`upload.${words}`, { sent: fileSize(sent), size: fileSize(file.size) })}</span>
    </>
  );
}
