import { useState } from 'react';
import { Button, Modal, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { destructive, forms } from 'virtual:actions/forms';
import type { ActionKey, ActionParam as Param } from '@carillon/actions';
import { useText } from '../../../kit/text/use-text.ts';
import type { DeviceTarget } from '@carillon/contracts';
import { call, isCallError } from '../../../kit/api/call.ts';
import { FieldError } from '../../../kit/part/field-error.tsx';
import { RefusalBox } from '../../../kit/part/refusal-box.tsx';
import { refusalOf, type Refusal } from '../../../kit/part/refusal.ts';
import { count } from '../../../kit/text/text.ts';
import { keepDraft } from './draft.ts';
import { addTask } from './action.calls.ts';
import { actionIcon, actionName, type ActionRequest } from './actions.tsx';
import { ActionParam, lackedFile, paramsOf } from './action-param.tsx';
import { askedFields, oneFileFields } from './params.ts';
import css from '../../../kit/part/dialog.module.css';

/** The pressed button lost the focus while it was busy, so the next one takes it. */
const takeFocus = (button: HTMLButtonElement | null): void => button?.focus();
/** Refusals of a push for which a task could wait instead (DEV-06): because of its devices, or for a second person. */
const waits: readonly string[] = ['device.offline', 'device.hasRunningTask', 'approval.push'];

/** Tells the effect and the number of devices, asks for the action's parameters, and starts it. Needs `pageTexts`. */
export default function ActionDialog({ request, onClose }: { request: ActionRequest; onClose: () => void }) {
  const { t } = useText();
  const client = useQueryClient();
  const navigate = useNavigate();
  // Only a single file is chosen here; the page asks for files by model, site or group.
  const fields = oneFileFields(forms[request.action] ?? []);
  const [values, setValues] = useState<Record<string, unknown>>({ ...request.params });
  const [refusal, setRefusal] = useState<Refusal>();
  /** Set when a push is refused because it would have to wait. */
  const [mayWait, setMayWait] = useState<'taskOrder.queue' | 'approval.ask'>();
  const [busy, setBusy] = useState(false);
  const [typed, setTyped] = useState('');
  const [tried, setTried] = useState(false);
  const verb = actionName(request.action);
  const title =
    request.count === 1 && request.name !== undefined
      ? t('action.titleOne', { action: verb, name: request.name })
      : t('action.title', { action: verb, count: request.count, number: count(request.count) });

  const isDestructive = destructive.includes(request.action);
  const wanted = request.count === 1 && request.name !== undefined ? request.name : count(request.count);
  const agreed = !isDestructive || [wanted, String(request.count)].includes(typed.trim());

  /** Starts now, or as a task that waits for the devices. */
  async function begin(push: boolean) {
    setBusy(true);
    setRefusal(undefined);
    setMayWait(undefined);
    try {
      const params = paramsOf(fields, values);
      const task = await call(addTask, {
        body: { action: request.action, params, target: request.target as DeviceTarget, push },
      });
      void client.invalidateQueries({ queryKey: ['task'] });
      onClose();
      await navigate({
        to: '.',
        search: (s: Record<string, unknown>) =>
          ({ ...s, id: s['tab'] === undefined && 'page' in s ? undefined : s['id'], task: task.id }) as never,
      });
    } catch (e) {
      setRefusal(refusalOf(e));
      if (isCallError(e) && waits.some((error) => error === e.error))
        setMayWait(e.error === 'approval.push' ? 'approval.ask' : 'taskOrder.queue');
      setBusy(false);
    }
  }
  const missing = (field: (typeof fields)[number]) => {
    const text = tried ? lackedFile([field], values) : undefined;
    return text !== undefined && <FieldError text={text} />;
  };
  /** Continues on the page, which asks for time, versions and pace, with the same devices. */
  function more() {
    const { action, count: devices, name } = request;
    const target = request.target as DeviceTarget;
    const draft = keepDraft({ action, params: paramsOf(fields, values), target, count: devices, name });
    onClose();
    void navigate({ to: '/task/addTask', search: { draft } as never });
  }
  return (
    <Modal opened onClose={onClose} title={title} withCloseButton={false}>
      <form
        onSubmit={(e) => {
          e.preventDefault();
          setTried(true);
          if (agreed && lackedFile(fields, values) === undefined) void begin(true);
        }}
      >
        <p className={css.effect}>{t(`deviceAction.${request.action as ActionKey}.effect`)}</p>
        {askedFields(fields, values).map((f) => (
          <ActionParam
            key={f.key}
            action={request.action}
            className={css.param}
            field={f}
            label={t(`deviceAction.${request.action as ActionKey}.param.${f.key as Param}`)}
            value={values[f.key] ?? f.initial}
            onValue={(v) => setValues({ ...values, [f.key]: v })}
            error={missing(f)}
          />
        ))}
        {isDestructive && (
          <TextInput
            className={css.param}
            name="count"
            label={t('common.typeCount', { number: wanted })}
            autoComplete="off"
            value={typed}
            onChange={(e) => setTyped(e.currentTarget.value)}
            data-autofocus
          />
        )}
        <RefusalBox refusal={refusal}>
          {mayWait && (
            <Button ref={takeFocus} variant="default" loading={busy} onClick={() => void begin(false)}>
              {t(mayWait)}
            </Button>
          )}
        </RefusalBox>
        <div className={css.buttons}>
          <Button variant="subtle" className={css.aside} onClick={more}>
            {t('taskOrder.more')}
          </Button>
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <BeginButton request={request} busy={busy} disabled={!agreed} />
        </div>
      </form>
    </Modal>
  );
}

function BeginButton({ request, busy, disabled }: { request: ActionRequest; busy: boolean; disabled: boolean }) {
  const { t } = useText();
  const verb = actionName(request.action);
  return (
    <Button
      type="submit"
      loading={busy}
      leftSection={actionIcon(request.action, 15)}
      disabled={disabled}
      {...(destructive.includes(request.action) ? { color: 'danger' } : { 'data-autofocus': true })}
    >
      {request.count === 1
        ? verb
        : t('action.confirm', { action: verb, count: request.count, number: count(request.count) })}
    </Button>
  );
}
