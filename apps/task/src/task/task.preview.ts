import { reasonText, type Action } from '@carillon/actions';
import { toPage, type RouteInput, type TaskPreview, type previewTask } from '@carillon/contracts';
import { nameOrMacSql } from '@carillon/contracts/device-filter';
import { alphabetic, columns, computed, currentSql, parameters } from '@carillon/persistence';
import { context } from '@carillon/tenancy';
import { inRangeSql, refusedSql, restoresOf, targetSql, type TaskTarget } from '../dispatch/target.ts';
import { withFileSql, type Brought } from '../file/brought.ts';
import { DeviceCopy } from '../projections/device-copy.entity.ts';
import { nextTimes } from '../schedule/recurrence.ts';

type Order = Omit<RouteInput<typeof previewTask>['body'], 'action' | 'timeZone' | 'target'> & {
  target: TaskTarget;
  action: Action;
  timeZone: string;
  brought: Brought | undefined;
};

/** Number of next times that are shown. */
const shownTimes = 5;

const code = computed<string | null>('p.code');
const codeValues = computed<Record<string, string | number> | null>('p.values');
const sum = columns(DeviceCopy, 'p', [], { code, codeValues, count: computed<number>('count(*)::int') });
const found = columns(DeviceCopy, 'p', [], { n: computed<number>('count(*)::int') });
const device = columns(DeviceCopy, 'p', ['mac', 'name', 'model', 'firmware'], {
  deviceId: computed<string>('p.id'),
  online: computed<boolean>('p.online'),
  code,
  codeValues,
});

/** Returns what an order would do, by the rules of the expansion (TASK-08). Only reads. */
export async function previewOf(
  { action, params, brought, target, versionRange, schedule, timeZone }: Order,
  query: RouteInput<typeof previewTask>['query'],
): Promise<Omit<TaskPreview, 'name' | 'needsApproval' | 'windows'>> {
  const { page, limit } = toPage(query);
  const { values, add } = parameters();
  const wanted = withFileSql(targetSql(target, add), brought, add);
  const refused = await refusedSql({ action, params, brought, restores: restoresOf(target) }, wanted, values, add);
  const inRange = inRangeSql(versionRange, add);
  const judged = `
    with p as (
      select d.*, r.values,
        case when ${inRange} is false then 'versionOutside'
          else coalesce(r.code, case when ${inRange} is null then 'versionUnknown' end) end as code
      from (${wanted}) d
      ${refused}
    )
  `;
  const sums = await currentSql().rows(
    sum,
    `${judged} select ${sum} from p group by p.code, p.values order by count(*) desc, p.code`,
    values,
  );
  const total = sums.reduce((n, s) => n + s.count, 0);
  const where = ['true'];
  if (query.search) where.push(nameOrMacSql('p', query.search, add));
  if (query.only) where.push(query.only === 'touched' ? 'p.code is null' : 'p.code is not null');
  const condition = where.join(' and ');
  const [matching] = await currentSql().rows(found, `${judged} select ${found} from p where ${condition}`, values);
  const records = await currentSql().rows(
    device,
    `
      ${judged}
      select ${device}
      from p
      where ${condition}
      order by ${alphabetic('p.name')}, p.id
      limit ${add(limit)} offset ${add((page - 1) * limit)}
    `,
    values,
  );
  const reasonOf = (why: string, known: Record<string, string | number> = {}): string =>
    reasonText(action.key, why, known, context().language) ?? why;
  return {
    total,
    touched: sums.find((s) => s.code === null)?.count ?? 0,
    // One entry per text: for devices that cannot do it, one per model.
    skipped: sums.flatMap(({ code: why, codeValues: known, count }) =>
      why === null ? [] : [{ code: why, message: reasonOf(why, known ?? {}), count }],
    ),
    runs: nextTimes(schedule, timeZone, new Date(), shownTimes).map((at) => at.toISOString()),
    devices: {
      records: records.map(({ codeValues, ...record }) => ({
        ...record,
        message: record.code === null ? null : reasonOf(record.code, { model: record.model, ...codeValues }),
      })),
      total: matching!.n,
      current: page,
      size: limit,
    },
  };
}
