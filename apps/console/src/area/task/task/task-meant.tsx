import { useEffect, useState, type ReactNode } from 'react';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { forms } from 'virtual:actions/forms';
import type { ActionKey, ActionParam } from '@carillon/actions';
import type { TaskRecord } from '@carillon/contracts';
import { Pager } from '../../../kit/grid/pager.tsx';
import type { PageSize } from '../../../kit/grid/search.ts';
import { Failed } from '../../../kit/grid/states.tsx';
import { Facts } from '../../../kit/part/facts.tsx';
import { deviceHref } from '../../../kit/browser/address.ts';
import { macText } from '../../../kit/text/time.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { choiceName } from '../action/choice-name.ts';
import { rolloutFacts } from '../rollout/rollout-words.ts';
import { meantDevicesQuery } from './one-task.calls.ts';
import own from '../approval/approval.module.css';
import css from './task-drawer.module.css';

type Fact = readonly [name: string, value: ReactNode];

/** Shows what a second person approves besides time and files: the settings of the action, and the devices. */
export function TaskMeant({ task }: { task: TaskRecord }) {
  const { t } = useText();
  const { action, params, rollout } = task;
  // Files are shown with the plan.
  const settings = (forms[action] ?? []).filter(({ kind, key }) => !['file', 'pairs'].includes(kind) && key in params);
  const facts: Fact[] = [
    ...settings.map(({ key }): Fact => {
      const value = params[key];
      return [
        t(`deviceAction.${action as ActionKey}.param.${key as ActionParam}`),
        typeof value === 'boolean' ? t(value ? 'common.yes' : 'common.no') : choiceName(action, key, String(value)),
      ];
    }),
    ...rolloutFacts(rollout),
    ...(task.overrideFreeze ? [[t('freezePeriod.override'), t('common.yes')] as const] : []),
  ];
  return (
    <>
      {facts.length > 0 && (
        <div className={css.plan}>
          <Facts items={facts} />
        </div>
      )}
      <Devices task={task} />
    </>
  );
}

function Devices({ task }: { task: TaskRecord }) {
  const { t } = useText();
  const [text, setText] = useState('');
  const [search] = useDebouncedValue(text.trim(), 250);
  const [page, setPage] = useState(1);
  const [limit, setLimit] = useState<PageSize>(20);
  useEffect(() => setPage(1), [search]);
  const query = useQuery(meantDevicesQuery(task.id, { page, limit, ...(search === '' ? {} : { search }) }));
  const { data } = query;
  return (
    <section className={`${css.devices} ${own.meant}`} aria-label={t('menu.devices')}>
      <div className={css.tools}>
        <strong>{t('menu.devices')}</strong>
        <div className={css.search}>
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
      {query.isError && !data && (
        <div className={css.failed}>
          <Failed text={t('task.failed')} error={query.error} onRetry={() => void query.refetch()} />
        </div>
      )}
      {data?.records.length === 0 && <p className={css.none}>{t('task.noDevices')}</p>}
      {data && data.records.length > 0 && (
        <div className={css.scroll} tabIndex={0} role="group" aria-label={t('menu.devices')}>
          <table className={css.table}>
            <thead>
              <tr>
                <th scope="col">{t('task.device')}</th>
                <th scope="col">{t('device.model')}</th>
                <th scope="col">{t('device.mac')}</th>
                <th scope="col">{t('device.firmware')}</th>
              </tr>
            </thead>
            <tbody>
              {data.records.map((d) => (
                <tr key={d.deviceId}>
                  <td className={css.name}>
                    <a href={deviceHref({ id: d.deviceId })} title={d.name}>
                      {d.name}
                    </a>
                  </td>
                  <td>{d.model}</td>
                  <td>
                    <code>{macText(d.mac)}</code>
                  </td>
                  <td>{d.firmware ?? '–'}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {data && data.total > 20 && (
        <Pager
          state={{ search, page, limit, sort: undefined, filters: {} }}
          total={data.total}
          onState={(s) => {
            setPage(s.page);
            setLimit(s.limit);
          }}
        />
      )}
    </section>
  );
}
