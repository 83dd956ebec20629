import { Injectable } from '@nestjs/common';
import { avatarMaximum, type RouteInput, type editEnterprise, type editOwnUser } from '@carillon/contracts';
import { currentSql } from '@carillon/persistence';
import { context } from '@carillon/tenancy';
import { auditNote, fail } from '@carillon/service';
import { accessChanged } from './access.service.ts';

const signatures: readonly [type: string, bytes: readonly number[]][] = [
  ['image/png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ['image/jpeg', [0xff, 0xd8, 0xff]],
];

/** By what is in it, not by what it calls itself: only pictures are ever sent back to a browser. */
export function imageType(bytes: Buffer): string | undefined {
  if (bytes.length === 0 || bytes.length > avatarMaximum) return undefined;
  const type = signatures.find(([, signature]) => signature.every((byte, i) => bytes[i] === byte))?.[0];
  const ends =
    type === 'image/png'
      ? bytes.subarray(-8, -4).toString('latin1') === 'IEND'
      : bytes.subarray(-2).equals(Buffer.from([0xff, 0xd9]));
  return ends ? type : undefined;
}

/** What a person changes of himself on /info (AUTH-16, USER-04). */
@Injectable()
export class ProfileService {
  async timezone(timezoneId: number): Promise<void> {
    await this.set('timezone_id = $2', [timezoneId], { timezoneId });
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

  async avatar(image: string | null): Promise<string | null> {
    const bytes = image === null ? undefined : Buffer.from(image, 'base64');
    const type = bytes && imageType(bytes);
    if (bytes && (!type || bytes.toString('base64').replace(/={1,2}$/, '') !== image!.replace(/={1,2}$/, '')))
      fail('user.imageWrong');
    const avatar = bytes ? `data:${type};base64,${bytes.toString('base64')}` : null;
    await this.set('avatar = $2', [avatar], { bytes: bytes?.length ?? 0 });
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
    auditNote({ objectId: userId!, objectName: username, detail: { after } });
  }
}
