import { useState, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { useNavigate } from '@tanstack/react-router';
import type { PermissionKey } from '@carillon/contracts';
import { LeaveGuard } from '../part/leave-guard.tsx';
import { StatusPage } from '../part/status-page.tsx';
import { useAccess } from '../api/access.ts';
import { useClosedWhenLeft } from '../session/tabs.ts';
import css from '../part/form-page.module.css';

/** Events of a form on its own page. */
export interface UploadPageForm {
  onDirty: (dirty: boolean) => void;
  onSaved: () => void;
  onCancel: () => void;
}

/** A page that uploads new files of a list, and returns to it. */
export function UploadPage({
  right,
  title,
  list,
  form,
}: {
  right: PermissionKey;
  title: string;
  list: string;
  form: (page: UploadPageForm) => ReactNode;
}) {
  const access = useAccess();
  const navigate = useNavigate();
  const [dirty, setDirty] = useState(false);
  const [saved, setSaved] = useState(false);
  useClosedWhenLeft(saved);
  if (!access.can(right)) return access.ready && <StatusPage code="403" />;
  const back = { to: list, search: {} as never } as const;
  return (
    <div className={css.page}>
      <LeaveGuard when={dirty && !saved} />
      <header className={css.head}>
        <h1>{title}</h1>
      </header>
      {form({
        onDirty: setDirty,
        onSaved: () => {
          flushSync(() => setSaved(true));
          void navigate({ ...back, ignoreBlocker: true });
        },
        onCancel: () => void navigate(back),
      })}
    </div>
  );
}
