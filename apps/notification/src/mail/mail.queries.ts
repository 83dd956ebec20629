import { columns, computed, currentSql, firstOfEachSql, type RowOf } from '@carillon/persistence';
import type { MailStatus, MailTemplate } from '@carillon/contracts';
import { Mail } from './mail.entity.ts';

/**
 * Mails that are needed to log in always use the installation's server: a wrong server of a company would lock out the
 * users who could correct it.
 */
export const ofTheInstallation: readonly MailTemplate[] = ['code', 'passwordReset'];

const due = columns(Mail, 'm', ['id', 'companyId', 'template', 'language', 'sealed', 'tries'], {
  expired: computed<boolean>('m.expires_at <= now()'),
});
export type MailRow = RowOf<typeof due>;
export type NewMail = Pick<Mail, 'id' | 'companyId' | 'template' | 'language' | 'sealed' | 'userId' | 'orgIds'> & {
  expiresAt: Date;
  at: Date;
};

export async function insertMails(mails: readonly NewMail[]): Promise<void> {
  await currentSql().query(
    `
      insert into mail (
        id, company_id, template, language, sealed, status, tries, next_at, expires_at, created_at, user_id, org_ids
      )
      select id, "companyId", template, language, sealed, 'waiting', 0, now(), "expiresAt", at, "userId", "orgIds"
      from jsonb_to_recordset($1::jsonb) as m(
        id uuid, "companyId" uuid, template text, language text, sealed text, "expiresAt" timestamptz,
        at timestamptz, "userId" uuid, "orgIds" uuid[]
      )
      on conflict (id) do nothing
    `,
    [JSON.stringify(mails)],
  );
}

/** SQL: whether a mail uses its company's server, consistent with `settingsFor`. */
const byCompanySql = `(
  template <> all ($3::text[])
  and mail.company_id in (select s.company_id from company_mail_server s where s.enabled)
)`;
const dueSql = `status = 'waiting' and next_at <= now()`;
/** As the index `mail_notice` has it. */
const waitingNoticeSql = `status = 'waiting' and template = 'alarms'`;
/** More than are claimed, because another process may have locked some. */
const candidates = '$1 * 4';

/** SQL: mails that may be claimed, with their turn. */
const claimable = {
  installation: `
    (
      select id, 0 as turn, next_at as at
      from mail
      where ${dueSql} and template <> 'alarms' and not ${byCompanySql}
      order by next_at
      limit ${candidates}
    )
    union all
    (${firstOfEachSql('mail', waitingNoticeSql, `next_at <= now() and not ${byCompanySql}`, 'next_at', candidates)})
  `,
  company: `
    select distinct on (company_id) id, 0 as turn, next_at as at
    from mail
    where ${dueSql} and ${byCompanySql}
    order by company_id, next_at
  `,
} as const;

/**
 * Claims due mails for one attempt. For the installation's server, mails of accounts come first, then notices; the
 * companies take turns with their notices. For companies' own servers, each company gets one. If the process dies, the
 * mails are available again after the lease.
 */
export async function claimMails(by: keyof typeof claimable, limit: number, leaseSeconds: number): Promise<MailRow[]> {
  return currentSql().rows(
    due,
    `
      update mail m
      set tries = tries + 1, next_at = now() + make_interval(secs => $2)
      where id in (
        select w.id
        from mail w
        join (select * from (${claimable[by]}) c order by turn, at limit ${candidates}) o on o.id = w.id
        where w.status = 'waiting' and w.next_at <= now()
        order by o.turn, w.next_at
        limit $1
        for update of w skip locked
      )
      returning ${due}
    `,
    [limit, leaseSeconds, ofTheInstallation],
  );
}

/** Ends a mail as sent or given up, and deletes its content. */
export async function endMail(
  id: string,
  status: 'sent' | 'failed',
  error: string | null,
  reason: string | null = null,
): Promise<void> {
  await currentSql().query(
    `
      update mail
      set status = $2, error = $3, reason = $4, ended_at = now(), sealed = ''
      where id = $1 and status = 'waiting'
    `,
    [id, status, error, reason],
  );
}

export async function retryMail(id: string, afterMs: number, error: string, reason: string | null): Promise<void> {
  await currentSql().query(
    `
      update mail
      set next_at = now() + make_interval(secs => $2 / 1000.0), error = $3, reason = $4
      where id = $1 and status = 'waiting'
    `,
    [id, afterMs, error, reason],
  );
}

const state = columns(Mail, 'm', ['id', 'template', 'status', 'error', 'reason', 'createdAt', 'endedAt', 'nextAt']);

/** Returns the state of the last mail to a user, as far as the reader may see it. */
export async function lastMail(userId: string): Promise<RowOf<typeof state> | null> {
  const [found] = await currentSql().rows(
    state,
    `select ${state} from mail m where m.user_id = $1 order by m.created_at desc, m.id desc limit 1`,
    [userId],
  );
  return found ?? null;
}

/** Returns whether a mail was sent; null for an unknown one. */
export async function mailStatus(id: string): Promise<{ status: MailStatus; retrying: boolean } | null> {
  const [mail] = await currentSql().rows(state, `select ${state} from mail m where m.id = $1`, [id]);
  return mail ? { status: mail.status, retrying: mail.status === 'waiting' && mail.error !== null } : null;
}

const held = columns(Mail, 'm', [], { before: computed<string | null>('old.before') });
/** Holds a mail until a server is configured, without counting an attempt. Returns whether it was not held before. */
export async function holdMail(id: string, afterMs: number): Promise<boolean> {
  const [mail] = await currentSql().rows(
    held,
    `
      update mail m
      set next_at = now() + make_interval(secs => $2 / 1000.0), tries = 0, error = 'mail.notConfigured', reason = null
      from (select id, error as before from mail where id = $1) old
      where m.id = old.id and m.status = 'waiting'
      returning ${held}
    `,
    [id, afterMs],
  );
  return mail !== undefined && mail.before !== 'mail.notConfigured';
}

/** Makes waiting mails due after the server was configured or changed. */
export async function mailsMayGo(): Promise<void> {
  await currentSql().query(`update mail set next_at = now() where status = 'waiting'`);
}

export async function forgetMails(before: Date): Promise<number> {
  return (await currentSql().query('delete from mail where ended_at < $1', [before])).rowCount;
}
