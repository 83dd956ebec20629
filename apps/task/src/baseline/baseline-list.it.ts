import { describe, expect, it } from 'vitest';
import {
  deleteBaseline,
  editBaseline,
  getBaseline,
  listBaselines,
  permissionKeys,
  restoreBaselines,
} from '@carillon/contracts';
import { uuidv7 } from '@carillon/persistence';
import { eventually, newActor } from '@carillon/testing';
import { campus, refusal, startBaselines } from './baseline-test.ts';

const { rig, published, newModel, store, body, add } = await startBaselines();

describe('the list of baselines', () => {
  it('is added, edited, deleted and restored, and locks its firmware [STORE-07/noun] [ROLE-03/baseline]', async () => {
    const model = newModel();
    const firmwareId = await store('2.10', [model]);
    const id = await add(firmwareId, { model, name: 'Zz desks' });
    await eventually(() => expect(published.get(id)).toBe(firmwareId));
    for (const [change, expected] of [
      [
        { model, name: 'zz DESKS' },
        { error: 'baseline.nameTaken', field: 'name' },
      ],
      [{ model: 'Other' }, { error: 'baseline.modelOther', field: 'model' }],
      [{ siteId: uuidv7() }, { error: 'baseline.siteUnknown', field: 'siteId' }],
      [
        { model, from: '22:00', to: '04:00', timeZone: 'Mars/Base' },
        { error: 'baseline.zoneUnknown', field: 'timeZone' },
      ],
      [
        { model, firmwareId: uuidv7() },
        { error: 'task.fileMissing', field: 'firmwareId' },
      ],
    ] as const)
      expect(await refusal(add(firmwareId, change))).toEqual(expected);
    for (const change of [{}, { model, siteId: campus }, { siteId: campus, groupId: uuidv7() }])
      expect(await refusal(add(firmwareId, change))).toEqual({ error: 'baseline.scope', field: 'model' });
    const zoned = { from: '22:00', timeZone: 'Etc/UTC' };
    for (const window of [{ from: '22:00' }, zoned, { ...zoned, to: '22:00' }, { timeZone: 'Etc/UTC' }])
      expect(await refusal(add(firmwareId, { model, ...window }))).toEqual({ error: 'baseline.window', field: 'to' });

    const may = async (change: object, call = deleteBaseline) =>
      refusal(rig.service.as({ ...rig.actor, ...change })(call, { query: { id } }));
    expect(await may({ orgIds: [rig.actor.orgId] })).toEqual({ error: 'baseline.narrowed' });
    for (const right of ['addTask', 'pushFirmware'])
      expect(await may({ permissions: permissionKeys.filter((key) => key !== right) })).toEqual({
        error: 'common.forbidden',
      });
    expect(await refusal(rig.service.as(newActor())(getBaseline, { params: { id } }))).toEqual({
      error: 'common.notFound',
    });

    const off = body(firmwareId, {
      model,
      name: 'Zz phones',
      active: false,
      from: '22:00',
      to: '04:00',
      timeZone: 'Asia/Seoul',
    });
    expect(await rig.call(editBaseline, { body: { id, ...off } })).toMatchObject({
      name: 'Zz phones',
      active: false,
      from: '22:00',
      to: '04:00',
      timeZone: 'Asia/Seoul',
      firmware: { id: firmwareId, name: 'Desk', version: '2.10' },
      held: false,
      inScope: 0,
    });
    await eventually(() => expect(published.get(id)).toBeNull());
    await rig.call(editBaseline, { body: { id, ...off, active: true } });
    await eventually(() => expect(published.get(id)).toBe(firmwareId));
    await rig.call(deleteBaseline, { query: { id } });
    await eventually(() => expect(published.get(id)).toBeNull());
    expect((await rig.call(listBaselines, { query: { search: 'zz phones' } })).total).toBe(0);
    expect(await rig.call(restoreBaselines, { body: { ids: [id] } })).toEqual({ restored: 1 });
    await eventually(() => expect(published.get(id)).toBe(firmwareId));
    expect((await rig.call(listBaselines, { query: { search: 'zz phones' } })).records).toMatchObject([{ id }]);
    await rig.call(deleteBaseline, { query: { id } });
  });
});
