import { Injectable } from '@nestjs/common';
import { avatarMaximum, type RouteInput, type editEnterprise, type editOwnUser } from '@carillon/contracts';
import { isShowable, pictureTypes, readPicture } from '@carillon/contracts/picture';
import { currentSql } from '@carillon/persistence';
import { context } from '@carillon/tenancy';
import { auditNote, fail } from '@carillon/service';
import { accessChanged } from './access.publisher.ts';
import { defaultZone } from './user.entity.ts';
import { organizationsOf } from './user-entry.ts';

/** Lets users change their own data on /info (AUTH-16, USER-04). */
@Injectable()
export class ProfileService {
  async timezone(timezoneId: number | ''): Promise<void> {
    const chosen = timezoneId !== '';
    const id = chosen ? timezoneId : defaultZone;
    await this.set('timezone_id = $2, zone_chosen = $3', [id, chosen], { timezoneId: chosen ? id : null });
    await accessChanged([context().userId!]);
  }

  async erpId(erpId: string | null): Promise<void> {
    await this.set('erp_id = $2', [erpId], { erpId });
  }

  async own(body: RouteInput<typeof editOwnUser>['body']): Promise<void> {
    await this.set(
      'nickname = $2, language = case when $3 then $4 else language end, country_id = coalesce($5, country_id)',
      [body.nickname, body.language !== undefined, body.language ?? null, body.countryId ?? null],
      body,
    );
    await accessChanged([context().userId!]);
  }

  async hint(hint: string, dismissed: boolean): Promise<void> {
    await this.set(
      `dismissed = array_remove(dismissed, $2) || case when $3 then array[$2::text] else '{}' end`,
      [hint, dismissed],
      { hint, dismissed },
    );
  }

  async avatar(image: string | null): Promise<string | null> {
    const sent = image === null ? undefined : Buffer.from(image, 'base64');
    const picture = sent && sent.length <= avatarMaximum ? readPicture(sent) : undefined;
    if (sent && sent.toString('base64').replace(/={1,2}$/, '') !== image!.replace(/={1,2}$/, ''))
      fail('user.imageWrong');
    if (sent && (!picture || picture.kind === 'ico' || !isShowable(picture))) fail('user.imageWrong');
    const avatar = picture
      ? `data:${pictureTypes[picture.kind]};base64,${Buffer.from(picture.bytes).toString('base64')}`
      : null;
    await this.set('avatar = $2', [avatar], { bytes: picture?.bytes.length ?? 0 });
    return avatar;
  }

  async enterprise(
    body: RouteInput<typeof editEnterprise>['body'],
  ): Promise<RouteInput<typeof editEnterprise>['body']> {
    const { companyId } = context();
    await currentSql().query(
      `
        insert into enterprise (id, company_id, contact, phone, address, website, updated_at)
        values ($1, $1, $2, $3, $4, $5, now())
        on conflict (id) do update set contact = excluded.contact, phone = excluded.phone,
          address = excluded.address, website = excluded.website, updated_at = now()
      `,
      [companyId, body.contact, body.phone, body.address, body.website],
    );
    auditNote({ objectId: companyId, detail: { after: body } });
    return body;
  }

  private async set(columns: string, values: readonly unknown[], after: Record<string, unknown>): Promise<void> {
    const { userId, username } = context();
    await currentSql().query(
      `update user_account set ${columns}, editor = $${values.length + 2}, updated_at = now() where id = $1`,
      [userId, ...values, username],
    );
    const orgIds = await organizationsOf([userId!]);
    auditNote({ objectId: userId!, objectName: username, orgIds, detail: { after } });
  }
}
