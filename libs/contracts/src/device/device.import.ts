import { z } from 'zod';
import { importRoutes, usualHeadings, type ImportFields } from '../define/import.ts';
import { id } from '../define/list.ts';
import { route } from '../define/route.ts';
import { connectAddress } from './device.schemas.ts';

/**
 * Columns are those of the list, so that an exported list can be imported again. An exported list has no secrets;
 * importing it keeps the current ones.
 */
export const deviceImport = {
  mac: {
    title: { en_US: 'MAC', zh_CN: 'MAC', ko: 'MAC', pt_BR: 'MAC' },
    aliases: usualHeadings.mac,
    example: '0c:38:3e:00:00:00',
    key: true,
    code: true,
  },
  name: { title: { en_US: 'Name', zh_CN: '名称', ko: '이름', pt_BR: 'Nome' }, example: 'Example phone' },
  model: {
    title: { en_US: 'Model', zh_CN: '型号', ko: '모델', pt_BR: 'Modelo' },
    aliases: usualHeadings.model,
    example: 'X7A',
  },
  sn: {
    title: { en_US: 'SN', zh_CN: 'SN', ko: 'SN', pt_BR: 'SN' },
    aliases: usualHeadings.sn,
    example: 'EXAMPLE-0001',
  },
  site: { title: { en_US: 'Site', zh_CN: '站点', ko: '사이트', pt_BR: 'Local' }, example: 'Example site' },
  sipServer: {
    title: { en_US: 'SIP server', zh_CN: 'SIP 服务器', ko: 'SIP 서버', pt_BR: 'Servidor SIP' },
    example: 'Example server',
  },
  /** A device without a secret is given one on its page. */
  secret: {
    title: { en_US: 'Secret', zh_CN: '密钥', ko: '비밀 키', pt_BR: 'Segredo' },
    example: 'ExampleSecret-ExampleSecret-Example',
    secret: true,
  },
} as const satisfies ImportFields;

export const deviceImportRoutes = importRoutes({
  name: 'device',
  place: 'device/import/device',
  permission: 'importDevice',
  title: 'devices',
});
export const {
  template: getDeviceImportTemplate,
  add: addDeviceImport,
  list: listDeviceImports,
  get: getDeviceImport,
  rows: listDeviceImportRows,
  mend: mendDeviceImportRow,
  file: getDeviceImportFile,
  commit: commitDeviceImport,
  undo: undoDeviceImport,
  remove: deleteDeviceImport,
} = deviceImportRoutes;

/** The last row that a sheet can have. */
const lastRow = 1_048_576;

/**
 * Gives the devices that an import added without a secret new ones, as long as they have not connected, and returns
 * them: only this response contains them. After a repeated call the last two secrets work. A call covers some devices:
 * `after` is the `next` of the call before, which is null when none was left.
 */
export const renewImportSecrets = route({
  method: 'POST',
  path: '/api/f/device/import/device/{id}/secret',
  summary: 'New secrets for the devices of an import that have none yet',
  permission: 'renewDeviceSecret',
  audit: 'device.renewSecret',
  params: z.object({ id }),
  body: z.strictObject({ after: z.number().int().min(0).max(lastRow).optional() }),
  response: z.object({
    devices: z.array(z.object({ id, mac: z.string(), name: z.string(), model: z.string(), secret: z.string() })),
    next: z.number().int().nullable(),
    address: connectAddress,
  }),
  errors: ['common.notFound'],
});
