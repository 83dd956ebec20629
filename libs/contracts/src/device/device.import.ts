import { z } from 'zod';
import { importRoutes, usualHeadings, type ImportFields } from '../define/import.ts';
import { id } from '../define/list.ts';
import { route } from '../define/route.ts';
import { connectAddress } from './device.schemas.ts';

/**
 * Columns are those of the list, so that an exported list can be imported again. An exported list has no secrets;
 * importing it keeps the current ones. A line names the number of its account and the SIP server, `1001@Server`. An empty
 * cell keeps the value, and `-` takes the account from a line, or all tags or groups by hand from a device.
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
  organization: {
    title: { en_US: 'Organization', zh_CN: '组织', ko: '조직', pt_BR: 'Organização' },
    example: 'Example organization',
  },
  /** Groups by hand, and those by rule, which change nothing. Ambiguous names are quoted, as in the exported list. */
  groups: {
    title: { en_US: 'Groups', zh_CN: '设备组', ko: '그룹', pt_BR: 'Grupos' },
    example: 'Example group',
    clears: true,
  },
  tags: { title: { en_US: 'Tags', zh_CN: '标签', ko: '태그', pt_BR: 'Etiquetas' }, example: 'floor: 4', clears: true },
  line1: {
    title: { en_US: 'Line 1', zh_CN: '线路 1', ko: '회선 1', pt_BR: 'Linha 1' },
    example: '1001@Example server',
    clears: true,
  },
  line2: {
    title: { en_US: 'Line 2', zh_CN: '线路 2', ko: '회선 2', pt_BR: 'Linha 2' },
    example: '',
    clears: true,
  },
  line3: {
    title: { en_US: 'Line 3', zh_CN: '线路 3', ko: '회선 3', pt_BR: 'Linha 3' },
    example: '',
    clears: true,
  },
  line4: {
    title: { en_US: 'Line 4', zh_CN: '线路 4', ko: '회선 4', pt_BR: 'Linha 4' },
    example: '',
    clears: true,
  },
  line5: {
    title: { en_US: 'Line 5', zh_CN: '线路 5', ko: '회선 5', pt_BR: 'Linha 5' },
    example: '-',
    clears: true,
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
