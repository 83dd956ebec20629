import { defineTexts } from '../../../kit/text/define.ts';

export const madeDevicesTexts = defineTexts({
  'menu.importToDevice': { en_US: 'Make devices', zh_CN: '生成设备', ko: '장치 만들기', pt_BR: 'Criar dispositivos' },
  'channelOrder.toDevice': { en_US: 'Make devices', zh_CN: '生成设备', ko: '장치 만들기', pt_BR: 'Criar dispositivos' },
  'channelOrder.toDeviceMany': {
    en_US: { one: 'Make {{number}} device', other: 'Make {{number}} devices' },
    zh_CN: '生成 {{number}} 台设备',
    ko: '장치 {{number}}대 만들기',
    pt_BR: {
      one: 'Criar {{number}} dispositivo',
      many: 'Criar {{number}} de dispositivos',
      other: 'Criar {{number}} dispositivos',
    },
  },
  'channelOrder.name': { en_US: 'Name', zh_CN: '名称', ko: '이름', pt_BR: 'Nome' },
  'channelOrder.nameHint': {
    en_US: '{mac} is the MAC, {mac4} its last four digits, {model} the model, {n} a number from 1.',
    zh_CN: '{mac} 为 MAC，{mac4} 为其后四位，{model} 为型号，{n} 为从 1 开始的编号。',
    ko: '{mac}은 MAC, {mac4}는 마지막 네 자리, {model}은 모델, {n}은 1부터의 번호입니다.',
    pt_BR: '{mac} é o MAC, {mac4} os últimos quatro dígitos, {model} o modelo, {n} um número a partir de 1.',
  },
  'channelOrder.nameMissing': {
    en_US: 'Enter a name.',
    zh_CN: '请输入名称。',
    ko: '이름을 입력하세요.',
    pt_BR: 'Informe um nome.',
  },
  'channelOrder.site': { en_US: 'Site', zh_CN: '站点', ko: '사이트', pt_BR: 'Local' },
  'channelOrder.siteNone': { en_US: 'None', zh_CN: '无', ko: '없음', pt_BR: 'Nenhum' },
  'channelOrder.organization': { en_US: 'Organization', zh_CN: '组织', ko: '조직', pt_BR: 'Organização' },
  'channelOrder.made': {
    en_US: { one: '{{number}} device made', other: '{{number}} devices made' },
    zh_CN: '已生成 {{number}} 台设备',
    ko: '장치 {{number}}대 생성됨',
    pt_BR: {
      one: '{{number}} dispositivo criado',
      many: '{{number}} de dispositivos criados',
      other: '{{number}} dispositivos criados',
    },
  },
  'channelOrder.secretsOnce': {
    en_US: 'Download the secrets now. The devices connect with them, and they are never shown again.',
    zh_CN: '请立即下载密钥。设备凭密钥连接，且密钥不会再次显示。',
    ko: '지금 비밀 키를 다운로드하세요. 장치는 이 키로 연결하며, 다시 표시되지 않습니다.',
    pt_BR: 'Baixe os segredos agora. Os dispositivos se conectam com eles, e eles não serão mostrados de novo.',
  },
  'channelOrder.download': {
    en_US: 'Download secrets',
    zh_CN: '下载密钥',
    ko: '비밀 키 다운로드',
    pt_BR: 'Baixar segredos',
  },
  'channelOrder.showDevices': {
    en_US: 'Show devices',
    zh_CN: '显示设备',
    ko: '장치 보기',
    pt_BR: 'Mostrar dispositivos',
  },
  'channelOrder.backToList': { en_US: 'Channel orders', zh_CN: '渠道订单', ko: '채널 주문', pt_BR: 'Pedidos de canal' },
  'right.toDeviceChannelOrder': {
    en_US: 'Make devices of channel orders',
    zh_CN: '由渠道订单生成设备',
    ko: '채널 주문으로 장치 만들기',
    pt_BR: 'Criar dispositivos de pedidos de canal',
  },
  'audit.channelOrder.toDevice': {
    en_US: 'Make devices of channel orders',
    zh_CN: '由渠道订单生成设备',
    ko: '채널 주문으로 장치 만들기',
    pt_BR: 'Criar dispositivos de pedidos de canal',
  },
});
