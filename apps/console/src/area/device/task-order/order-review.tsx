import { useEffect, useState, type ReactNode } from 'react';
import { Button, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch, IconUserCheck } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ActionKey, ActionParam } from '@carillon/actions';
import type { DeviceTarget, TaskPace, TaskRollout, TaskSchedule, VersionRange } from '@carillon/contracts';
import { destructive, forms } from 'virtual:actions/forms';
import { useNavigate } from '@tanstack/react-router';
import { Pager } from '../../../kit/grid/pager.tsx';
import type { PageSize } from '../../../kit/grid/search.ts';
import { Failed } from '../../../kit/grid/states.tsx';
import { done } from '../../../kit/part/done.ts';
import { Facts } from '../../../kit/part/facts.tsx';
import { lazy } from '../../../kit/part/lazy.tsx';
import { RefusalBox } from '../../../kit/part/refusal-box.tsx';
import { deviceHref } from '../../../kit/browser/address.ts';
import { call } from '../../../kit/api/call.ts';
import { count } from '../../../kit/text/text.ts';
import { macText, moment } from '../../../kit/text/time.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { choiceName } from '../../task/action/choice-name.ts';
import { addTask } from '../../task/action/action.calls.ts';
import { actionIcon, actionName } from '../../task/action/actions.tsx';
import { PairNames } from '../../task/action/file-pairs.tsx';
import type { Scope } from '../../task/action/scope.ts';
import { FileName } from '../../task/action/file-choice.tsx';
import { rolloutFacts } from '../../task/rollout/rollout-words.ts';
import { paceFacts } from '../../task/pace/pace-words.ts';
import { scheduleWords, versionWords, zoneMinute } from '../../task/task/schedule.ts';
import { dropDraft } from '../../task/action/draft.ts';
import { previewQuery, type Order, type OrderPreview } from './order.calls.ts';
import { SiteWindows } from './site-windows.tsx';
import form from '../../../kit/part/form-page.module.css';
import { useAction } from '../../../kit/part/use-action.ts';
import drawer from '../../task/task/task-drawer.module.css';
import css from './order.module.css';

const SaveTemplateDialog = lazy(() => import('../../task/template/save-template-dialog.tsx'));

type Only = 'touched' | 'skipped';
/** Returns the noun of the file in a parameter. */
const nounOf = (action: string, key: string) =>
  forms[action]?.find((field) => field.key === key && field.kind === 'file')?.noun;
const pairsNoun = (action: string, key: string) =>
  forms[action]?.find((field) => field.key === key && field.kind === 'pairs')?.noun;

