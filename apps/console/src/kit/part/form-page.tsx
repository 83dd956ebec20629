import type { ReactNode, SubmitEventHandler } from 'react';
import { Button } from '@mantine/core';
import { useClosedWhenLeft } from '../session/tabs.ts';
import { useText } from '../text/use-text.ts';
import { LeaveGuard } from './leave-guard.tsx';
import { RefusalBox } from './refusal-box.tsx';
import type { Refusal } from './refusal.ts';
import css from './form-page.module.css';

const joined = (own: string | undefined, more: string | undefined) => [own, more].filter(Boolean).join(' ');

/** A page with a heading over its body and buttons at its foot. */
export function PageFrame({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <div className={css.page}>
      <header className={css.head}>
        <h1>{title}</h1>
      </header>
      {children}
    </div>
  );
}

/**
 * A page that adds or edits something. It asks before unsaved input is lost, and shows the server's error above its
 * buttons. Once `saved`, its tab closes when the user leaves.
 */
export function FormPage({
  title,
  form,
  saved,
  unsaved = form.dirty && !saved,
  className,
  busy = form.busy,
  disabled = false,
  confirm,
  more,
  onConfirm,
  onSubmit,
  onCancel,
  children,
}: {
  title: ReactNode;
  form: { dirty: boolean; busy: boolean; refusal: Refusal | undefined };
  saved: boolean;
  unsaved?: boolean;
  /** Class of the body. */
  className?: string | undefined;
  busy?: boolean;
  /** There is nothing to save. */
  disabled?: boolean;
  /** Label of the button that saves. */
  confirm: ReactNode;
  /** Buttons between the two. */
  more?: ReactNode;
  /** Called before `onSubmit` if the button that saves was pressed. */
  onConfirm?: () => void;
  onSubmit: SubmitEventHandler<HTMLFormElement>;
  onCancel: () => void;
  children: ReactNode;
}) {
  const { t } = useText();
  useClosedWhenLeft(saved);
  return (
    <PageFrame title={title}>
      <LeaveGuard when={unsaved} />
      <form className={css.form} onSubmit={onSubmit} noValidate>
        <div className={joined(css.body, className)}>
          {children}
          <RefusalBox refusal={form.refusal} />
        </div>
        <footer className={css.foot}>
          <Button variant="default" onClick={onCancel}>
            {t('common.cancel')}
          </Button>
          {more}
          <Button type="submit" loading={busy} disabled={disabled} onClick={onConfirm}>
            {confirm}
          </Button>
        </footer>
      </form>
    </PageFrame>
  );
}

/** Fields that belong together, under a heading. */
export function FormGroup({
  title,
  className,
  children,
}: {
  title: ReactNode;
  className?: string | undefined;
  children: ReactNode;
}) {
  return (
    <fieldset className={joined(css.group, className)}>
      <legend>{title}</legend>
      {children}
    </fieldset>
  );
}
