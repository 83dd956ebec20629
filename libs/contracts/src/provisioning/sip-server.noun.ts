import { defineErrors } from '../define/error.ts';
import { defineNoun } from '../define/noun.ts';

export const sipServer = defineNoun({
  name: 'sipServer',
  title: 'SIP servers',
  where: {
    does: 'SIP servers: where lines register, how many accounts each has',
    folders: ['apps/provisioning/src/sip-server', 'apps/console/src/area/sip/sip-server'],
  },
  example: {
    name: 'Example',
    address: 'pbx.example.com',
    port: 5060,
    transport: 'udp',
    domain: '',
    proxyAddress: null,
    proxyPort: null,
    backupAddress: null,
    backupPort: null,
  },
  rights: ['add', 'edit', 'delete', 'import'],
  menu: { langKey: 'menu.sipServers', path: '/account/sip/sipServer', icon: 'server', before: 'ldapAccount' },
});

export const sipServerErrors = defineErrors('sipServer', {
  nameTaken: {
    status: 409,
    en_US: 'A SIP server with this name already exists.',
    zh_CN: '已存在同名的 SIP 服务器。',
    ko: '같은 이름의 SIP 서버가 이미 있습니다.',
    pt_BR: 'Já existe um servidor SIP com este nome.',
    help: ['Another SIP server of the company has this name.', 'Choose another name.'],
  },
  inUse: {
    status: 409,
    en_US:
      'The SIP server is used by {accounts} {accounts|account|accounts} and {devices} {devices|device|devices}. ' +
      'Move or delete these first.',
    zh_CN: '有 {accounts} 个账号和 {devices} 台设备在使用该 SIP 服务器，请先移动或删除。',
    ko: '계정 {accounts}개와 장치 {devices}대가 이 SIP 서버를 사용합니다. 먼저 옮기거나 삭제하세요.',
    pt_BR:
      'O servidor SIP é usado por {accounts} {accounts|conta|contas} e {devices} ' +
      '{devices|dispositivo|dispositivos}. Mova-os ou exclua-os antes.',
    help: [
      'Accounts register with this server, or it was chosen for devices.',
      'Choose another server for these accounts and devices, or delete them.',
    ],
  },
  portWithoutAddress: {
    status: 400,
    en_US: 'A port needs its address.',
    zh_CN: '填写端口时必须填写地址。',
    ko: '포트를 쓰려면 주소가 필요합니다.',
    pt_BR: 'Uma porta precisa do endereço.',
    help: [
      'A port was given for a proxy or a backup server without its address.',
      'Enter the address, or leave both out.',
    ],
  },
  narrowed: {
    status: 403,
    en_US: 'SIP servers belong to the whole company. Only users who see all organizations can change them.',
    zh_CN: 'SIP 服务器属于整个公司：只有可查看全部组织的用户才能更改。',
    ko: 'SIP 서버는 회사 전체에 속합니다. 모든 조직을 볼 수 있는 사용자만 변경할 수 있습니다.',
    pt_BR: 'Os servidores SIP pertencem a toda a empresa. Só quem vê todas as organizações pode alterá-los.',
    help: [
      'The caller sees some organizations only, and accounts of others register with these servers.',
      'Ask someone who sees all organizations.',
    ],
  },
});
