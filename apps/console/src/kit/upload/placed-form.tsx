import { useEffect, useEffectEvent, type ReactNode, type SubmitEventHandler } from 'react';
import { Button } from '@mantine/core';
import { RefusalBox } from '../part/refusal-box.tsx';
import type { Refusal } from '../part/refusal.ts';
import { useText } from '../text/use-text.ts';
import type { FormPlace } from './upload-form.ts';

/** What a form with files gets from its page or its dialog. */
export interface Placed {
  place: FormPlace;
  /** Called with whether there are unsaved changes, whenever that changes. */
  onDirty: (dirty: boolean) => void;
  onSaved: () => void;
  onCancel: () => void;
}

/** The frame of a form with files, which stands on a page of its own or in a dialog over its list. */
export function PlacedForm({
  place,
  form,
  files,
  confirm,
  onDirty,
  onSubmit,
  onCancel,
  children,
}: Omit<Placed, 'onSaved'> & {
  form: { dirty: boolean; busy: boolean; refusal: Refusal | undefined };
  /** The chosen files, which are changes too. */
  files: readonly unknown[];
  /** Label of the button that saves. */
  confirm: ReactNode;
  onSubmit: SubmitEventHandler<HTMLFormElement>;
  children: ReactNode;
}) {
  const { t } = useText();
  const dirty = form.dirty || files.length > 0;
  const reportDirty = useEffectEvent(onDirty);
  useEffect(() => reportDirty(dirty), [dirty]);
  return (
    <form className={place.form} onSubmit={onSubmit} noValidate>
      <div className={place.body}>
        {children}
        <RefusalBox refusal={form.refusal} />
      </div>
      <footer className={place.foot}>
        <Button variant="default" onClick={onCancel}>
          {t('common.cancel')}
        </Button>
        <Button type="submit" loading={form.busy}>
          {confirm}
        </Button>
      </footer>
    </form>
  );
}
