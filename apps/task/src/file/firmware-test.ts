import { firmwareState } from '@carillon/contracts';
import { envelope, toRecord } from '@carillon/messaging';
import { uuidv7 } from '@carillon/persistence';
import { eventually } from '@carillon/testing';
import { expect } from 'vitest';
import type { TaskRig } from '../task-test.ts';

/** Returns a firmware as the resource service publishes it. */
export const firmwareOf = (change: { version?: string; models?: string[]; least?: string | null } = {}) => ({
  id: uuidv7(),
  path: 'mine' as const,
  name: 'Desk',
  version: '2.10',
  models: ['Fanvil X7A'],
  least: null,
  fileId: uuidv7(),
  fileName: 'whole.bin',
  size: 1_000,
  sha256: 'ab'.repeat(32),
  signature: 'c2ln',
  deltas: [],
  signedBy: 'a2V5',
  endorsements: [],
  ...change,
});

/**
 * Publishes a firmware of the rig's company in this version of its record, and returns its id once the task service
 * knows it.
 */
export async function publishFirmware(
  rig: TaskRig,
  firmware: ReturnType<typeof firmwareOf> & { damaged?: boolean },
  version = 1,
): Promise<string> {
  const { companyId } = rig.actor;
  const { id } = firmware;
  await rig.bus.publish([toRecord(firmwareState, id, firmware, envelope('firmware', { companyId, version }))]);
  await eventually(async () =>
    expect(await rig.sql('select version::int from firmware_copy where id = $1', [id])).toEqual([{ version }]),
  );
  return id;
}
