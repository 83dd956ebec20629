import { useState } from 'react';
import { Button, Checkbox, NumberInput, Select, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { forms } from 'virtual:actions/forms';
import type { ActionKey, ActionParam as Param } from '@carillon/actions';
import { lazy } from '../../../kit/part/lazy.tsx';
import { LeaveGuard } from '../../../kit/part/leave-guard.tsx';
import { RefusalBox } from '../../../kit/part/refusal-box.tsx';
import { StatusPage } from '../../../kit/part/status-page.tsx';
import { useForm } from '../../../kit/part/use-form.tsx';
import { useAccess } from '../../../kit/session/access.ts';
import { useClosedWhenLeft } from '../../../kit/session/tabs.ts';
import { ownZone } from '../../../kit/text/own-zone.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { ActionParam, lackedFile } from '../../task/action/action-param.tsx';
import { askedFields, filesBy } from '../../task/action/params.ts';
import { actionName, useActions } from '../../task/action/actions.tsx';
import { zoneMinute } from '../../task/task/schedule.ts';
import { taskQuery, taskTargetQuery } from '../../task/task/one-task.calls.ts';
import { recallDraft, type Draft } from '../../task/action/draft.ts';
import { tagsQuery } from '../tag/tag.calls.ts';
import { OrderDevices, useAimed } from './order-devices.tsx';
import { OrderReview } from './order-review.tsx';
import { OrderTime } from './order-time.tsx';
import {
  filterOfValues,
  goesBack,
  isVersion,
  orderOf,
  pacingOf,
  valuesOfAction,
  valuesOfDraft,
  valuesOfTask,
  valuesOfTemplate,
  type OrderValues,
} from './order-values.ts';
import { previewQuery, type Order } from './order.calls.ts';
import { PaceFields, readPace } from '../../task/pace/pace-fields.tsx';
import { readRollout, RolloutFields } from '../../task/rollout/rollout-fields.tsx';
import { taskTemplatesQuery } from '../../task/template/task-template.calls.ts';
import { taskName } from '../../task/action/task-name.ts';
import css from '../../../kit/part/form-page.module.css';
import own from './order.module.css';

const ManageTemplates = lazy(() => import('../../task/template/manage-templates.tsx'));
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
  const actions = useActions();
  const access = useAccess();
  const [start] = useState({ ...first, overrideFreeze: first.overrideFreeze && access.can('overrideFreeze') });
  const { data: templates } = useQuery(taskTemplatesQuery);
  const { data: tags } = useQuery({ ...tagsQuery, enabled: access.can('device') });
  const [managing, setManaging] = useState(false);
  const [template, setTemplate] = useState<string | null>(null);
  const [created, setCreated] = useState(false);
  const [review, setReview] = useState<{ name: string | undefined; order: Order }>();
  useClosedWhenLeft(created);
  const { values, set, fault, submit, refusal, busy, dirty } = useForm<OrderValues>(start);
  const aimed = useAimed(values);
  const [userZone] = useState(ownZone);
  const zone = values.timeZone || userZone;
  const fields = forms[values.action] ?? [];
  const asked = askedFields(fields, values.params);
  const suggested =
    values.action === ''
      ? ''
      : aimed === undefined
        ? actionName(values.action)
        : taskName(actionName(values.action), aimed, values.aim === 'chosen' ? draft?.name : undefined);
  const name = values.name ?? suggested;
  const check = () => {
    const timed = values.type !== 'now';
    const cycle = values.type === 'cycle';
    const { from, to } = values;
    const range = from.trim() !== '' || to.trim() !== '';
    const { rollout, faults } = readRollout(values);
    const lacked = lackedFile(fields, values.params);
    const pace = readPace(values, pacingOf(values.action));
    const within = (n: number, least: number, most: number) => Number.isInteger(n) && n >= least && n <= most;
    const limit = values.durationMinutes === '' ? Infinity : Number(values.durationMinutes);
    const passed = values.begin !== '' && values.begin < zoneMinute(Date.now(), zone).replace(' ', 'T');
    return {
      ...(name.trim() === '' && values.action !== '' ? { name: t('taskOrder.nameMissing') } : {}),
      ...(values.action === '' ? { action: t('taskOrder.actionMissing') } : {}),
      ...(lacked === undefined ? {} : { params: lacked }),
      ...(values.aim === 'filter' && Object.keys(filterOfValues(values)).length === 0
        ? { given: t('taskOrder.conditionMissing') }
        : {}),
      ...(cycle && values.every === 'week' && values.weekdays.length === 0
        ? { weekdays: t('taskOrder.weekdayMissing') }
        : {}),
      ...(cycle && values.every === 'monthDay' && !(Number(values.day) >= 1 && Number(values.day) <= 31)
        ? { day: t('taskOrder.dayMissing') }
        : {}),
      ...(timed && values.begin === ''
        ? { begin: t('taskOrder.beginMissing') }
        : timed && passed
          ? { begin: t('taskOrder.inPast') }
          : {}),
      ...(timed && values.inSiteZones && values.inStages ? { inSiteZones: t('taskOrder.inSiteZonesStages') } : {}),
      ...(cycle && values.end !== '' && values.end < values.begin ? { end: t('taskOrder.endBefore') } : {}),
      ...(range && !isVersion(from) ? { from: t('taskOrder.versionFormat') } : {}),
      ...(range && !isVersion(to)
        ? { to: t('taskOrder.versionFormat') }
        : range && from.trim().at(-1) !== to.trim().at(-1)
          ? { to: t('taskOrder.versionDigit') }
          : {}),
      ...(rollout?.waitMinutes && rollout.waitMinutes * (rollout.stages.length - 1) >= limit
        ? { waitMinutes: t('rollout.waitMinutesLong') }
        : {}),
      ...(pace && pace.spreadMinutes >= limit ? { spreadMinutes: t('pace.spreadLong') } : {}),
      ...(pace?.retry && !within(pace.retry.tries, 2, 10) ? { tries: t('pace.triesWrong') } : {}),
      ...(pace?.retry && !within(pace.retry.firstSeconds, 5, 3_600)
        ? { firstSeconds: t('pace.firstSecondsWrong') }
        : {}),
      ...(pace?.retry && pace.retry.of.length === 0 ? { retryOf: t('pace.ofMissing') } : {}),
      ...Object.fromEntries(Object.entries(faults ?? {}).map(([field, text]) => [field, t(text)])),
    };
  };
  /** Shows the server's errors at the fields before anything is created. */
  const look = async () => {
    const order = orderOf(values, userZone);
    await client.fetchQuery({ ...previewQuery(order, { page: 1, limit: 20 }), staleTime: 0 });
    setReview({ name: values.name?.trim(), order });
  };
  const fill = (chosen: string | null) => {
    const from = templates?.records.find((one) => one.id === chosen);
    if (!from) return;
    setTemplate(chosen);
    const filled = valuesOfTemplate(from, values);
    set({ ...filled, overrideFreeze: filled.overrideFreeze && access.can('overrideFreeze') });
  };
  if (review)
    return (
      <div className={css.page}>
        <LeaveGuard when={!created} />
        <OrderReview {...review} onBack={() => setReview(undefined)} onCreated={() => setCreated(true)} />
      </div>
    );
  return (
    <div className={css.page}>
      <LeaveGuard when={dirty && !created} />
      {managing && <ManageTemplates onClose={() => setManaging(false)} />}
      <header className={css.head}>
        <h1>{t('menu.addTask')}</h1>
      </header>
      <form className={css.form} onSubmit={submit(check, look)} noValidate>
        <div className={css.body}>
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
          <Select
            name="action"
            label={t('task.action')}
            data={actions.map(({ key, label }) => ({ value: key, label }))}
            value={values.action === '' ? null : values.action}
            onChange={(action) => set({ action: action ?? '', params: {} })}
            error={fault('action')}
            allowDeselect={false}
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
          <TextInput
            name="name"
            label={t('task.name')}
            maxLength={64}
            value={name}
            onChange={(e) => set({ name: e.currentTarget.value })}
            error={fault('name')}
            autoComplete="off"
          />
          <fieldset className={css.group}>
            <legend>{t('taskOrder.target')}</legend>
            <OrderDevices values={values} set={set} fault={fault('given')} lost={lost} />
          </fieldset>
          <fieldset className={css.group}>
            <legend>{t('taskTime.when')}</legend>
            <OrderTime values={values} zone={zone} set={set} fault={fault} />
          </fieldset>
          <fieldset className={css.group}>
            <legend>{t('taskOrder.options')}</legend>
            <NumberInput
              name="durationMinutes"
              label={t('taskTime.duration')}
              description={t('taskOrder.durationHint')}
              min={1}
              max={10_080}
              allowDecimal={false}
              value={values.durationMinutes}
              onChange={(durationMinutes) => set({ durationMinutes })}
              error={fault('durationMinutes')}
            />
            <NumberInput
              name="sync"
              label={t('taskOrder.sync')}
              description={t('taskOrder.syncHint')}
              min={0}
              max={100_000}
              allowDecimal={false}
              value={values.sync}
              onChange={(sync) => set({ sync })}
              error={fault('sync')}
            />
            <div className={own.pair}>
              <TextInput
                name="from"
                label={t('taskOrder.versionFrom')}
                maxLength={64}
                value={values.from}
                onChange={(e) => set({ from: e.currentTarget.value })}
                error={fault('from')}
                autoComplete="off"
                spellCheck={false}
              />
              <TextInput
                name="to"
                label={t('taskOrder.versionTo')}
                maxLength={64}
                value={values.to}
                onChange={(e) => set({ to: e.currentTarget.value })}
                error={fault('to')}
                autoComplete="off"
                spellCheck={false}
              />
            </div>
            <p className={own.note}>{t('taskOrder.versionHint')}</p>
          </fieldset>
          <fieldset className={css.group}>
            <legend>{t('pace.pace')}</legend>
            <PaceFields draft={values} onDraft={set} fault={fault} pacing={pacingOf(values.action)} />
          </fieldset>
          <fieldset className={css.group}>
            <legend>{t('rollout.order')}</legend>
            <RolloutFields
              draft={values}
              onDraft={set}
              fault={fault}
              goesBack={goesBack(values.action)}
              tags={tags?.map(({ key, value }) => `${key}=${value}`) ?? []}
            />
            {access.can('overrideFreeze') && (
              <Checkbox
                name="overrideFreeze"
                label={t('freezePeriod.override')}
                description={t('rollout.overrideFreezeText')}
                checked={values.overrideFreeze}
                onChange={(e) => set({ overrideFreeze: e.currentTarget.checked })}
              />
            )}
          </fieldset>
          <RefusalBox refusal={refusal} />
        </div>
        <footer className={css.foot}>
          <Button variant="default" onClick={() => void navigate({ to: '/task/list', search: {} as never })}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={busy}>
            {t('taskOrder.review')}
          </Button>
        </footer>
      </form>
    </div>
  );
}
