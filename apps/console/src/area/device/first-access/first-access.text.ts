import { defineTexts } from '../../../kit/text/define.ts';

export const firstAccessTexts = defineTexts({
  'firstAccess.title': { en_US: 'First access', zh_CN: '首次接入', ko: '첫 접속', pt_BR: 'Primeiro acesso' },
  'firstAccess.closed': {
    en_US:
      'Closed. A phone that knows only the server and its MAC waits until it is let in. At an address where the company’s phones are known, it need not wait.',
    zh_CN: '已关闭。只知道服务器地址和自身 MAC 的话机需等待允许。若其地址已有本公司的话机，则无需等待。',
    ko: '닫힘. 서버와 자신의 MAC만 아는 전화기는 허용될 때까지 기다립니다. 회사의 전화기가 이미 알려진 주소에서는 기다리지 않습니다.',
    pt_BR:
      'Fechado. Um telefone que só conhece o servidor e seu MAC espera até que o deixem entrar. Em um endereço onde os telefones da empresa são conhecidos, ele não precisa esperar.',
  },
  'firstAccess.letInUntil': {
    en_US: 'Let in until {{when}} from {{network}}: the phone gets the configuration when it asks again.',
    zh_CN: '允许来自 {{network}} 的话机接入至 {{when}}：话机再次请求时将获得配置。',
    ko: '{{network}}에서 {{when}}까지 허용됨: 전화기가 다시 요청하면 설정을 받습니다.',
    pt_BR:
      'Entrada liberada até {{when}} a partir de {{network}}: o telefone recebe a configuração quando pedir de novo.',
  },
  'firstAccess.openUntil': {
    en_US: 'Open until {{when}}: the next phone with this MAC gets the configuration with its passwords.',
    zh_CN: '开放至 {{when}}：下一部使用此 MAC 的话机将获得配置及其密码。',
    ko: '{{when}}까지 열림: 이 MAC을 가진 다음 전화기가 비밀번호를 포함한 설정을 받습니다.',
    pt_BR: 'Aberto até {{when}}: o próximo telefone com este MAC recebe a configuração com suas senhas.',
  },
  'firstAccess.ended': {
    en_US: 'Ended on {{when}}. Open it again after a factory reset of the phone.',
    zh_CN: '已于 {{when}} 结束。话机恢复出厂设置后请重新开放。',
    ko: '{{when}}에 끝났습니다. 전화기를 초기화한 후 다시 여세요.',
    pt_BR: 'Terminou em {{when}}. Abra de novo depois de restaurar o telefone de fábrica.',
  },
  'firstAccess.waits': {
    en_US: 'A phone with this MAC waits. Let it in only when you know where it asks from.',
    zh_CN: '有使用此 MAC 的话机在等待。仅在确认其来源后才允许。',
    ko: '이 MAC을 가진 전화기가 기다립니다. 어디에서 요청하는지 알 때만 허용하세요.',
    pt_BR: 'Um telefone com este MAC espera. Deixe-o entrar só se souber de onde ele pede.',
  },
  'firstAccess.asked': {
    en_US: 'Asked last on {{when}}',
    zh_CN: '上次请求：{{when}}',
    ko: '마지막 요청: {{when}}',
    pt_BR: 'Pediu por último em {{when}}',
  },
  'firstAccess.server': {
    en_US: 'Server for the phone:',
    zh_CN: '话机使用的服务器：',
    ko: '전화기에 입력할 서버:',
    pt_BR: 'Servidor para o telefone:',
  },
  'firstAccess.open': {
    en_US: 'Open for 7 days',
    zh_CN: '开放 7 天',
    ko: '7일간 열기',
    pt_BR: 'Abrir por 7 dias',
  },
  'firstAccess.openOne': {
    en_US: 'Open the first access of {{name}}',
    zh_CN: '开放 {{name}} 的首次接入',
    ko: '{{name}}의 첫 접속 열기',
    pt_BR: 'Abrir o primeiro acesso de {{name}}',
  },
  'firstAccess.openMany': {
    en_US: {
      one: 'Open the first access of {{number}} device',
      other: 'Open the first access of {{number}} devices',
    },
    zh_CN: '开放 {{number}} 台设备的首次接入',
    ko: '장치 {{number}}대의 첫 접속 열기',
    pt_BR: {
      one: 'Abrir o primeiro acesso de {{number}} dispositivo',
      many: 'Abrir o primeiro acesso de {{number}} de dispositivos',
      other: 'Abrir o primeiro acesso de {{number}} dispositivos',
    },
  },
  'firstAccess.openText': {
    en_US:
      'For 7 days, the next phone with the MAC of each device gets its configuration, passwords included, from any address.',
    zh_CN: '在 7 天内，下一部使用设备 MAC 的话机将从任何地址获得其配置，包括密码。',
    ko: '7일 동안 각 장치의 MAC을 가진 다음 전화기가 어떤 주소에서든 비밀번호를 포함한 설정을 받습니다.',
    pt_BR:
      'Por 7 dias, o próximo telefone com o MAC de cada dispositivo recebe a configuração, com as senhas, de qualquer endereço.',
  },
  'firstAccess.close': { en_US: 'End', zh_CN: '结束', ko: '끝내기', pt_BR: 'Encerrar' },
  'firstAccess.letIn': { en_US: 'Let in', zh_CN: '允许', ko: '허용', pt_BR: 'Deixar entrar' },
  'firstAccess.letInFrom': {
    en_US: 'Let in the phone at {{address}}',
    zh_CN: '允许位于 {{address}} 的话机',
    ko: '{{address}}의 전화기 허용',
    pt_BR: 'Deixar entrar o telefone em {{address}}',
  },
  'firstAccess.letInName': {
    en_US: 'Let in {{name}} at {{address}}',
    zh_CN: '允许位于 {{address}} 的 {{name}}',
    ko: '{{address}}의 {{name}} 허용',
    pt_BR: 'Deixar entrar {{name}} em {{address}}',
  },
  'firstAccess.choose': {
    en_US: 'Choose {{name}} at {{address}}',
    zh_CN: '选择位于 {{address}} 的 {{name}}',
    ko: '{{address}}의 {{name}} 선택',
    pt_BR: 'Escolher {{name}} em {{address}}',
  },
  'firstAccess.letInChosen': {
    en_US: 'Let in chosen phones: {{number}}',
    zh_CN: '允许所选话机：{{number}}',
    ko: '선택한 전화기 허용: {{number}}',
    pt_BR: 'Deixar entrar os escolhidos: {{number}}',
  },
  'firstAccess.chooseAll': { en_US: 'Choose all', zh_CN: '全选', ko: '모두 선택', pt_BR: 'Escolher todos' },
  'firstAccess.waiting': {
    en_US: 'Waiting phones',
    zh_CN: '等待中的话机',
    ko: '대기 중인 전화기',
    pt_BR: 'Telefones à espera',
  },
  'firstAccess.text': {
    en_US:
      'These phones know only the server and their MAC. Let in those whose address you know. When one has loaded its configuration, the others at its public address need nobody.',
    zh_CN:
      '这些话机只知道服务器地址和自身 MAC。请只允许您认识其地址的话机。其中一部加载配置后，同一公网地址的其他话机无需再允许。',
    ko: '이 전화기들은 서버와 자신의 MAC만 압니다. 주소를 아는 전화기만 허용하세요. 한 대가 설정을 불러오면 같은 공인 주소의 나머지는 허용이 필요 없습니다.',
    pt_BR:
      'Estes telefones só conhecem o servidor e seu MAC. Deixe entrar aqueles cujo endereço você conhece. Quando um carregar sua configuração, os outros no mesmo endereço público não precisam de ninguém.',
  },
  'firstAccess.none': {
    en_US:
      'No phone waits. Set the server as the provisioning address of a phone whose MAC you have added; it appears here when it asks.',
    zh_CN: '没有等待中的话机。请将服务器设为已添加 MAC 的话机的自动部署地址；话机请求时会显示在此处。',
    ko: '기다리는 전화기가 없습니다. MAC을 추가한 전화기의 프로비저닝 주소로 서버를 설정하면, 요청할 때 여기에 표시됩니다.',
    pt_BR:
      'Nenhum telefone espera. Defina o servidor como endereço de provisionamento de um telefone cujo MAC você adicionou; ele aparece aqui quando pedir.',
  },
  'firstAccess.failed': {
    en_US: 'The waiting phones could not be loaded.',
    zh_CN: '无法加载等待中的话机。',
    ko: '대기 중인 전화기를 불러오지 못했습니다.',
    pt_BR: 'Não foi possível carregar os telefones à espera.',
  },
  'audit.firstAccess.open': {
    en_US: 'Open first access',
    zh_CN: '开放首次接入',
    ko: '첫 접속 열기',
    pt_BR: 'Abrir primeiro acesso',
  },
  'audit.firstAccess.close': {
    en_US: 'End first access',
    zh_CN: '结束首次接入',
    ko: '첫 접속 끝내기',
    pt_BR: 'Encerrar primeiro acesso',
  },
  'audit.firstAccess.letIn': {
    en_US: 'Let phone in',
    zh_CN: '允许话机接入',
    ko: '전화기 허용',
    pt_BR: 'Deixar telefone entrar',
  },
});
