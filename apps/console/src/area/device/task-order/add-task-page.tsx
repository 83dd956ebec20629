import { useState } from 'react';
import { TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { forms } from 'virtual:actions/forms';
import { LeaveGuard } from '../../../kit/part/leave-guard.tsx';
import { StatusPage } from '../../../kit/part/status-page.tsx';
import { CheckField } from '../../../kit/part/form-field.tsx';
import { FormGroup, FormPage } from '../../../kit/part/form-page.tsx';
import { useForm } from '../../../kit/part/use-form.tsx';
import { useAccess } from '../../../kit/api/access.ts';
import { useClosedWhenLeft } from '../../../kit/session/tabs.ts';
import { ownZone } from '../../../kit/text/own-zone.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { actionName } from '../../task/action/actions.tsx';
import { taskQuery, taskTargetQuery } from '../../task/task/one-task.calls.ts';
import { recallDraft, type Draft } from '../../task/action/draft.ts';
import { tagsQuery } from '../tag/tag.calls.ts';
import { OrderDevices, useAimed } from './order-devices.tsx';
import { OrderReview } from './order-review.tsx';
import { OrderTime } from './order-time.tsx';
import {
  goesBack,
  orderOf,
  pacingOf,
  valuesOfAction,
  valuesOfDraft,
  valuesOfTask,
  type OrderValues,
} from './order-values.ts';
import { previewQuery, type Order } from './order.calls.ts';
import { PaceFields } from '../../task/pace/pace-fields.tsx';
import { RolloutFields } from '../../task/rollout/rollout-fields.tsx';
import { taskName } from '../../task/action/task-name.ts';
import css from '../../../kit/part/form-page.module.css';
import { ActionFields, OptionFields, TemplateChoice } from './order-fields.tsx';
import { useOrderCheck } from './order-check.ts';

const route = getRouteApi('/_main/task/addTask');

/** Adds a task: an empty one, for an action and its file, for a selection (`draft`), or as a copy (`copy`). */
export function AddTaskPage() {
  const { draft: id, copy, action, file } = route.useSearch();
  const access = useAccess();
  const task = useQuery({ ...taskQuery(copy ?? ''), enabled: copy !== undefined });
  const target = useQuery({ ...taskTargetQuery(copy ?? ''), enabled: copy !== undefined });
  const [draft] = useState(() => recallDraft(id));
  if (!access.ready) return null;
  if (!access.can('addTask')) return <StatusPage code="403" />;
  if (copy === undefined)
    return (
      <OrderForm
        first={draft ? valuesOfDraft(draft) : valuesOfAction(action, file)}
        draft={draft}
        lost={id !== undefined && draft === undefined}
      />
    );
  if (task.isError || target.isError) return <StatusPage code="404" />;
  return task.data && target.data ? (
    <OrderForm
      first={valuesOfTask(task.data, target.data.target)}
      draft={undefined}
      lost={target.data.target === null}
    />
  ) : null;
}

function OrderForm({ first, draft, lost }: { first: OrderValues; draft: Draft | undefined; lost: boolean }) {
  const { t } = useText();
  const navigate = useNavigate();
  const client = useQueryClient();
  const access = useAccess();
  const [start] = useState({ ...first, overrideFreeze: first.overrideFreeze && access.can('overrideFreeze') });
  const { data: tags } = useQuery({ ...tagsQuery, enabled: access.can('device') });
  const [template, setTemplate] = useState<string | null>(null);
  const [created, setCreated] = useState(false);
  const [review, setReview] = useState<{ name: string | undefined; order: Order }>();
  useClosedWhenLeft(created);
  const form = useForm<OrderValues>(start);
  const { values, set, fault } = form;
  const aimed = useAimed(values);
  const [userZone] = useState(ownZone);
  const zone = values.timeZone || userZone;
  const suggested =
    values.action === ''
      ? ''
      : aimed === undefined
        ? actionName(values.action)
        : taskName(actionName(values.action), aimed, values.aim === 'chosen' ? draft?.name : undefined);
  const name = values.name ?? suggested;
  const check = useOrderCheck(values, { name, zone, fields: forms[values.action] ?? [] });
  /** Shows the server's errors at the fields before anything is created. */
  const look = async () => {
    const order = orderOf(values, userZone);
    await client.fetchQuery({ ...previewQuery(order, { page: 1, limit: 20 }), staleTime: 0 });
    setReview({ name: values.name?.trim(), order });
  };
  if (review)
    return (
      <div className={css.page}>
        <LeaveGuard when={!created} />
        <OrderReview {...review} onBack={() => setReview(undefined)} onCreated={() => setCreated(true)} />
      </div>
    );
  return (
    <FormPage
      title={t('menu.addTask')}
      form={form}
      saved={created}
      confirm={t('taskOrder.review')}
      onSubmit={form.submit(check, look)}
      onCancel={() => void navigate({ to: '/task/list', search: {} as never })}
    >
      <TemplateChoice form={form} template={template} onTemplate={setTemplate} />
      <ActionFields form={form} />
      <TextInput
        name="name"
        label={t('task.name')}
        maxLength={64}
        value={name}
        onChange={(e) => set({ name: e.currentTarget.value })}
        error={fault('name')}
        autoComplete="off"
      />
      <FormGroup title={t('taskOrder.target')}>
        <OrderDevices values={values} set={set} fault={fault('given')} lost={lost} />
      </FormGroup>
      <FormGroup title={t('taskTime.when')}>
        <OrderTime form={form} zone={zone} />
      </FormGroup>
      <OptionFields form={form} />
      <FormGroup title={t('pace.pace')}>
        <PaceFields form={form} pacing={pacingOf(values.action)} />
      </FormGroup>
      <FormGroup title={t('rollout.order')}>
        <RolloutFields
          form={form}
          goesBack={goesBack(values.action)}
          tags={tags?.map(({ key, value }) => `${key}=${value}`) ?? []}
        />
        {access.can('overrideFreeze') && (
          <CheckField
            form={form}
            name="overrideFreeze"
            label={t('freezePeriod.override')}
            description={t('rollout.overrideFreezeText')}
          />
        )}
      </FormGroup>
    </FormPage>
  );
}
