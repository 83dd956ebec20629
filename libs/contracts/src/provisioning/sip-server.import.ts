import { importRoutes, type ImportFields } from '../define/import.ts';

/** Columns are those of the list, so that an exported list can be imported again. */
export const sipServerImport = {
  name: { title: { en_US: 'Name', zh_CN: '名称', ko: '이름', pt_BR: 'Nome' }, example: 'Example PBX', key: true },
  address: {
    title: { en_US: 'Address', zh_CN: '地址', ko: '주소', pt_BR: 'Endereço' },
    example: 'pbx.example.com',
  },
  port: { title: { en_US: 'Port', zh_CN: '端口', ko: '포트', pt_BR: 'Porta' }, example: '5060' },
  transport: {
    title: { en_US: 'Transport', zh_CN: '传输协议', ko: '전송 프로토콜', pt_BR: 'Transporte' },
    example: 'UDP',
  },
  domain: { title: { en_US: 'Domain', zh_CN: '域', ko: '도메인', pt_BR: 'Domínio' }, example: 'voice.example.com' },
  proxy: {
    title: { en_US: 'Outbound proxy', zh_CN: '出站代理', ko: '아웃바운드 프록시', pt_BR: 'Proxy de saída' },
    example: 'proxy.example.com:5080',
  },
  backup: {
    title: { en_US: 'Backup server', zh_CN: '备用服务器', ko: '예비 서버', pt_BR: 'Servidor reserva' },
    example: 'pbx2.example.com',
  },
} as const satisfies ImportFields;

export const sipServerImportRoutes = importRoutes({
  name: 'sipServer',
  place: 'provisioning/import/sipServer',
  permission: 'importSipServer',
  title: 'SIP servers',
});
export const {
  template: getSipServerImportTemplate,
  add: addSipServerImport,
  list: listSipServerImports,
  get: getSipServerImport,
  rows: listSipServerImportRows,
  mend: mendSipServerImportRow,
  file: getSipServerImportFile,
  commit: commitSipServerImport,
  undo: undoSipServerImport,
  remove: deleteSipServerImport,
} = sipServerImportRoutes;