/** Shows what would happen, to which devices and when, before the task is created (TASK-08). */
export function OrderReview({
  name: chosen,
  order,
  onBack,
  onCreated,
}: {
  /** What the user typed; the product names the task without it. */
  name: string | undefined;
  order: Order;
  onBack: () => void;
  onCreated: () => void;
}) {
  const { t } = useText();
  const navigate = useNavigate();
  const client = useQueryClient();
  const { busy, refusal, run } = useAction();
  const [typed, setTyped] = useState('');
  const [saving, setSaving] = useState(false);
  const preview = useQuery(previewQuery(order, { page: 1, limit: 20 }));
  const { action, schedule, timeZone = '' } = order;
  const create = () =>
    run(async () => {
      const task = await call(addTask, { body: { ...(chosen === undefined ? {} : { name: chosen }), ...order } });
      dropDraft();
      onCreated();
      void client.invalidateQueries({ queryKey: ['task'] });
      await done('added', { name: task.name });
      await navigate({ to: '/task/list', search: { task: task.id } as never, ignoreBlocker: true });
    });
  const name = chosen ?? preview.data?.name ?? '';
  const isDestructive = destructive.includes(action);
  const wanted = count(preview.data?.touched ?? 0);
  const agreed = !isDestructive || typed.trim() === wanted || typed.trim() === String(preview.data?.touched);
  return (
    <>
      <header className={form.head}>
        <h1>{t('taskOrder.reviewTitle', { name })}</h1>
      </header>
      <div className={form.body}>
        <OrderFacts order={order} />
        {preview.isError && !preview.data && (
          <Failed text={t('taskOrder.failed')} error={preview.error} onRetry={() => void preview.refetch()} />
        )}
        {preview.data?.needsApproval === true && (
          <p role="note" className={css.note}>
            <IconUserCheck size={16} stroke={1.75} aria-hidden />
            {t('approval.review')}
          </p>
        )}
        {preview.data && (
          <>
            {preview.data.runs.length > 0 && schedule?.type !== 'now' && (
              <NextRuns runs={preview.data.runs} timeZone={timeZone} />
            )}
            <SiteWindows windows={preview.data.windows} />
            <section aria-label={t('menu.devices')} className={`${form.group} ${css.wide}`}>
              <Figures preview={preview.data} />
              <PreviewDevices
                order={order}
                touched={preview.data.touched}
                skipped={preview.data.total - preview.data.touched}
              />
            </section>
          </>
        )}
        {isDestructive && preview.data && (
          <TextInput
            name="count"
            label={t('common.typeCount', { number: wanted })}
            autoComplete="off"
            value={typed}
            onChange={(e) => setTyped(e.currentTarget.value)}
          />
        )}
        <RefusalBox refusal={refusal} />
      </div>
      {saving && (
        <SaveTemplateDialog
          name={name}
          order={{
            action,
            params: order.params ?? {},
            schedule: schedule ?? { type: 'now' },
            timeZone,
            inSiteZones: order.inSiteZones ?? false,
            durationMinutes: order.durationMinutes ?? null,
            sync: order.sync ?? 0,
            versionRange: order.versionRange ?? null,
            rollout: order.rollout ?? null,
            overrideFreeze: order.overrideFreeze ?? false,
            pace: order.pace ?? null,
          }}
          target={order.target as DeviceTarget}
          onClose={() => setSaving(false)}
        />
      )}
      <footer className={form.foot}>
        <Button variant="default" onClick={onBack}>
          {t('taskOrder.back')}
        </Button>
        <Button variant="default" onClick={() => setSaving(true)}>
          {t('taskTemplate.save')}
        </Button>
        <Button
          loading={busy}
          disabled={preview.data === undefined || !agreed}
          {...(isDestructive ? { color: 'danger' } : {})}
          leftSection={actionIcon(action, 15)}
          onClick={() => void create()}
        >
          {t(preview.data?.needsApproval === true ? 'approval.ask' : 'taskOrder.create')}
        </Button>
      </footer>
    </>
  );
}

/** The order in words. */
function OrderFacts({ order }: { order: Order }) {
  const { t } = useText();
  const {
    action,
    params,
    schedule,
    timeZone = '',
    inSiteZones = false,
    durationMinutes,
    sync = 0,
    versionRange,
    rollout,
    overrideFreeze,
    pace = null,
  } = order;
  return (
    <Facts
      items={[
        [t('task.action'), actionName(action)],
        ...Object.entries(params ?? {}).map(([key, value]): [string, ReactNode] => [
          t(`deviceAction.${action as ActionKey}.param.${key as ActionParam}`),
          <ParamValue key={key} order={order} name={key} value={value} />,
        ]),
        [t('taskTime.when'), scheduleWords(schedule as TaskSchedule, timeZone, inSiteZones)],
        ...(durationMinutes
          ? [
              [
                t('taskTime.limit'),
                t('taskTime.minutes', { count: durationMinutes, number: count(durationMinutes) }),
              ] as const,
            ]
          : []),
        ...(sync > 0
          ? [[t('taskTime.sync'), t('taskTime.atOnce', { count: sync, number: count(sync) })] as const]
          : []),
        ...rolloutFacts(rollout as TaskRollout | null),
        ...paceFacts(pace as TaskPace | null),
        ...(overrideFreeze ? [[t('freezePeriod.override'), t('common.yes')] as const] : []),
        ...(versionRange ? [[t('taskTime.version'), versionWords(versionRange as VersionRange)] as const] : []),
      ]}
    />
  );
}

/** A parameter of the action: a file, files by model, yes or no, or a choice. */
function ParamValue({ order: { action, params }, name, value }: { order: Order; name: string; value: unknown }) {
  const { t } = useText();
  return (
    <>
      {nounOf(action, name) ? (
        <FileName noun={nounOf(action, name)!} id={String(value)} />
      ) : pairsNoun(action, name) ? (
        <PairNames
          by={params!['by'] as Scope}
          pairs={(value as Record<string, string>[]).map((pair) => ({
            of: pair['of']!,
            file: <FileName noun={pairsNoun(action, name)!} id={pair[`${pairsNoun(action, name)!}Id`]!} />,
          }))}
        />
      ) : typeof value === 'boolean' ? (
        t(value ? 'common.yes' : 'common.no')
      ) : (
        choiceName(action, name, String(value))
      )}
    </>
  );
}

