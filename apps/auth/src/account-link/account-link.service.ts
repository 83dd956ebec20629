import { createHash, randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { linkDays, type linkKinds } from '@carillon/contracts';
import { defaultLanguage } from '@carillon/contracts/constants';
import { column, columns, computed, currentEntities, currentSql, uuidv7, type RowOf } from '@carillon/persistence';
import { maybeContext } from '@carillon/tenancy';
import { CONFIG, fail, found, requestMail } from '@carillon/service';
import type { AuthConfig } from '../config.ts';
import { mailAbout } from '../user/user-entry.ts';
import { User } from '../user/user.entity.ts';
import { AccountLink } from './account-link.entity.ts';
import { MailBudget } from './mail-budget.ts';

export type LinkKind = (typeof linkKinds)[number];

/** Console pages that the links open. The secret follows the `#`, which browsers never send to a server. */
const pages: Record<LinkKind, string> = {
  activation: '/system/activeUser',
  passwordReset: '/forgetPasswordResult',
  emailChange: '/resetEmailResult',
};
/** Mails of one kind to one account per hour (docs/attack-cases.md, A26). */
const mostAnHour = 3;
const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** The recipient of a link; $2 is the link's kind. */
const addressee = columns(User, 'u', ['companyId', 'nickname', 'email', 'language'], {
  company: computed<string>(`coalesce((select c.name from company_copy c where c.id = u.company_id), '')`),
  recent: computed<number>(`
    (
      select count(*)::int
      from account_link l
      where l.user_id = u.id and l.kind = $2 and l.created_at > now() - interval '1 hour'
    )
  `),
});
const linkedUser = columns(AccountLink, 'l', ['userId', 'companyId'], {
  linkId: column(AccountLink, 'l', 'id'),
  linkEmail: column(AccountLink, 'l', 'email'),
  username: column(User, 'u', 'username'),
  nickname: column(User, 'u', 'nickname'),
  email: column(User, 'u', 'email'),
  status: column(User, 'u', 'status'),
  passwordHash: column(User, 'u', 'passwordHash'),
  language: column(User, 'u', 'language'),
});
export type LinkedUser = RowOf<typeof linkedUser>;
const pending = columns(AccountLink, 'l', ['email']);

/** Creates, mails and consumes links for activation, a new password and a new email (AUTH-10 to AUTH-12). */
@Injectable()
export class AccountLinkService {
  constructor(
    @Inject(CONFIG) private readonly config: AuthConfig,
    private readonly budget: MailBudget,
  ) {}

  /** Mails a new link and invalidates older ones of its kind. Runs in a transaction of the user's company. */
  async send(userId: string, kind: LinkKind, newEmail: string | null = null): Promise<void> {
    // A separate statement: under READ COMMITTED the count below must see links that a concurrent call has committed.
    await currentSql().query('select 1 as one from user_account where id = $1 for update', [userId]);
    const sql = `select ${addressee} from user_account u where u.id = $1`;
    const user = found((await currentSql().rows(addressee, sql, [userId, kind]))[0]);
    const to = newEmail ?? user.email;
    if (!to) return;
    if (user.recent >= mostAnHour) fail('common.tooMany', { seconds: 3_600 });
    await this.budget.take(user.companyId, to);
    const secret = randomBytes(32).toString('base64url');
    await this.revoke(userId, kind);
    // Only the configured address: a mail must never contain the request's Host header (docs/attack-cases.md, A24).
    const link = `${this.config.publicUrl.replace(/\/$/, '')}${pages[kind]}#${secret}`;
    const data = { name: user.nickname, link, days: linkDays };
    const language = user.language ?? maybeContext()?.language ?? defaultLanguage;
    const about = await mailAbout(userId);
    const common = { to, language, companyId: user.companyId, about, validSeconds: linkDays * 86_400 } as const;
    const mailId =
      kind === 'activation'
        ? await requestMail(this.config.mailKey, {
            template: 'activation',
            ...common,
            data: { ...data, company: user.company },
          })
        : await requestMail(this.config.mailKey, { template: kind, ...common, data });
    await currentSql().query(
      `
        insert into account_link (id, company_id, user_id, kind, hash, email, mail_id, created_at, expires_at)
        values ($1, $2, $3, $4, $5, $6, $7, clock_timestamp(), clock_timestamp() + make_interval(days => $8))
      `,
      [uuidv7(), user.companyId, userId, kind, hashOf(secret), newEmail, mailId, linkDays],
    );
  }

  /** Returns the id of the last mail with a link of this kind; null when there was none. */
  async lastMail(userId: string, kind: LinkKind): Promise<string | null> {
    const [last] = await currentEntities().find(
      AccountLink,
      { userId, kind },
      { orderBy: { createdAt: 'desc' }, limit: 1, fields: ['mailId'] },
    );
    return last?.mailId ?? null;
  }

  /** Invalidates a user's unused links, of one kind or of all kinds. */
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

  /** Returns the owner of a usable link. A link does not name its company, so the query runs across companies. */
  async find(kind: LinkKind, secret: string): Promise<LinkedUser | undefined> {
    const [user] = await currentSql().rows(
      linkedUser,
      `
        select ${linkedUser}
        from account_link l
        join user_account u on u.id = l.user_id
        where l.hash = $1 and l.kind = $2 and l.used_at is null and l.expires_at > now()
      `,
      [hashOf(secret), kind],
    );
    return user;
  }

  /** Consumes a link. Returns true for exactly one of any number of parallel calls. */
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

  /** Returns the new email that still waits for its confirmation. */
  async pendingEmail(userId: string): Promise<string | undefined> {
    const [link] = await currentSql().rows(
      pending,
      `
        select ${pending}
        from account_link l
        where l.user_id = $1 and l.kind = 'emailChange' and l.used_at is null and l.expires_at > now()
        order by l.created_at desc
        limit 1
      `,
      [userId],
    );
    return link?.email ?? undefined;
  }
}
