import { createHmac } from 'node:crypto';
import type { MailCheckState } from '@carillon/contracts';
import { currentEntities, currentSql } from '@carillon/persistence';
import type { MailSettings } from './settings.ts';
import { MailCheck } from './mail-check.entity.ts';

type Server = Pick<MailSettings, 'host' | 'port' | 'security' | 'password'> & { user?: string | null | undefined };
const keptChecks = 10;

/** Tells servers and logins apart, and reveals nothing of a password. */
const keyOf = ({ host, port, security, user, password }: Server, key: Buffer): string =>
  createHmac('sha256', key)
    .update(JSON.stringify([host.toLowerCase(), port, security, user ?? '', password ?? '']))
    .digest('base64url');

/** Stores the result of a test, so that no page calls a server ready that failed. */
export async function storeCheck(server: Server, key: Buffer, passed: boolean): Promise<void> {
  await currentEntities().upsert(MailCheck, { server: keyOf(server, key), passed, at: new Date().toISOString() });
  await currentSql().query(
    'delete from mail_check where server not in (select server from mail_check order by at desc limit $1)',
    [keptChecks],
  );
}

/** Returns how the last test with exactly these settings ended. */
export async function checkOf(server: Server, key: Buffer): Promise<MailCheckState> {
  const check = await currentEntities().findOne(MailCheck, keyOf(server, key));
  return check === null ? 'untested' : check.passed ? 'passed' : 'failed';
}
