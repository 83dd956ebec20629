import { useState } from 'react';
import { Button, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { forms } from 'virtual:actions/forms';
import type { ActionKey, ActionParam as Param } from '@carillon/actions';
import { NumberField, SelectField, TextField } from '../../../kit/part/form-field.tsx';
import { FormGroup } from '../../../kit/part/form-page.tsx';
import { lazy } from '../../../kit/part/lazy.tsx';
import type { Form } from '../../../kit/part/use-form.tsx';
import { useAccess } from '../../../kit/api/access.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { ActionParam } from '../../task/action/action-param.tsx';
import { useActions } from '../../task/action/actions.tsx';
import { askedFields, filesBy } from '../../task/action/params.ts';
import { taskTemplatesQuery } from '../../task/template/task-template.calls.ts';
import { valuesOfTemplate, type OrderValues } from './order-values.ts';
import own from './order.module.css';

const ManageTemplates = lazy(() => import('../../task/template/manage-templates.tsx'));

/** Fills the order from a template, if there is one. */
export function TemplateChoice({
  form,
  template,
  onTemplate,
}: {
  form: Form<OrderValues>;
  template: string | null;
  onTemplate: (id: string | null) => void;
}) {
  const { t } = useText();
  const access = useAccess();
  const { data: templates } = useQuery(taskTemplatesQuery);
  const [managing, setManaging] = useState(false);
  const fill = (chosen: string | null) => {
    const from = templates?.records.find((one) => one.id === chosen);
    if (!from) return;
    onTemplate(chosen);
    const filled = valuesOfTemplate(from, form.values);
    form.set({ ...filled, overrideFreeze: filled.overrideFreeze && access.can('overrideFreeze') });
  };
  return (
    <>
      {managing && <ManageTemplates onClose={() => setManaging(false)} />}
      {templates && templates.records.length > 0 && (
        <>
          <Select
            label={t('taskTemplate.from')}
            description={t('taskTemplate.fromText')}
            data={templates.records.map(({ id, name: label }) => ({ value: id, label }))}
            value={template}
            onChange={fill}
            searchable
            openOnFocus={false}
            allowDeselect={false}
            nothingFoundMessage={t('taskTemplate.none')}
          />
          <Button className={own.manage!} variant="subtle" size="compact-xs" onClick={() => setManaging(true)}>
            {t('taskTemplate.manage')}
          </Button>
        </>
      )}
    </>
  );
}

/** The action and its parameters. */
export function ActionFields({ form }: { form: Form<OrderValues> }) {
  const { t } = useText();
  const actions = useActions();
  const { values, set, fault } = form;
  const fields = forms[values.action] ?? [];
  const asked = askedFields(fields, values.params);
  return (
    <>
      <SelectField
        form={form}
        name="action"
        label={t('task.action')}
        data={actions.map(({ key, label }) => ({ value: key, label }))}
        also={() => ({ params: {} })}
        openOnFocus={false}
      />
      {values.action !== '' && <p className={own.note}>{t(`deviceAction.${values.action as ActionKey}.effect`)}</p>}
      {asked.map((f) => (
        <ActionParam
          action={values.action}
          by={filesBy(fields, values.params)}
          key={`${values.action} ${f.key}`}
          field={f}
          label={t(`deviceAction.${values.action as ActionKey}.param.${f.key as Param}`)}
          value={values.params[f.key] ?? f.initial}
          onValue={(v) =>
            set({ params: { ...values.params, [f.key]: v, ...(f.key === 'by' ? { pairs: undefined } : {}) } })
          }
          error={fault('params')}
        />
      ))}
      {fault('params') && !asked.some(({ kind }) => kind === 'file' || kind === 'pairs') && (
        <div className={own.fault} role="alert">
          {fault('params')}
        </div>
      )}
    </>
  );
}

/** How long the task may take, how many devices run at once, and which versions it is for. */
export function OptionFields({ form }: { form: Form<OrderValues> }) {
  const { t } = useText();
  return (
    <FormGroup title={t('taskOrder.options')}>
      <NumberField
        form={form}
        name="durationMinutes"
        label={t('taskTime.duration')}
        description={t('taskOrder.durationHint')}
        min={1}
        max={10_080}
      />
      <NumberField
        form={form}
        name="sync"
        label={t('taskOrder.sync')}
        description={t('taskOrder.syncHint')}
        min={0}
        max={100_000}
      />
      <div className={own.pair}>
        <TextField form={form} name="from" label={t('taskOrder.versionFrom')} maxLength={64} spellCheck={false} />
        <TextField form={form} name="to" label={t('taskOrder.versionTo')} maxLength={64} spellCheck={false} />
      </div>
      <p className={own.note}>{t('taskOrder.versionHint')}</p>
    </FormGroup>
  );
}
