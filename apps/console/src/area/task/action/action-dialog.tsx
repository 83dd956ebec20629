import { useState } from 'react';
import { Button, Checkbox, Modal, NumberInput, Select, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { forms } from 'virtual:actions/forms';
import type { ActionKey, ActionParam } from '@carillon/actions';
import { useText } from '../../../kit/text/use-text.ts';
import type { DeviceTarget } from '@carillon/contracts';
import { call } from '../../../kit/session/call.ts';
import { FieldError } from '../../../kit/part/field-error.tsx';
import { refusalOf, type Refusal } from '../../../kit/part/refusal.ts';
import { count } from '../../../kit/text/text.ts';
import { addTask } from './action.calls.ts';
import { actionIcon, actionName, type ActionRequest } from './actions.tsx';
import type { ParamField } from './params.ts';
import css from '../../../kit/part/dialog.module.css';

/** Says what will happen and to how many, asks for the action's own parameters, and begins. Needs `pageTexts`. */
export default function ActionDialog({ request, onClose }: { request: ActionRequest; onClose: () => void }) {
  const { t } = useText();
  const client = useQueryClient();
  const navigate = useNavigate();
  const fields = forms[request.action] ?? [];
  const [values, setValues] = useState<Record<string, unknown>>({});
  const [refusal, setRefusal] = useState<Refusal>();
  const [busy, setBusy] = useState(false);
  const verb = actionName(request.action);
  const title =
    request.count === 1 && request.name !== undefined
      ? t('action.titleOne', { action: verb, name: request.name })
      : t('action.title', { action: verb, count: request.count, number: count(request.count) });

  async function begin() {
    setBusy(true);
    setRefusal(undefined);
    const name = (
      request.count === 1 && request.name !== undefined
        ? t('action.taskOne', { action: verb, name: request.name })
        : t('action.task', { action: verb, count: request.count, number: count(request.count) })
    )
      .slice(0, 64)
      .trim();
    try {
      const params = Object.fromEntries(
        fields.map((f) => [f.key, values[f.key] ?? f.initial]).filter(([, v]) => v !== undefined),
      );
      const task = await call(addTask, {
        body: { name, action: request.action, params, target: request.target as DeviceTarget },
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
      setBusy(false);
    }
  }
  return (
    <Modal opened onClose={onClose} title={title} withCloseButton={false}>
      <form
        onSubmit={(e) => {
          e.preventDefault();
          void begin();
        }}
      >
        <p className={css.effect}>{t(`deviceAction.${request.action as ActionKey}.effect`)}</p>
        {fields.map((f) => (
          <Param
            key={f.key}
            field={f}
            label={t(`deviceAction.${request.action as ActionKey}.param.${f.key as ActionParam}`)}
            value={values[f.key] ?? f.initial}
            onValue={(v) => setValues({ ...values, [f.key]: v })}
          />
        ))}
        {refusal && (
          <div role="alert" className={css.refusal}>
            <FieldError text={refusal.text} />
            {refusal.requestId && <small>{t('common.request', { id: refusal.requestId })}</small>}
          </div>
        )}
        <div className={css.buttons}>
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={busy} leftSection={actionIcon(request.action, 15)} data-autofocus>
            {request.count === 1
              ? verb
              : t('action.confirm', { action: verb, count: request.count, number: count(request.count) })}
          </Button>
        </div>
      </form>
    </Modal>
  );
}

function Param({
  field,
  label,
  value,
  onValue,
}: {
  field: ParamField;
  label: string;
  value: unknown;
  onValue: (v: unknown) => void;
}) {
  switch (field.kind) {
    case 'switch':
      return (
        <Checkbox
          className={css.param}
          label={label}
          checked={value === true}
          onChange={(e) => onValue(e.currentTarget.checked)}
        />
      );
    case 'number':
      return (
        <NumberInput
          className={css.param}
          label={label}
          value={value as number}
          {...(field.minimum === undefined ? {} : { min: field.minimum })}
          {...(field.maximum === undefined ? {} : { max: field.maximum })}
          onChange={onValue}
        />
      );
    case 'choice':
      return (
        <Select
          className={css.param}
          label={label}
          data={[...field.options!]}
          value={(value as string | undefined) ?? null}
          onChange={onValue}
          comboboxProps={{ withinPortal: true }}
        />
      );
    case 'text':
      return (
        <TextInput
          className={css.param}
          label={label}
          value={(value as string | undefined) ?? ''}
          onChange={(e) => onValue(e.currentTarget.value)}
        />
      );
  }
}