/** The next runs, in the zone of the order and in the user's own. */
function NextRuns({ runs, timeZone }: { runs: readonly string[]; timeZone: string }) {
  const { t } = useText();
  return (
    <section aria-label={t('taskOrder.runs')} className={form.group}>
      <strong>{t('taskOrder.runs')}</strong>
      <table className={css.runs}>
        <thead>
          <tr>
            <th scope="col">{timeZone}</th>
            <th scope="col">{t('taskOrder.yourTime')}</th>
          </tr>
        </thead>
        <tbody>
          {runs.map((at) => (
            <tr key={at}>
              <td>{zoneMinute(at, timeZone)}</td>
              <td>{moment(at).slice(0, 16)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** How many devices are touched, and how many are skipped for which reason. */
function Figures({ preview }: { preview: OrderPreview }) {
  const { t } = useText();
  return (
    <>
      <div className={css.figures} role="status">
        <strong>{t('taskOrder.touched', { count: preview.touched, number: count(preview.touched) })}</strong>
        {preview.total > preview.touched && (
          <span>
            {t('taskOrder.skipped', {
              count: preview.total - preview.touched,
              number: count(preview.total - preview.touched),
            })}
          </span>
        )}
      </div>
      {preview.skipped.length > 0 && (
        <ul className={css.reasons}>
          {preview.skipped.map((reason) => (
            <li key={`${reason.code} ${reason.message}`}>
              {reason.message} · {count(reason.count)}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** Lists each device, with the reason for those that are left out. */
function PreviewDevices({ order, touched, skipped }: { order: Order; touched: number; skipped: number }) {
  const { t } = useText();
  const [only, setOnly] = useState<Only>();
  const [text, setText] = useState('');
  const [search] = useDebouncedValue(text.trim(), 250);
  const [page, setPage] = useState(1);
  const [limit, setLimit] = useState<PageSize>(20);
  useEffect(() => setPage(1), [only, search]);
  const { data } = useQuery(
    previewQuery(order, { page, limit, ...(only ? { only } : {}), ...(search === '' ? {} : { search }) }),
  );
  const tabs = [
    [undefined, t('task.all')],
    ['touched', `${t('taskOrder.showTouched')} ${count(touched)}`],
    ['skipped', `${t('taskOrder.showSkipped')} ${count(skipped)}`],
  ] as const;
  return (
    <div className={css.devices}>
      <div className={drawer.tools}>
        <div className={drawer.segment} role="group" aria-label={t('task.show')}>
          {tabs.map(([key, label]) => (
            <button key={label} type="button" aria-pressed={only === key} onClick={() => setOnly(key)}>
              {label}
            </button>
          ))}
        </div>
        <div className={drawer.search}>
          <IconSearch size={15} stroke={1.75} aria-hidden />
          <input
            type="text"
            value={text}
            maxLength={128}
            onChange={(e) => setText(e.currentTarget.value)}
            placeholder={t('task.deviceSearch')}
            aria-label={t('task.deviceSearch')}
            autoComplete="off"
            spellCheck={false}
          />
        </div>
      </div>
      {data?.devices.records.length === 0 && <p className={drawer.none}>{t('task.noDevices')}</p>}
      {data && data.devices.records.length > 0 && (
        <div className={drawer.scroll} tabIndex={0} role="group" aria-label={t('menu.devices')}>
          <table className={drawer.table}>
            <thead>
              <tr>
                <th scope="col">{t('task.device')}</th>
                <th scope="col">{t('device.model')}</th>
                <th scope="col">{t('device.mac')}</th>
                <th scope="col">{t('device.firmware')}</th>
                <th scope="col">{t('task.reason')}</th>
              </tr>
            </thead>
            <tbody>
              {data.devices.records.map((d) => (
                <tr key={d.deviceId}>
                  <td className={drawer.name}>
                    <a href={deviceHref({ id: d.deviceId })} title={d.name}>
                      {d.name}
                    </a>
                  </td>
                  <td>{d.model}</td>
                  <td>
                    <code>{macText(d.mac)}</code>
                  </td>
                  <td>{d.firmware ?? '–'}</td>
                  <td className={drawer.reason}>
                    <span className="ellipsis" title={d.message ?? undefined}>
                      {d.message ?? (d.online ? '–' : t('task.startsOnline'))}
                    </span>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {data && data.devices.total > 5 && (
        <Pager
          state={{ search, page, limit, sort: undefined, filters: {} }}
          total={data.devices.total}
          onState={(s) => {
            setPage(s.page);
            setLimit(s.limit);
          }}
        />
      )}
    </div>
  );
}
