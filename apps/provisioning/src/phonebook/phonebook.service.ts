import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import {
  fillPath,
  getPhonebook,
  phonebookFiles,
  type getPhonebookLinks,
  type listPhonebookDevices,
  type PhonebookFile,
  type RouteReturn,
} from '@carillon/contracts';
import {
  alphabetic,
  anyContains,
  columnNames,
  columns,
  companySession,
  containsPattern,
  currentEntities,
  currentSql,
  Database,
  platform,
  transaction,
} from '@carillon/persistence';
import { auditNote, CONFIG, fail, found } from '@carillon/service';
import { context, uuidBytes, uuidText } from '@carillon/tenancy';
import type { ProvisioningConfig } from '../config.ts';
import { LdapAccount } from '../ldap-account/ldap-account.entity.ts';
import { DeviceCopy } from '../sip-account/sip-account.entity.ts';
import { dialedNumber } from './dialed-number.ts';
import { PhonebookLink } from './phonebook.entity.ts';
import { phonebookForms } from './phonebook.forms.ts';

type Links = RouteReturn<typeof getPhonebookLinks>;
interface Owner {
  id: string;
  companyId: string;
  version: number;
}

const offered = 50;
/** More than any phone can hold. */
const mostEntries = 20_000;
const device = columns(DeviceCopy, 'd', ['id', 'name', 'mac']);
const deviceColumn = columnNames(DeviceCopy, 'd');
const owner = columns(PhonebookLink, 'l', ['id', 'companyId', 'version']);
const account = columnNames(LdapAccount, 'a');
const entry = columns(LdapAccount, 'a', ['name', 'number']);

/** Serves LDAP accounts as a phonebook for phones (ACC-05). */
@Injectable()
export class PhonebookService {
  private readonly key: Buffer;

  constructor(
    private readonly database: Database,
    @Inject(CONFIG) { dataKey }: ProvisioningConfig,
  ) {
    this.key = Buffer.from(hkdfSync('sha256', dataKey, '', 'carillon phonebook links', 32));
  }

  async devices(search: string): Promise<RouteReturn<typeof listPhonebookDevices>> {
    const mac = search.replaceAll(/[^0-9a-f]/gi, '').toLowerCase();
    return currentSql().rows(
      device,
      `
        select ${device}
        from device_copy d
        where ${anyContains([deviceColumn.name], '$1')} or ($2 <> '' and ${deviceColumn.mac} like $3)
        order by ${alphabetic(deviceColumn.name)}, d.id
        limit ${offered}
      `,
      [containsPattern(search), mac, `%${mac}%`],
    );
  }

  async links(id: string): Promise<Links> {
    await this.seen(id);
    return this.linksOf(id);
  }

  async renew(id: string): Promise<Links> {
    await this.seen(id);
    await currentSql().query(
      `
        insert into phonebook_link as l (id, company_id, version)
        values ($1, $2, 1)
        on conflict (id) do update set version = abs(l.version) + 1, loaded_at = null
      `,
      [id, context().companyId],
    );
    return this.linksOf(id);
  }

  /** Withdraws a link. Keeps its version, so that a later link differs from the former one. */
  async withdraw(id: string): Promise<Links> {
    await this.seen(id);
    await currentSql().query(
      'update phonebook_link set version = -version, loaded_at = null where id = $1 and version > 0',
      [id],
    );
    return this.linksOf(id);
  }

  /** Returns the phonebook for a phone. A phone has no session: the token alone identifies its company. */
  async load(token: string, file: string, search: string | undefined): Promise<string> {
    const name = phonebookFiles.find((known) => known === file);
    const whose = name && (await this.owner(token));
    if (!name || !whose) return fail('common.notFound');
    return transaction(this.database, companySession(whose.companyId), async () => {
      await currentSql().query(
        `
          update phonebook_link
          set loaded_at = now()
          where id = $1 and (loaded_at is null or loaded_at < now() - interval '1 hour')
        `,
        [whose.id],
      );
      const like = search ? containsPattern(search) : null;
      const entries = await currentSql().rows(
        entry,
        `
          select ${entry}
          from ldap_account a
          where
            ${account.number} <> ''
            and ($1::text is null or ${anyContains([account.name, account.number], '$1')})
          order by ${alphabetic(account.name)}, a.id
          limit ${mostEntries}
        `,
        [like],
      );
      const dialed = entries.flatMap((one) => {
        const number = dialedNumber(one.number);
        return number === undefined ? [] : [{ name: one.name, number }];
      });
      return phonebookForms[name]('Phonebook', dialed);
    });
  }

  /** Fails when the user does not see the device; another company's device is treated as not found. */
  private async seen(id: string): Promise<void> {
    const [row] = await currentSql().rows(device, `select ${device} from device_copy d where d.id = $1`, [id]);
    auditNote({ objectId: id, objectName: found(row).name });
  }

  private async linksOf(id: string): Promise<Links> {
    const link = await currentEntities().findOne(PhonebookLink, id);
    if (!link || link.version < 1) return { links: null, loadedAt: null, leftOut: 0 };
    const token = this.tokenOf({ id, companyId: context().companyId, version: link.version });
    return {
      links: Object.fromEntries(
        phonebookFiles.map((file) => [file, fillPath(getPhonebook.path, { token, file })]),
      ) as Record<PhonebookFile, string>,
      loadedAt: link.loadedAt,
      leftOut: await this.leftOut(),
    };
  }

  /** Returns how many entries are left out because their number cannot be dialed. */
  private async leftOut(): Promise<number> {
    const entries = await currentSql().rows(
      entry,
      `select ${entry} from ldap_account a where ${account.number} <> '' limit ${mostEntries}`,
    );
    return entries.filter(({ number }) => dialedNumber(number) === undefined).length;
  }

  /** Returns the token, derived from the device, its company and the version with a separate key. */
  private tokenOf({ id, companyId, version }: Owner): string {
    const mark = createHmac('sha256', this.key).update(`${companyId} ${id} ${version}`).digest().subarray(0, 24);
    return Buffer.concat([uuidBytes(id), mark]).toString('base64url');
  }

  /**
   * Returns the owner of a token. The device must be enabled, and in the company for which the link was made. The
   * company must be open.
   */
  private async owner(token: string): Promise<Owner | undefined> {
    const bytes = Buffer.from(token, 'base64url');
    if (bytes.length !== 40) return undefined;
    const id = uuidText(bytes.subarray(0, 16));
    const [found] = await platform(this.database, 'whose phonebook a link opens', () =>
      currentSql().rows(
        owner,
        `
          select ${owner}
          from phonebook_link l
          join device_copy d on d.id = l.id and d.company_id = l.company_id and d.enabled
          where l.id = $1 and l.version > 0
            and not exists (select 1 from company_copy c where c.id = l.company_id and not c.open)
        `,
        [id],
      ),
    );
    if (!found) return undefined;
    return timingSafeEqual(Buffer.from(this.tokenOf(found), 'base64url'), bytes) ? found : undefined;
  }
}
