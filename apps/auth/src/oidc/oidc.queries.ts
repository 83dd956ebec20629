import { columns, computed, currentSql, uuidv7, type RowOf } from '@carillon/persistence';
import { Role } from '../role/role.entity.ts';
import { insertUser } from '../user/new-user.ts';
import { User } from '../user/user.entity.ts';
import { OidcLink } from './oidc.entity.ts';

/** A user who is linked by an earlier login, and a user who is found by their email. */
const linked = columns(OidcLink, 'l', ['userId', 'companyId'], { linked: computed<boolean>('true') });
const unlinked = columns(User, 'u', ['id', 'companyId'], { linked: computed<boolean>('false') });
const role = columns(Role, 'r', ['id']);

/**
 * Finds the user of a provider's identity, by an earlier login or by an email that the provider has verified. Searches
 * every company: a login does not name its own.
 */
export async function whoIs(
  issuer: string,
  subject: string,
  email: string | undefined,
): Promise<RowOf<typeof linked> | undefined> {
  const [who] = await currentSql().rows(
    linked,
    `
      select ${linked}
      from oidc_link l
      where l.issuer = $1 and l.subject = $2
      union all select ${unlinked}
      from user_account u
      where lower(u.email) = lower($3) and not exists (select from oidc_link where issuer = $1 and subject = $2)
      limit 1
    `,
    [issuer, subject, email ?? null],
  );
  return who;
}

export async function link(
  user: { userId: string; companyId: string },
  issuer: string,
  subject: string,
  now: Date,
): Promise<void> {
  await currentSql().query(
    `
      insert into oidc_link (id, company_id, user_id, issuer, subject, created_at)
      values ($1, $2, $3, $4, $5, $6)
      on conflict (issuer, subject) do nothing
    `,
    [uuidv7(), user.companyId, user.userId, issuer, subject, now],
  );
}

/** Returns the ids of the current company's roles with these names. */
export async function rolesNamed(names: readonly string[]): Promise<string[]> {
  const rows = await currentSql().rows(role, `select ${role} from role r where r.name = any($1)`, [[...names]]);
  return rows.map((r) => r.id);
}

/** Sets a user's roles. Returns whether they changed. */
export async function setRoles(
  user: { userId: string; companyId: string },
  roleIds: readonly string[],
): Promise<boolean> {
  const gone = await currentSql().query(
    'delete from user_role where user_id = $1 and not role_id = any($2::uuid[]) returning id',
    [user.userId, [...roleIds]],
  );
  let added = 0;
  for (const roleId of roleIds)
    added += (
      await currentSql().query(
        `
          insert into user_role (id, company_id, user_id, role_id)
          values ($1, $2, $3, $4)
          on conflict (user_id, role_id) do nothing
          returning id
        `,
        [uuidv7(), user.companyId, user.userId, roleId],
      )
    ).rows.length;
  return gone.rows.length + added > 0;
}

/** Creates a user whose password hash matches no password. Returns undefined when the name or the email is taken. */
export async function makeUser(user: {
  companyId: string;
  orgId: string;
  username: string;
  nickname: string;
  email: string | undefined;
}): Promise<string | undefined> {
  const id = uuidv7();
  const isMade = await insertUser(
    {
      id,
      companyId: user.companyId,
      username: user.username.slice(0, 128),
      nickname: user.nickname.slice(0, 128),
      email: user.email ?? null,
      accountType: 'ordinary',
      status: 'normal',
      passwordHash: '',
      orgIds: [user.orgId],
      defaultOrgId: user.orgId,
    },
    'skip',
  );
  return isMade ? id : undefined;
}
