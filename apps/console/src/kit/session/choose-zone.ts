import type { ZoneRecord } from '@carillon/contracts';
import { call, remote } from './call.ts';
import { setPlace } from './session.ts';
import { keep } from './storage.ts';

const modify = remote('modifyUser', 'POST /api/f/mc/user/modify');

/** The zone of all times: posted first, and once the server has it kept here and the page loaded anew (SHELL-15). */
export async function chooseZone({ id, displayName }: Pick<ZoneRecord, 'id' | 'displayName'>): Promise<void> {
  await call(modify, { body: { timezoneId: id } });
  keep('timezone', { id, displayName });
  setPlace({ timezoneId: id });
  location.reload();
}
