import type { ReactNode } from 'react';
import { useText } from '../text/use-text.ts';
import { FieldError } from './field-error.tsx';
import type { Refusal } from './refusal.ts';
import css from './dialog.module.css';

/** Shows the server's error for a form or an action, with what the user can do instead. */
export function RefusalBox({ refusal, children }: { refusal: Refusal | undefined; children?: ReactNode }) {
  const { t } = useText();
  if (refusal === undefined) return null;
  return (
    <div role="alert" className={css.refusal}>
      <FieldError text={refusal.text} />
      {refusal.requestId && <small>{t('common.request', { id: refusal.requestId })}</small>}
      {children}
    </div>
  );
}
