import { LockMode } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { RouteInput, RouteReturn, SettingValues, uploadMacFiles } from '@carillon/contracts';
import { macText, passwordKeys, phoneKeyNames, rawSettingNames, settingKeys } from '@carillon/contracts';
import { errorText } from '@carillon/contracts/errors';
import { currentEntities, uuidv7 } from '@carillon/persistence';
import { auditNote, emitLive, unlessTaken } from '@carillon/service';
import { can, context } from '@carillon/tenancy';
import { configureConcerned } from '../device-config/config-due.ts';
import { isSame } from '../device-config/effective.ts';
import { DeviceCopy } from '../sip-account/sip-account.entity.ts';
import { ConfigTemplate } from './config-template.entity.ts';
import { holdTargets, seeAll } from './config-template.service.ts';
import { keepFormer, keepVersions } from './config-template.version.ts';
import { macOfFile, readMacFile, type MacFileRefusal } from './mac-file.ts';

type Upload = RouteInput<typeof uploadMacFiles>['body'];
type Result = RouteReturn<typeof uploadMacFiles>['results'][number];
interface Accepted {
  name: string;
  device: { id: string; name: string; mac: string };
  values: SettingValues;
}
type Read = Accepted | (MacFileRefusal & { name: string });

/** Most files that an entry of the operation log names. */
const mostLogged = 100;
const isAccepted = (file: Read): file is Accepted => 'values' in file;

/** Takes the settings of single devices from text files that are named by MAC (CFG-02). */
@Injectable()
export class MacFileService {
  async upload({ files }: Upload): Promise<RouteReturn<typeof uploadMacFiles>> {
    seeAll();
    await holdTargets();
    const all = await readAll(files);
    const own = await ownTemplates(all.filter(isAccepted).map(({ device }) => device.id));
    const read = await withoutTaken(
      all.map((file) =>
        unlessForbidden(
          isAccepted(file) ? { ...file, values: withKeysOf(file.values, own.get(file.device.id)) } : file,
          own,
        ),
      ),
      own,
    );
    const changed = await store(read.filter(isAccepted), own);
    const results = read.map((file): Result => (isAccepted(file) ? acceptedAs(file, changed) : refusedAs(file)));
    const names = read.filter((file) => isAccepted(file) && changed.has(file.device.id)).map(({ name }) => name);
    auditNote({
      objectName: names.join(', ').slice(0, 256),
      detail: {
        count: names.length,
        refused: results.filter(({ error }) => error !== null).length,
        files: names.slice(0, mostLogged),
      },
    });
    return { results };
  }
}

/** Reads each file and finds its device. */
async function readAll(files: Upload['files']): Promise<Read[]> {
  const macs = files.flatMap(({ name }) => macOfFile(name) ?? []);
  const devices = await currentEntities().find(DeviceCopy, { mac: { $in: macs } }, { fields: ['name', 'mac'] });
  const byMac = new Map(devices.map((device) => [device.mac, device]));
  const first = new Map<string, string>();
  return files.map(({ name, text }): Read => {
    const mac = macOfFile(name);
    if (mac === undefined) return { name, error: 'macFile.name' };
    const other = first.get(mac);
    if (other !== undefined) return { name, error: 'macFile.twice', details: { name: other } };
    first.set(mac, name);
    const device = byMac.get(mac);
    if (device === undefined) return { name, error: 'macFile.device' };
    const content = readMacFile(text);
    return 'values' in content ? { name, device, values: content.values } : { name, ...content };
  });
}

type OwnTemplates = ReadonlyMap<string | null, ConfigTemplate>;
/** Locks and returns the own template of each device that has one, by the device's id. */
async function ownTemplates(ids: readonly string[]): Promise<OwnTemplates> {
  const where = { level: 'device' as const, target: { $in: [...ids] } };
  const found = await currentEntities().find(ConfigTemplate, where, { lockMode: LockMode.PESSIMISTIC_WRITE });
  return new Map(found.map((template) => [template.target, template]));
}

/** Refuses a file that would edit a template, for users who may only add some. */
function unlessForbidden(file: Read, own: OwnTemplates): Read {
  const permission = 'editConfigTemplate';
  const template = isAccepted(file) ? own.get(file.device.id) : undefined;
  return template === undefined || isSame(template.values, (file as Accepted).values) || can(permission)
    ? file
    : { name: file.name, error: 'common.forbidden', details: { permission } };
}

/** Refuses the files whose new template would have the name of another one; names differ in more than case. */
async function withoutTaken(read: readonly Read[], own: OwnTemplates): Promise<Read[]> {
  const isNew = (file: Read): file is Accepted => isAccepted(file) && !own.has(file.device.id);
  const names = read.filter(isNew).map(({ device }) => macText(device.mac));
  const either = [...names, ...names.map((name) => name.toLowerCase())];
  const found = await currentEntities().find(ConfigTemplate, { name: { $in: either } }, { fields: ['name'] });
  const taken = new Set(found.map(({ name }) => name.toUpperCase()));
  return read.map((file) =>
    isNew(file) && taken.has(macText(file.device.mac)) ? { name: file.name, error: 'configTemplate.nameTaken' } : file,
  );
}

/**
 * Returns what the own template of a device has after its file: the file replaces the settings of the catalogue, and no
 * password, key or raw setting.
 */
const withKeysOf = (values: SettingValues, own: ConfigTemplate | undefined): SettingValues => {
  const kept = own?.values ?? {};
  const passwords = passwordKeys.filter((key) => kept[key] !== undefined);
  const names = [...passwords, ...phoneKeyNames(kept), ...rawSettingNames(kept)];
  return { ...values, ...Object.fromEntries(names.map((name) => [name, kept[name]])) };
};

/** Stores the values as the devices' own templates. Returns the ids of the devices whose values are others now. */
async function store(files: readonly Accepted[], own: OwnTemplates): Promise<Set<string>> {
  const { companyId } = context();
  const other = files.filter(({ device, values }) => !isSame(own.get(device.id)?.values ?? {}, values));
  if (other.length === 0) return new Set();
  await keepFormer(other.flatMap(({ device }) => own.get(device.id)?.id ?? []));
  const made = other.map(({ name, device, values }) => {
    const template = own.get(device.id);
    if (template) {
      currentEntities().assign(template, { values, version: template.version + 1 }, { mergeObjectProperties: false });
      return { template, reason: name };
    }
    const target = { level: 'device' as const, target: device.id };
    const row = { id: uuidv7(), companyId, name: macText(device.mac), description: '', ...target, values, version: 1 };
    currentEntities().create(ConfigTemplate, row);
    return { template: row, reason: name };
  });
  await unlessTaken(currentEntities().flush(), 'config_template_name', 'name', 'configTemplate.nameTaken');
  await keepVersions(made);
  const ids = other.map(({ device }) => device.id);
  await configureConcerned(companyId, 'device', ids);
  await emitLive(
    companyId,
    'configTemplate',
    made.map(({ template }) => template.id),
    null,
  );
  return new Set(ids);
}

const acceptedAs = ({ name, device, values }: Accepted, changed: ReadonlySet<string>): Result => ({
  name,
  deviceId: device.id,
  deviceName: device.name,
  settings: settingKeys.filter((key) => values[key] !== undefined).length,
  isChanged: changed.has(device.id),
  error: null,
  msg: null,
});
const refusedAs = ({ name, error, details }: MacFileRefusal & { name: string }): Result => ({
  name,
  deviceId: null,
  deviceName: null,
  settings: 0,
  isChanged: false,
  error,
  msg: errorText(error, context().language, details ?? {}),
});
