import { createHash, randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { linkDays, type Language, type linkKinds } from '@carillon/contracts';
import { defaultLanguage } from '@carillon/contracts/constants';
import { currentSql, uuidv7 } from '@carillon/persistence';
import { maybeContext } from '@carillon/tenancy';
import { CONFIG, fail, found, requestMail } from '@carillon/service';
import type { AuthConfig } from '../config.ts';
import { mailAbout } from '../user/user-entry.ts';
import { MailBudget } from './mail-budget.ts';

export type LinkKind = (typeof linkKinds)[number];

/** Pages of the console that a link opens. The secret stands behind the `#`, which no browser sends anywhere. */
const pages: Record<LinkKind, string> = {
  activation: '/system/activeUser',
  passwordReset: '/forgetPasswordResult',
  emailChange: '/resetEmailResult',
};
/** So many mails of one kind to one account in an hour (docs/attack-cases.md, A26). */
const mostAnHour = 3;
const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();

export interface LinkedUser {
  linkId: string;
  userId: string;
  companyId: string;
  username: string;
  nickname: string;
  email: string | null;
  status: string;
  passwordHash: string;
  linkEmail: string | null;
  language: Language | null;
}

/** Links for activation, a new password and a new email: made, mailed, used once (spec, sections 4, 8, 9). */
@Injectable()
export class AccountLinkService {
  constructor(
    @Inject(CONFIG) private readonly config: AuthConfig,
    private readonly budget: MailBudget,
  ) {}

  /** Mails a new link and makes older ones of its kind worthless. In a transaction of the user's company. */
  async send(userId: string, kind: LinkKind, newEmail: string | null = null): Promise<void> {
    // In a statement of its own: whoever waited here for another sees the link that it made when he counts.
    await currentSql().query('select 1 as one from user_account where id = $1 for update', [userId]);
    const { rows } = await currentSql().query<{
      companyId: string;
      name: string;
      email: string | null;
      language: Language | null;
      company: string;
      recent: number;
    }>(
      `
        select u.company_id as "companyId", u.nickname as name, u.email, u.language,
          coalesce((select c.name from company_copy c where c.id = u.company_id), '') as company,
          (
            select count(*)::int
            from account_link l
            where l.user_id = u.id and l.kind = $2 and l.created_at > now() - interval '1 hour'
          ) as recent
        from user_account u
        where u.id = $1
      `,
      [userId, kind],
    );
    const user = found(rows[0]);
    const to = newEmail ?? user.email;
    if (!to) return;
    if (user.recent >= mostAnHour) fail('common.tooMany', { seconds: 3_600 });
    await this.budget.take(user.companyId, to);
    const secret = randomBytes(32).toString('base64url');
    await this.revoke(userId, kind);
    await currentSql().query(
      `
        insert into account_link (id, company_id, user_id, kind, hash, email, created_at, expires_at)
        values ($1, $2, $3, $4, $5, $6, clock_timestamp(), clock_timestamp() + make_interval(days => $7))
      `,
      [uuidv7(), user.companyId, userId, kind, hashOf(secret), newEmail, linkDays],
    );
    // The configured address only: what a request says of its host goes into no mail (docs/attack-cases.md, A24).
    const link = `${this.config.publicUrl.replace(/\/$/, '')}${pages[kind]}#${secret}`;
    const data = { name: user.name, link, days: linkDays };
    const language = user.language ?? maybeContext()?.language ?? defaultLanguage;
    const about = await mailAbout(userId);
    const common = { to, language, companyId: user.companyId, about, validSeconds: linkDays * 86_400 } as const;
    if (kind === 'activation')
      await requestMail(this.config.mailKey, {
        template: 'activation',
        ...common,
        data: { ...data, company: user.company },
      });
    else await requestMail(this.config.mailKey, { template: kind, ...common, data });
  }

  /** Makes links that were not used worthless; of one kind, or all of a user. */
  async revoke(userId: string, kind: LinkKind | null = null): Promise<void> {
    await currentSql().query(
      `
        update account_link
        set used_at = now()
        where user_id = $1 and used_at is null and ($2::text is null or kind = $2)
      `,
      [userId, kind],
    );
  }

  /** Whose link this is, while it can be used. It does not say its company, so this runs across them. */
  async find(kind: LinkKind, secret: string): Promise<LinkedUser | undefined> {
    const { rows } = await currentSql().query<LinkedUser>(
      `
        select l.id as "linkId", l.user_id as "userId", l.company_id as "companyId", u.username, u.nickname,
          u.email, u.status, u.password_hash as "passwordHash", l.email as "linkEmail", u.language
        from account_link l
        join user_account u on u.id = l.user_id
        where l.hash = $1 and l.kind = $2 and l.used_at is null and l.expires_at > now()
      `,
      [hashOf(secret), kind],
    );
    return rows[0];
  }

  /** Takes a link for its one use: of any number of parallel calls exactly one gets true. */
  async use(linkId: string): Promise<boolean> {
    return (
      (
        await currentSql().query(
          `
            update account_link
            set used_at = now()
            where id = $1 and used_at is null and expires_at > now()
            returning id
          `,
          [linkId],
        )
      ).rowCount === 1
    );
  }

  /** Of a change of email that waits for its confirmation. */
  async pendingEmail(userId: string): Promise<string | undefined> {
    return (
      await currentSql().query<{ email: string }>(
        `
          select email
          from account_link
          where user_id = $1 and kind = 'emailChange' and used_at is null and expires_at > now()
          order by created_at desc
          limit 1
        `,
        [userId],
      )
    ).rows[0]?.email;
  }
}
