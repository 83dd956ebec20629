import { importRoutes, type ImportFields } from '../define/import.ts';

/** What the list shows in place of a password. */
const passwordWords = [
  { en_US: 'Set', zh_CN: '已设置', ko: '설정됨', pt_BR: 'Definida' },
  { en_US: 'Not set', zh_CN: '未设置', ko: '설정 안 됨', pt_BR: 'Não definida' },
];

/**
 * Columns are those of the list, so that an exported list can be imported again. An exported list has no passwords;
 * importing it keeps the current ones.
 */
export const sipAccountImport = {
  number: {
    title: { en_US: 'User number', zh_CN: '用户号码', ko: '사용자 번호', pt_BR: 'Número do usuário' },
    example: '2001',
    key: true,
  },
  server: {
    title: { en_US: 'SIP server', zh_CN: 'SIP 服务器', ko: 'SIP 서버', pt_BR: 'Servidor SIP' },
    example: 'Example PBX',
    key: true,
  },
  name: {
    title: { en_US: 'Account name', zh_CN: '账号名称', ko: '계정 이름', pt_BR: 'Nome da conta' },
    example: 'Reception',
  },
  displayName: {
    title: { en_US: 'Display name', zh_CN: '显示名称', ko: '표시 이름', pt_BR: 'Nome de exibição' },
    example: 'Front desk',
  },
  site: { title: { en_US: 'Site', zh_CN: '站点', ko: '사이트', pt_BR: 'Local' }, example: 'Example site' },
  authUser: {
    title: { en_US: 'Auth user', zh_CN: '认证用户', ko: '인증 사용자', pt_BR: 'Usuário de autenticação' },
    example: '2001',
  },
  authPassword: {
    title: { en_US: 'Auth password', zh_CN: '认证密码', ko: '인증 비밀번호', pt_BR: 'Senha de autenticação' },
    example: 'Example-Secret-1',
    secret: true,
    saysNothing: passwordWords,
  },
  proxyUser: {
    title: { en_US: 'Proxy user', zh_CN: '代理用户', ko: '프록시 사용자', pt_BR: 'Usuário do proxy' },
    example: '2001',
  },
  proxyPassword: {
    title: { en_US: 'Proxy password', zh_CN: '代理密码', ko: '프록시 비밀번호', pt_BR: 'Senha do proxy' },
    example: 'Example-Secret-2',
    secret: true,
    saysNothing: passwordWords,
  },
  voicemailNumber: {
    title: {
      en_US: 'Voicemail number',
      zh_CN: '语音信箱号码',
      ko: '음성 사서함 번호',
      pt_BR: 'Número do correio de voz',
    },
    example: '*97',
  },
  voicemailPassword: {
    title: {
      en_US: 'Voicemail password',
      zh_CN: '语音信箱密码',
      ko: '음성 사서함 비밀번호',
      pt_BR: 'Senha do correio de voz',
    },
    example: '4711',
    secret: true,
    saysNothing: passwordWords,
  },
} as const satisfies ImportFields;

export const sipAccountImportRoutes = importRoutes({
  name: 'sipAccount',
  place: 'provisioning/import/sipAccount',
  permission: 'importSipAccount',
  title: 'SIP accounts',
});
export const {
  template: getSipAccountImportTemplate,
  add: addSipAccountImport,
  list: listSipAccountImports,
  get: getSipAccountImport,
  rows: listSipAccountImportRows,
  mend: mendSipAccountImportRow,
  file: getSipAccountImportFile,
  commit: commitSipAccountImport,
  undo: undoSipAccountImport,
  remove: deleteSipAccountImport,
} = sipAccountImportRoutes;
