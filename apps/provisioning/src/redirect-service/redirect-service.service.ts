import { LockMode } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import {
  message,
  type addRedirectService,
  type editRedirectService,
  type getDeviceRedirect,
  type listRedirectServices,
  type RedirectKindName,
  type retryRedirects,
  type RouteInput,
  type RouteReturn,
  type testRedirectService,
} from '@carillon/contracts';
import { redirectKinds } from '@carillon/contracts/redirect';
import { emitMany } from '@carillon/messaging';
import { columns, currentEntities, currentSql, Database, sessionOf, transaction, uuidv7 } from '@carillon/persistence';
import {
  auditNote,
  CompanySecrets,
  emitAudit,
  emitLive,
  fail,
  failAt,
  Failure,
  found,
  outboundTests,
  unlessTaken,
} from '@carillon/service';
import { context, seesAll } from '@carillon/tenancy';
import { PhoneOrigin } from '../phone-port/phone-origin.ts';
import { DeviceCopy } from '../sip-account/sip-account.entity.ts';
import { RedirectClient, redirectMakers } from './redirect-client.ts';
import { registerAgain } from './redirect-device.queries.ts';
import { holdRedirects, registerAll, wakeRedirects } from './redirect-follow.ts';
import { RedirectFault } from './redirect-maker.ts';
import { RedirectDevice, RedirectService, secretPlace } from './redirect-service.entity.ts';
import { redirectOfDevice, redirectServices, type RedirectServiceRecord } from './redirect-service.queries.ts';

type Given = RouteInput<typeof addRedirectService>['body'];
const noticed = columns(RedirectDevice, 'r', ['noticeId']);
const retried = columns(RedirectDevice, 'r', ['deviceId', 'orgId']);
const seen = columns(DeviceCopy, 'd', ['id', 'name', 'orgId']);

/** Fails for users who do not see all organizations, because an account is for the devices of all. */
function checkSeesAll(): void {
  if (!seesAll()) fail('redirectService.narrowed');
}
/** Returns an account for the operation log: without its secret. */
const audited = ({ address, userName, enabled }: Pick<RedirectService, 'address' | 'userName' | 'enabled'>) => ({
  address,
  userName,
  enabled,
});

/** Manages a company's accounts at makers' redirect services (EDGE-09). */
@Injectable()
export class RedirectServices {
  constructor(
    private readonly secrets: CompanySecrets,
    private readonly client: RedirectClient,
    private readonly origin: PhoneOrigin,
    private readonly database: Database,
  ) {}

  async list(): Promise<RouteReturn<typeof listRedirectServices>> {
    return { server: this.origin.reachable(), services: await redirectServices() };
  }

  async get(id: string): Promise<RedirectServiceRecord> {
    return found((await redirectServices(id))[0]);
  }

  async add({ kind, enabled, secret, ...given }: Given): Promise<RedirectServiceRecord> {
    checkSeesAll();
    const address = this.checked(kind, given.address);
    this.checkServer(enabled);
    if (secret === undefined) return failAt('secret', 'redirectService.secretEmpty');
    const { companyId } = context();
    const id = uuidv7();
    const { maker, label } = redirectKinds[kind];
    await holdRedirects(companyId, 'alone');
    const fields = { address, userName: given.userName, enabled };
    currentEntities().create(RedirectService, {
      id,
      companyId,
      kind,
      maker,
      ...fields,
      secret: await this.secrets.seal(secretPlace(id), secret),
      failingSince: null,
      failure: null,
      failureValues: {},
      tries: 0,
      retryAt: null,
      version: 1,
    });
    await unlessTaken(currentEntities().flush(), 'redirect_service_maker', 'kind', 'redirectService.makerTaken');
    await registerAll(id);
    auditNote({ objectId: id, objectName: label, detail: { before: null, after: audited(fields) } });
    await emitLive(companyId, 'redirectService', [id], null);
    return this.get(id);
  }

  async edit({
    id,
    enabled,
    secret,
    ...given
  }: RouteInput<typeof editRedirectService>['body']): Promise<RedirectServiceRecord> {
    checkSeesAll();
    const service = found(
      await currentEntities().findOne(RedirectService, id, { lockMode: LockMode.PESSIMISTIC_WRITE }),
    );
    const address = this.checked(service.kind, given.address);
    this.checkServer(enabled);
    const before = audited(service);
    const isOther = service.address !== address || service.userName !== given.userName;
    if (secret === undefined && isOther) failAt('secret', 'redirectService.secretEmpty');
    const fields = { address, userName: given.userName, enabled };
    currentEntities().assign(service, {
      ...fields,
      ...(secret === undefined ? {} : { secret: await this.secrets.seal(secretPlace(id), secret) }),
      version: service.version + 1,
    });
    await currentEntities().flush();
    if (isOther) await registerAgain(id);
    await this.resume(id);
    auditNote({
      objectId: id,
      objectName: redirectKinds[service.kind].label,
      detail: { before, after: audited(fields), ...(secret === undefined ? {} : { passwords: ['secret'] }) },
    });
    await emitLive(service.companyId, 'redirectService', [id], null);
    return this.get(id);
  }

