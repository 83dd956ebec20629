import { importRoutes, usualHeadings, type ImportFields } from '../define/import.ts';

/** A maker's delivery list: what is printed on the label of each device (docs/adr/0047). */
export const deliveryImport = {
  mac: {
    title: { en_US: 'MAC', zh_CN: 'MAC', ko: 'MAC', pt_BR: 'MAC' },
    aliases: usualHeadings.mac,
    example: '0c:38:3e:00:00:00',
    key: true,
    code: true,
  },
  sn: {
    title: { en_US: 'SN', zh_CN: 'SN', ko: 'SN', pt_BR: 'SN' },
    aliases: usualHeadings.sn,
    example: 'EXAMPLE-0001',
  },
  claimCode: {
    title: { en_US: 'Claim code', zh_CN: '认领码', ko: '클레임 코드', pt_BR: 'Código de reivindicação' },
    aliases: [
      'Claiming code',
      'Device code',
      'Activation code',
      'Label code',
      'Code',
      '激活码',
      '활성화 코드',
      'Código',
    ],
    example: 'EXAMPLE-CODE-0001',
    code: true,
    secret: true,
  },
} as const satisfies ImportFields;

export const deliveryImportRoutes = importRoutes({
  name: 'delivery',
  place: 'device/import/delivery',
  permission: 'importDelivery',
  title: 'delivery lists',
});
export const {
  template: getDeliveryImportTemplate,
  add: addDeliveryImport,
  list: listDeliveryImports,
  get: getDeliveryImport,
  rows: listDeliveryImportRows,
  mend: mendDeliveryImportRow,
  file: getDeliveryImportFile,
  commit: commitDeliveryImport,
  undo: undoDeliveryImport,
  remove: deleteDeliveryImport,
} = deliveryImportRoutes;
