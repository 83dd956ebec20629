import pg from 'pg';
import type { MailServer } from '@carillon/testing';
import type { Platform } from '@carillon/testing/platform';

/** A mail server's settings as the environment of the product. */
export const mailEnvironment = ({ settings }: MailServer): Record<string, string> =>
  Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [
      `CARILLON_${name.replace(/([A-Z])/g, '_$1').toUpperCase()}`,
      String(value),
    ]),
  );

/** SQL in auth's own database, under its company's policies: for what no call of the product does yet. */
export async function authSql<R = Record<string, unknown>>(
  platform: Platform,
  text: string,
  values: unknown[] = [],
): Promise<R[]> {
  const client = new pg.Client({
    host: platform.socket,
    port: 5432,
    database: 'carillon_auth',
    user: 'carillon_auth_app',
    password: platform.databasePassword('auth'),
  });
  await client.connect();
  try {
    await client.query('begin');
    await client.query(`select set_config('app.company_id', $1, true), set_config('app.org_ids', '*', true)`, [
      platform.companyId,
    ]);
    const { rows } = await client.query(text, values);
    await client.query('commit');
    return rows as R[];
  } finally {
    await client.end();
  }
}
