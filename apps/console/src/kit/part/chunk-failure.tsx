import { useEffect, useRef } from 'react';
import { Button } from '@mantine/core';
import { useChunkFailed } from '../browser/chunk.ts';
import { useText } from '../text/use-text.ts';
import css from './chunk-failure.module.css';

/**
 * Reports that a part of the console failed to load, and offers a remedy (SHELL-16). Uses the browser's own dialog,
 * which needs no further part.
 */
export function ChunkFailure() {
  const { t } = useText();
  const failed = useChunkFailed();
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (failed) box.current?.showModal();
  }, [failed]);
  if (!failed) return null;
  return (
    <dialog ref={box} className={css.box} aria-labelledby="chunk-failure">
      <h2 id="chunk-failure">{t('chunk.title')}</h2>
      <p className={css.text}>{t('chunk.text')}</p>
      <div className={css.buttons}>
        <Button variant="default" onClick={() => box.current?.close()}>
          {t('common.close')}
        </Button>
        <Button autoFocus onClick={() => location.reload()}>
          {t('common.reload')}
        </Button>
      </div>
    </dialog>
  );
}
