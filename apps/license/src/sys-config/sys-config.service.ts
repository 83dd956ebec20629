import { Inject, Injectable } from '@nestjs/common';
import {
  faviconMaximum,
  importTypes,
  licenseConfig as configTopic,
  pictureKeys,
  pictureMaximum,
  publicKeys,
  sameServer,
  type ConfigKey,
  type FcsConfig,
  type MailServerFacts,
  type PictureKey,
  type SysConfigInput,
  type SystemInfo,
} from '@carillon/contracts';
import { isShowable, pictureSide, pictureTypes, readPicture, type PictureKind } from '@carillon/contracts/picture';
import type { ErrorKey } from '@carillon/contracts/errors';
import { emit } from '@carillon/messaging';
import { columns, currentSql, type RowOf } from '@carillon/persistence';
import { context } from '@carillon/tenancy';
import {
  auditNote,
  CONFIG,
  fail,
  failAt,
  Failure,
  found,
  mailPorts,
  mailServerPurpose,
  Outbound,
  seal,
} from '@carillon/service';
import type { LicenseConfig } from '../config.ts';
import { ExternalAppService } from '../external-app/external-app.service.ts';
import { readCertificate } from './certificate.ts';
import { SysConfig } from './sys-config.entity.ts';

const stored = columns(SysConfig, 'c', ['key', 'value', 'bytes', 'sealed', 'version']);
type Row = RowOf<typeof stored>;

const keys: readonly string[] = [
  ...publicKeys,
  'emailServer',
  'fcs',
  'certificates',
  'frameHosts',
  'importCsv',
] satisfies ConfigKey[];
const isPicture = (key: string): key is PictureKey => (pictureKeys as readonly string[]).includes(key);
/** The allowed formats of each picture, its size limit in bytes, and the error for others (SYS-01). */
const pictures: Record<PictureKey, { kinds: readonly PictureKind[]; under: number; wrong: ErrorKey }> = {
  logo: { kinds: ['jpg'], under: pictureMaximum, wrong: 'config.logoWrong' },
  loginImage: { kinds: ['jpg', 'png'], under: pictureMaximum, wrong: 'config.imageWrong' },
  favicon: { kinds: ['ico'], under: faviconMaximum, wrong: 'config.faviconWrong' },
};
const emptyFcs: FcsConfig = { enabled: false, localConfigSync: false, servers: [] };
const address = (key: PictureKey, version: number): string => `/api/f/mc/sysConfig/picture/${key}?v=${version}`;
const wrong = (error: ErrorKey, path = 'value'): never => failAt(path, error);

/** Manages the operator's settings of the installation (SYS-01). */
@Injectable()
export class SysConfigService {
  private readonly outbound: Outbound;

  constructor(
    @Inject(CONFIG) private readonly config: LicenseConfig,
    private readonly apps: ExternalAppService,
  ) {
    this.outbound = new Outbound(config, mailPorts);
  }

  /** Returns a setting. Names and pictures are public; only the operator reads the others. */
  async detail(configKey: string): Promise<{ configKey: string; value: unknown }> {
    if (!keys.includes(configKey)) fail('common.notFound');
    const key = configKey as ConfigKey;
    if (!(publicKeys as readonly string[]).includes(key) && !context().permissions.includes('config'))
      throw new Failure('common.forbidden', { permission: 'config' });
    return { configKey, value: shown(key, (await this.rows([key]))[0]) };
  }

  async info(): Promise<SystemInfo> {
    return infoOf(await this.rows(publicKeys));
  }

  async importTypes(): Promise<string[]> {
    return importTypes((await this.rows(['importCsv']))[0]?.value === true);
  }

  async picture(key: PictureKey): Promise<{ bytes: Buffer; type: string }> {
    const bytes = found((await this.rows([key]))[0]?.bytes);
    const picture = readPicture(bytes);
    // Pictures that were stored before the size limit are not shown.
    if (!picture || !isShowable(picture)) fail('common.notFound');
    return { bytes: Buffer.from(picture.bytes), type: pictureTypes[picture.kind] };
  }

  async save(input: SysConfigInput): Promise<{ configKey: string; value: unknown }> {
    const { configKey: key } = input;
    const before = (await this.rows([key]))[0];
    const { value, bytes, sealed } = this.check(input, before);
    const [row] = await currentSql().rows(
      stored,
      `
        insert into sys_config as c (key, value, bytes, sealed, version, editor, updated_at)
        values ($1, $2::jsonb, $3, $4, 1, $5, now())
        on conflict (key) do update set value = excluded.value, bytes = excluded.bytes, sealed = excluded.sealed,
          version = c.version + 1, editor = excluded.editor, updated_at = now()
        returning ${stored}
      `,
      [key, value === null ? null : JSON.stringify(value), bytes, sealed, context().username],
    );
    const after = shown(key, row);
    auditNote({
      objectId: key,
      objectName: key,
      detail: isPicture(key) ? { bytes: bytes?.length ?? 0 } : { before: shown(key, before), after },
    });
    if (key === 'emailServer' || key === 'certificates') await this.publishMailServer();
    else if (key === 'frameHosts') {
      await emit(configTopic, 'frameHosts', 'frameHosts', input.value, { companyId: null, version: row!.version });
      await this.apps.publishAll();
    } else if (key === 'fcs') await this.publishFcs();
    else if (key === 'importCsv')
      await emit(configTopic, 'importCsv', 'importCsv', input.value, { companyId: null, version: row!.version });
    else if ((publicKeys as readonly string[]).includes(key)) await this.publishPublic();
    return { configKey: key, value: after };
  }