  async delete(id: string): Promise<null> {
    checkSeesAll();
    const service = found(await currentEntities().findOne(RedirectService, id));
    const { companyId, kind } = service;
    auditNote({
      objectId: id,
      objectName: redirectKinds[kind].label,
      detail: { before: audited(service), after: null },
    });
    await holdRedirects(companyId, 'alone');
    const gone = await currentSql().rows(
      noticed,
      `delete from redirect_device r where r.service_id = $1 returning ${noticed}`,
      [id],
    );
    await currentSql().query('delete from redirect_service where id = $1', [id]);
    await emitMany(
      message,
      'ended',
      gone.flatMap(({ noticeId }) => (noticeId ? [{ key: companyId, companyId, data: { id: noticeId } }] : [])),
    );
    await emitLive(companyId, 'redirectService', [id], null);
    return null;
  }

  /** Signs in with an account. No transaction is open while the service is asked. */
  test(body: RouteInput<typeof testRedirectService>['body']): Promise<null> {
    checkSeesAll();
    const address = this.checked(body.kind, body.address);
    return outboundTests.run(() => this.tryAccount({ ...body, address }));
  }

  private async tryAccount({
    id,
    kind,
    address,
    userName,
    secret: given,
  }: RouteInput<typeof testRedirectService>['body']): Promise<null> {
    const session = sessionOf(context());
    const secret = given ?? (await transaction(this.database, session, () => this.stored(id, address, userName)));
    if (secret === undefined) return failAt('secret', 'redirectService.secretEmpty');
    const logResult = (result: string) =>
      transaction(this.database, session, () =>
        emitAudit('redirectService.test', result, {
          ...(id === undefined ? {} : { objectId: id }),
          objectName: redirectKinds[kind].label,
          detail: { address },
        }),
      );
    try {
      await redirectMakers[kind].check(this.client.session({ address: new URL(address), userName, secret }));
    } catch (error) {
      const failure = error instanceof RedirectFault ? new Failure(error.key, error.values) : error;
      await logResult(failure instanceof Failure ? failure.key : 'common.unknown');
      throw failure;
    }
    await logResult('success');
    return null;
  }

  /** Returns the stored secret if it is for this service and user. */
  private async stored(id: string | undefined, address: string, userName: string): Promise<string | undefined> {
    if (id === undefined) return undefined;
    const service = found(await currentEntities().findOne(RedirectService, id));
    return service.address === address && service.userName === userName
      ? this.secrets.open(secretPlace(id), service.secret)
      : undefined;
  }

  ofDevice(id: string): Promise<RouteReturn<typeof getDeviceRedirect>> {
    return redirectOfDevice(id);
  }

  /** Has failed devices tried now, of a service or the given ones, and their services asked again. */
  async retry(body: RouteInput<typeof retryRedirects>['body']): Promise<{ count: number }> {
    const services = 'id' in body ? [await this.ownService(body.id)] : await this.servicesOf(body.deviceIds);
    if (services.some(({ enabled }) => !enabled)) fail('redirectService.off');
    const serviceIds = services.map(({ id }) => id);
    const rows = await currentSql().rows(
      retried,
      `
        update redirect_device r
        set tries = 0, next_at = now()
        where r.service_id = any($1::uuid[]) and r.state = 'failed'
          ${'id' in body ? '' : 'and r.device_id = any($2::uuid[])'}
        returning ${retried}
      `,
      'id' in body ? [serviceIds] : [serviceIds, body.deviceIds],
    );
    auditNote({ detail: { count: rows.length } });
    for (const id of serviceIds) await this.resume(id);
    const { companyId } = context();
    await emitLive(companyId, 'redirectService', serviceIds, null);
    await emitLive(
      companyId,
      'device',
      rows.map(({ deviceId }) => deviceId),
      rows.map(({ orgId }) => orgId),
    );
    return { count: rows.length };
  }

  private async ownService(id: string): Promise<RedirectService> {
    const service = found(await currentEntities().findOne(RedirectService, id));
    auditNote({ objectId: id, objectName: redirectKinds[service.kind].label });
    return service;
  }

  /** Returns the services of devices, all of which the user must see. */
  private async servicesOf(deviceIds: readonly string[]): Promise<RedirectService[]> {
    const devices = await currentSql().rows(
      seen,
      `select ${seen} from device_copy d where d.id = any($1::uuid[]) order by d.id`,
      [deviceIds],
    );
    if (devices.length < new Set(deviceIds).size) fail('common.notFound');
    auditNote({
      ...(devices.length === 1 ? { objectId: devices[0]!.id } : {}),
      objectName: devices
        .map(({ name }) => name)
        .join(', ')
        .slice(0, 256),
      orgIds: devices.map(({ orgId }) => orgId),
    });
    const { rows } = await currentSql().query<{ id: string }>(
      'select distinct service_id as id from redirect_device where device_id = any($1::uuid[])',
      [deviceIds],
    );
    return currentEntities().findAll(RedirectService, { where: { id: { $in: rows.map(({ id }) => id) } } });
  }

  /** Has a failing service asked again now. */
  private async resume(id: string): Promise<void> {
    await currentSql().query(
      'update redirect_service set retry_at = now(), tries = 0 where id = $1 and failing_since is not null',
      [id],
    );
    wakeRedirects();
  }

  private checkServer(enabled: boolean): void {
    if (enabled && this.origin.reachable() === null) fail('redirectService.serverUnknown');
  }

  /** Returns an address in its canonical spelling, or fails when it is none or may not be reached. */
  private checked(kind: RedirectKindName, text: string): string {
    const url = URL.parse(text);
    const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
    if (!url || !isWeb || url.username + url.password + url.search + url.hash !== '')
      return failAt('address', 'redirectService.addressWrong', { example: redirectKinds[kind].address });
    const refusal = this.client.refusal(url);
    if (refusal) failAt('address', refusal);
    return url.href;
  }
}
