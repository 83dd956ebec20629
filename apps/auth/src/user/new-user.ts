import { columnNames, currentSql, parameters } from '@carillon/persistence';
import { defaultZone, User } from './user.entity.ts';
import { orTaken } from './user-taken.ts';

type Given = 'id' | 'companyId' | 'username' | 'nickname' | 'accountType' | 'status' | 'passwordHash' | 'defaultOrgId';
type Begun =
  | 'email'
  | 'mustChangePassword'
  | 'activation'
  | 'activatedAt'
  | 'allOrgs'
  | 'orgIds'
  | 'language'
  | 'timezoneId'
  | 'zoneChosen'
  | 'countryId'
  | 'erpId'
  | 'createdBy'
  | 'editor';
export type NewUser = Pick<User, Given> & Partial<Pick<User, Begun>>;

const beginning = { email: null, allOrgs: false, orgIds: [], timezoneId: defaultZone, countryId: 1 };
const names = columnNames(User);

/**
 * Inserts a user. When the name or the email is taken, it fails with the error of that field, or with `skip` returns
 * false.
 */
export async function insertUser(user: NewUser, whenTaken: 'fail' | 'skip' = 'fail'): Promise<boolean> {
  const row: NewUser = { ...beginning, ...user };
  const keys = Object.keys(row) as (keyof NewUser)[];
  const { add, values } = parameters();
  const query = currentSql().query(
    `
      insert into user_account (
        ${keys.map((key) => names[key]).join(', ')}, tokens_valid_after, version, created_at, updated_at
      )
      values (${keys.map((key) => add(row[key])).join(', ')}, to_timestamp(0), 0, now(), now())
      ${whenTaken === 'skip' ? 'on conflict do nothing' : ''}
    `,
    values,
  );
  return (await (whenTaken === 'skip' ? query : orTaken(query))).rowCount === 1;
}
