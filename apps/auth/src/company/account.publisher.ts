import { authCompany, type EventData } from '@carillon/contracts';
import { emit } from '@carillon/messaging';
import { column, columns, computed, currentSql } from '@carillon/persistence';
import { User } from '../user/user.entity.ts';

type Account = EventData<typeof authCompany, 'account'>;

const account = columns(User, 'u', ['companyId', 'username', 'nickname', 'email', 'status', 'language', 'countryId'], {
  userId: column(User, 'u', 'id'),
  timezoneId: computed<number | null>('case when u.zone_chosen then u.timezone_id end'),
});

/**
 * Publishes those of the given users who are the channel account of their company, with their current status or, when
 * deleted, with `gone`. The parent company knows only these users (USER-02). Activates the company as soon as its
 * account is activated.
 */
export async function publishAccounts(userIds: readonly string[], gone?: Account['status']): Promise<void> {
  const rows = await currentSql().rows(
    account,
    `
      select ${account}
      from user_account u
      where u.id = any ($1) and exists (
        select from company_copy c where c.account_id = u.id and (c.parent_id is not null or c.status = 'inactive')
      )
    `,
    [userIds],
  );
  for (const { companyId, ...data } of rows) {
    if (data.status !== 'inactive')
      await currentSql().query(`update company_copy set status = 'normal' where id = $1 and status = 'inactive'`, [
        companyId,
      ]);
    await emit(authCompany, 'account', companyId, { ...data, status: gone ?? data.status }, { companyId });
  }
}
