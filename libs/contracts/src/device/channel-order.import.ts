import { importRoutes, usualHeadings, type ImportFields } from '../define/import.ts';

/** Columns are those of the list, so that an exported list can be imported again. */
export const channelOrderImport = {
  mac: {
    title: { en_US: 'MAC', zh_CN: 'MAC', ko: 'MAC', pt_BR: 'MAC' },
    aliases: usualHeadings.mac,
    example: '0c:38:3e:00:00:00',
    key: true,
    code: true,
  },
  model: {
    title: { en_US: 'Model', zh_CN: '型号', ko: '모델', pt_BR: 'Modelo' },
    aliases: usualHeadings.model,
    example: 'X7A',
  },
  order: {
    title: { en_US: 'Order', zh_CN: '订单', ko: '주문', pt_BR: 'Pedido' },
    aliases: [
      'Order no',
      'Order number',
      'PO',
      'PO number',
      'Purchase order',
      '订单号',
      '주문 번호',
      'Número do pedido',
    ],
    example: 'PO-2026-0001',
  },
} as const satisfies ImportFields;

export const channelOrderImportRoutes = importRoutes({
  name: 'channelOrder',
  place: 'device/import/channelOrder',
  permission: 'importChannelOrder',
  title: 'channel orders',
});
export const {
  template: getChannelOrderImportTemplate,
  add: addChannelOrderImport,
  list: listChannelOrderImports,
  get: getChannelOrderImport,
  rows: listChannelOrderImportRows,
  mend: mendChannelOrderImportRow,
  file: getChannelOrderImportFile,
  commit: commitChannelOrderImport,
  undo: undoChannelOrderImport,
  remove: deleteChannelOrderImport,
} = channelOrderImportRoutes;
