import { afterAll, expect } from 'vitest';
import { addBaseline, orgSite, taskFile, type RouteCall } from '@carillon/contracts';
import { envelope, toRecord } from '@carillon/messaging';
import { uuidv7 } from '@carillon/persistence';
import { eventually } from '@carillon/testing';
import { taskRig } from '../task-test.ts';
import { firmwareOf, publishFirmware } from '../file/firmware-test.ts';

export const [campus, house, depot] = [uuidv7(), uuidv7(), uuidv7()];
export const refusal = (work: Promise<unknown>): Promise<{ error: string; field?: string }> =>
  work.then(
    () => ({ error: 'none' }),
    (e: { error: string; fields: { path: string }[] }) => ({
      error: e.error,
      ...(e.fields[0] && { field: e.fields[0].path }),
    }),
  );

async function openBaselines() {
  const published = new Map<string, string | null>();
  const audits: { action: string; objectId: string | null; username: string; result: string }[] = [];

  const rig = await taskRig({ taskTickMs: 100, baselineMs: 100, baselineRetryMs: 0 });
  await rig.bus.fanout({
    topics: [taskFile.name, 'audit.v1'],
    from: 'start',
    handle: ({ topic, records }) => {
      for (const { key, value } of records)
        if (topic === taskFile.name)
          published.set(key!, value === null ? null : (JSON.parse(value) as { objectId: string }).objectId);
        else audits.push(JSON.parse(value!) as (typeof audits)[number]);
      return Promise.resolve();
    },
  });
  for (const [id, name, parentId] of [
    [campus, 'Campus', null],
    [house, 'House', campus],
    [depot, 'Depot', null],
  ] as const)
    await rig.bus.publish([
      toRecord(
        orgSite,
        id,
        { id, companyId: rig.actor.companyId, parentId, name, segments: [], autoAssign: false },
        envelope('site', { companyId: rig.actor.companyId, version: 1 }),
      ),
    ]);
  await eventually(async () => expect(await rig.sql('select count(*)::int as n from site_copy')).toEqual([{ n: 3 }]));
  afterAll(() => rig.close());
  return { rig, published, audits };
}

function baselineCalls({ rig }: Awaited<ReturnType<typeof openBaselines>>) {
  let serial = 0;
  /** Each test uses its own model, so that no other baseline applies to its devices. */
  const newModel = (): string => `Model ${++serial}`;
  const store = (version: string, models: string[], least: string | null = null) =>
    publishFirmware(rig, firmwareOf({ version, models, least }));
  const body = (firmwareId: string, change: object = {}): RouteCall<typeof addBaseline>['body'] => ({
    name: `Baseline ${++serial}`,
    firmwareId,
    model: null,
    siteId: null,
    groupId: null,
    active: true,
    from: null,
    to: null,
    timeZone: null,
    ...change,
  });
  const add = async (firmwareId: string, change: object) =>
    (await rig.call(addBaseline, { body: body(firmwareId, change) })).id;
  return { newModel, store, body, add };
}

/** Starts the task service with three sites, and records files and the operation log. Closes it after the tests. */
export async function startBaselines() {
  const opened = await openBaselines();
  return { ...opened, ...baselineCalls(opened) };
}
