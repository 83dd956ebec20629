import { defineTexts } from '../../kit/text/define.ts';

export const setupTexts = defineTexts({
  'setup.title': { en_US: 'Finish setting up', zh_CN: '完成设置', ko: '설정 마치기', pt_BR: 'Conclua a configuração' },
  'setup.done': {
    en_US: '{{done}} of {{all}} done',
    zh_CN: '已完成 {{done}}/{{all}}',
    ko: '{{all}}개 중 {{done}}개 완료',
    pt_BR: '{{done}} de {{all}} concluídos',
  },
  'setup.organization': {
    en_US: 'Add organizations',
    zh_CN: '添加组织',
    ko: '조직 추가',
    pt_BR: 'Adicionar organizações',
  },
  'setup.site': { en_US: 'Add sites', zh_CN: '添加站点', ko: '사이트 추가', pt_BR: 'Adicionar locais' },
  'setup.user': { en_US: 'Add users', zh_CN: '添加用户', ko: '사용자 추가', pt_BR: 'Adicionar usuários' },
  'setup.mail': {
    en_US: 'Set up the email server',
    zh_CN: '设置邮件服务器',
    ko: '이메일 서버 설정',
    pt_BR: 'Configurar o servidor de e-mail',
  },
  'setup.device': {
    en_US: 'Add the first device',
    zh_CN: '添加首台设备',
    ko: '첫 장치 추가',
    pt_BR: 'Adicionar o primeiro dispositivo',
  },
  'setup.stock': {
    en_US: { one: '{{number}} device is in your stock', other: '{{number}} devices are in your stock' },
    zh_CN: '您的库存中有 {{number}} 台设备',
    ko: '재고에 장치 {{number}}대가 있습니다',
    pt_BR: {
      one: '{{number}} dispositivo está no seu estoque',
      many: '{{number}} de dispositivos estão no seu estoque',
      other: '{{number}} dispositivos estão no seu estoque',
    },
  },
  'setup.stockText': {
    en_US: 'They came in as channel orders. Make devices of them, and each gets the secret that it connects with.',
    zh_CN: '它们随渠道订单到货。生成设备后，每台设备都会得到用于连接的密钥。',
    ko: '채널 주문으로 들어왔습니다. 장치로 만들면 각 장치가 연결에 쓸 비밀 키를 받습니다.',
    pt_BR:
      'Eles chegaram como pedidos de canal. Crie dispositivos deles, e cada um recebe o segredo com que se conecta.',
  },
  'setup.partnerText': {
    en_US: 'Import the MACs that you ordered and assign them to your customers, or add a device of your own.',
    zh_CN: '导入您订购的 MAC 并分配给客户，或添加自己的设备。',
    ko: '주문한 MAC을 가져와 고객에게 할당하거나, 자체 장치를 추가하세요.',
    pt_BR: 'Importe os MACs que você pediu e atribua-os aos seus clientes, ou adicione um dispositivo próprio.',
  },
  'setup.organizations': {
    en_US: { one: '{{number}} organization', other: '{{number}} organizations' },
    zh_CN: '{{number}} 个组织',
    ko: '조직 {{number}}개',
    pt_BR: { one: '{{number}} organização', many: '{{number}} organizações', other: '{{number}} organizações' },
  },
  'setup.sites': {
    en_US: { one: '{{number}} site', other: '{{number}} sites' },
    zh_CN: '{{number}} 个站点',
    ko: '사이트 {{number}}개',
    pt_BR: { one: '{{number}} local', many: '{{number}} locais', other: '{{number}} locais' },
  },
  'setup.users': {
    en_US: { one: '{{number}} user', other: '{{number}} users' },
    zh_CN: '{{number}} 个用户',
    ko: '사용자 {{number}}명',
    pt_BR: { one: '{{number}} usuário', many: '{{number}} usuários', other: '{{number}} usuários' },
  },
  'setup.onlyYou': {
    en_US: 'Only you so far',
    zh_CN: '目前只有您',
    ko: '아직 본인만 있음',
    pt_BR: 'Só você até agora',
  },
  'setup.devices': {
    en_US: { one: '{{number}} device', other: '{{number}} devices' },
    zh_CN: '{{number}} 台设备',
    ko: '장치 {{number}}대',
    pt_BR: { one: '{{number}} dispositivo', many: '{{number}} dispositivos', other: '{{number}} dispositivos' },
  },
  'setup.none': { en_US: 'None yet', zh_CN: '暂无', ko: '아직 없음', pt_BR: 'Nenhum ainda' },
  'setup.mail.passed': { en_US: 'Tested', zh_CN: '已测试', ko: '테스트됨', pt_BR: 'Testado' },
  'setup.mail.untested': {
    en_US: 'Not tested yet',
    zh_CN: '尚未测试',
    ko: '아직 테스트 안 됨',
    pt_BR: 'Ainda não testado',
  },
  'setup.mail.failed': {
    en_US: 'The last test failed',
    zh_CN: '上次测试失败',
    ko: '마지막 테스트 실패',
    pt_BR: 'O último teste falhou',
  },
  'setup.mail.missing': {
    en_US: 'Not set up: no emails',
    zh_CN: '未设置，无法发送邮件',
    ko: '설정 안 됨: 이메일 없음',
    pt_BR: 'Não configurado: sem e-mails',
  },
  'setup.hide': {
    en_US: 'Hide “Finish setting up”',
    zh_CN: '隐藏“完成设置”',
    ko: '‘설정 마치기’ 숨기기',
    pt_BR: 'Ocultar “Conclua a configuração”',
  },
  'setup.hidden': {
    en_US: '“Finish setting up” hidden',
    zh_CN: '已隐藏“完成设置”',
    ko: '‘설정 마치기’를 숨겼습니다',
    pt_BR: '“Conclua a configuração” ocultado',
  },
  'setup.back': {
    en_US: '“Finish setting up” restored',
    zh_CN: '已恢复“完成设置”',
    ko: '‘설정 마치기’를 다시 표시합니다',
    pt_BR: '“Conclua a configuração” voltou',
  },
});