  /** Validates an input by its content and returns its stored form. */
  private check(
    input: SysConfigInput,
    before: Row | undefined,
  ): { value: unknown; bytes: Buffer | null; sealed: string | null } {
    const plain = { value: input.value as unknown, bytes: null, sealed: null };
    if (input.configKey === 'emailServer' && input.value) {
      const { password, ...value } = input.value;
      if (!this.outbound.couldBe(value)) wrong('config.targetRefused', 'value.host');
      const known = before?.value && sameServer(before.value as MailServerFacts, value) ? before.sealed : null;
      const kept =
        password === undefined
          ? known
          : password === null
            ? null
            : seal(this.config.mailKey, mailServerPurpose, password);
      return { ...plain, value, sealed: kept };
    }
    if (input.configKey === 'certificates') {
      const stored = new Set((before?.value ?? []) as string[]);
      const read = input.value.map((pem, i) => readCertificate(pem) ?? wrong('config.certificateWrong', `value.${i}`));
      // A stored certificate that has expired since must not block a new one.
      for (const [i, { pem, validFrom, validTo }] of read.entries())
        if (Date.parse(validTo) < Date.now() && !stored.has(pem))
          failAt(`value.${i}`, 'config.certificateExpired', { from: validFrom, to: validTo });
      if (new Set(read.map((c) => c.fingerprint)).size < read.length) fail('config.certificateTwice');
      return { ...plain, value: read.map((c) => c.pem) };
    }
    if (isPicture(input.configKey) && input.value !== null) {
      const { kinds, under, wrong: error } = pictures[input.configKey];
      const bytes = Buffer.from(input.value as string, 'base64');
      const picture = bytes.length < under ? readPicture(bytes) : undefined;
      if (!picture || !kinds.includes(picture.kind)) return wrong(error);
      const { width, height } = picture;
      if (!isShowable(picture)) failAt('value', 'config.pixelsMany', { width, height, most: pictureSide });
      return { ...plain, value: null, bytes: Buffer.from(picture.bytes) };
    }
    return plain;
  }

  /** Publishes the FCS setting; also called at the start. */
  async publishFcs(): Promise<void> {
    const [row] = await this.rows(['fcs']);
    if (!row) return;
    const { enabled, servers } = row.value as FcsConfig;
    await emit(configTopic, 'fcs', 'fcs', { enabled, servers }, { companyId: null, version: row.version });
  }

  private async publishPublic(): Promise<void> {
    const rows = await this.rows(publicKeys);
    await emit(configTopic, 'public', 'public', infoOf(rows), {
      companyId: null,
      version: rows.reduce((sum, row) => sum + row.version, 0),
    });
  }

  private async publishMailServer(): Promise<void> {
    const rows = new Map((await this.rows(['emailServer', 'certificates'])).map((row) => [row.key, row]));
    const server = rows.get('emailServer');
    const value = (server?.value ?? null) as Omit<MailServerFacts, 'passwordSet'> | null;
    const version = (server?.version ?? 0) + (rows.get('certificates')?.version ?? 0);
    await emit(
      configTopic,
      'mailServer',
      'mailServer',
      value && { ...value, sealed: server!.sealed, authorities: (rows.get('certificates')?.value ?? []) as string[] },
      { companyId: null, version },
    );
  }

  private async rows(wanted: readonly ConfigKey[]): Promise<Row[]> {
    return currentSql().rows(stored, `select ${stored} from sys_config c where c.key = any ($1)`, [wanted]);
  }
}

function infoOf(all: readonly Row[]): SystemInfo {
  const rows = new Map(all.map((row) => [row.key, row]));
  const text = (key: ConfigKey): string | null => (rows.get(key)?.value as string | null | undefined) ?? null;
  const picture = (key: PictureKey): string | null => {
    const row = rows.get(key);
    return row?.bytes ? address(key, row.version) : null;
  };
  return {
    systemName: text('systemName'),
    abbreviatedName: text('abbreviatedName'),
    copyright: text('copyright'),
    logo: picture('logo'),
    loginImage: picture('loginImage'),
    favicon: picture('favicon'),
  };
}

/** Returns a setting in readable form: without passwords, a picture by its URL, a certificate with its contents. */
function shown(key: ConfigKey, row: Row | undefined): unknown {
  if (isPicture(key)) return row?.bytes ? address(key, row.version) : null;
  if (key === 'fcs') return row?.value ?? emptyFcs;
  if (key === 'frameHosts') return row?.value ?? [];
  if (key === 'importCsv') return row?.value ?? false;
  if (key === 'certificates') return ((row?.value ?? []) as string[]).map((pem) => readCertificate(pem)!);
  if (key === 'emailServer') return row?.value ? { ...row.value, passwordSet: row.sealed !== null } : null;
  return row?.value ?? null;
}
