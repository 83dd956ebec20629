import { useState } from 'react';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useText } from '../text/use-text.ts';
import css from './copy.module.css';

/** Copies a value and confirms it for a moment. */
export function CopyButton({ value, label }: { value: string; label: string }) {
  const { t } = useText();
  const [copied, setCopied] = useState(false);
  const text = copied ? t('common.copied') : t('common.copy', { what: label });
  return (
    <button
      type="button"
      className={css.copy}
      title={text}
      aria-label={text}
      onClick={() =>
        void navigator.clipboard.writeText(value).then(() => {
          setCopied(true);
          setTimeout(() => setCopied(false), 1500);
        })
      }
    >
      {copied ? <IconCheck size={14} stroke={1.75} /> : <IconCopy size={14} stroke={1.75} />}
    </button>
  );
}
