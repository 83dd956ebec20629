import { randomBytes, randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { ResourceFile } from '@carillon/actions';
import { downloadKey, readDownloadToken } from '@carillon/service';
import { givenFile } from './file.ts';

it('the link of a phone over HTTP holds under its name, and until its command ends', () => {
  const key = downloadKey(randomBytes(32));
  const part = { fileId: randomUUID(), fileName: 'bell 1.wav', size: 7, sha256: 'aa' };
  const file: ResourceFile = { id: randomUUID(), name: 'Bell', type: 'ringtone', files: [part] };
  const until = Math.floor(Date.now() / 1_000) * 1_000 + 86_400_000;
  const [companyId, deviceId, taskId, commandId] = Array.from({ length: 4 }, () => randomUUID());
  const command = {
    companyId: companyId!,
    deviceId: deviceId!,
    ownerEpoch: 1,
    taskId: taskId!,
    commandId: commandId!,
    until,
  };
  const grantOf = (isPhone: boolean, name?: string) => {
    const link = givenFile(file, { ...command, isPhone }, { key, publicUrl: 'https://c.example/' }).linkTo(part);
    const token = /^https:\/\/c\.example\/f\/([\w-]+)\/bell%201\.wav$/.exec(link)![1]!;
    return readDownloadToken(key, token, name);
  };
  expect(grantOf(true, 'bell 1.wav')).toMatchObject({ ...command, isPhone: true, beginBy: until });
  expect(grantOf(true)).toBeUndefined();
  const other = grantOf(false)!;
  expect(other).toMatchObject({ isPhone: false, until });
  expect(other.beginBy - Date.now()).toBeLessThanOrEqual(3_600_000);
});
