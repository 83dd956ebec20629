import { useState } from 'react';
import { Checkbox, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { DeviceTarget } from '@carillon/contracts';
import { AskDialog } from '../../../kit/part/ask-dialog.tsx';
import { done } from '../../../kit/part/done.ts';
import { call } from '../../../kit/api/call.ts';
import { count } from '../../../kit/text/text.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { addTaskTemplate, type TemplateOrder } from './task-template.calls.ts';
import css from '../../../kit/part/dialog.module.css';

/** Saves an order as a template. Named devices are included only on request. */
export default function SaveTemplateDialog({
  name: suggested,
  order,
  target,
  onClose,
}: {
  name: string;
  order: Omit<TemplateOrder, 'target'>;
  target: DeviceTarget | null;
  onClose: () => void;
}) {
  const { t } = useText();
  const client = useQueryClient();
  const [typed, setTyped] = useState(suggested);
  const [keep, setKeep] = useState(false);
  const name = typed.trim();
  const chosen = target && 'ids' in target ? target.ids.length : 0;
  return (
    <AskDialog
      title={t('taskTemplate.save')}
      text={t('taskTemplate.saveText')}
      check={() => (name === '' ? t('taskOrder.nameMissing') : undefined)}
      onClose={onClose}
      onConfirm={async () => {
        await call(addTaskTemplate, { body: { name, ...order, target: chosen > 0 && !keep ? null : target } });
        await client.invalidateQueries({ queryKey: ['taskTemplate'] });
        await done('added', { name });
      }}
    >
      <TextInput
        className={css.param!}
        name="templateName"
        label={t('taskTemplate.name')}
        maxLength={64}
        value={typed}
        onChange={(e) => setTyped(e.currentTarget.value)}
        autoComplete="off"
      />
      {chosen > 0 && (
        <Checkbox
          label={t('taskTemplate.keep', { count: chosen, number: count(chosen) })}
          description={t('taskTemplate.keepText')}
          checked={keep}
          onChange={(e) => setKeep(e.currentTarget.checked)}
        />
      )}
    </AskDialog>
  );
}
