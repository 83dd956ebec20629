import { defineTexts } from '../../../kit/text/define.ts';

export const allocationTexts = defineTexts({
  'menu.allocatedSubChannel': {
    en_US: 'Assign to channel',
    zh_CN: '分配给渠道',
    ko: '채널에 할당',
    pt_BR: 'Atribuir a um canal',
  },
  'channelOrder.allocate': {
    en_US: 'Assign to channel',
    zh_CN: '分配给渠道',
    ko: '채널에 할당',
    pt_BR: 'Atribuir a um canal',
  },
  'channelOrder.allocateMany': {
    en_US: { one: 'Assign {{number}} device', other: 'Assign {{number}} devices' },
    zh_CN: '分配 {{number}} 台设备',
    ko: '장치 {{number}}대 할당',
    pt_BR: {
      one: 'Atribuir {{number}} dispositivo',
      many: 'Atribuir {{number}} de dispositivos',
      other: 'Atribuir {{number}} dispositivos',
    },
  },
  'channelOrder.allocateOne': {
    en_US: 'Assign {{name}} to channel',
    zh_CN: '将 {{name}} 分配给渠道',
    ko: '{{name}}을(를) 채널에 할당',
    pt_BR: 'Atribuir {{name}} a um canal',
  },
  'channelOrder.allocateText': {
    en_US:
      'The channel gets these devices as free stock. You keep a line for each, and can take it back while the channel holds it.',
    zh_CN: '渠道将这些设备作为空闲库存收到。您为每台保留一行，在渠道持有期间可以收回。',
    ko: '채널은 이 장치를 미할당 재고로 받습니다. 각 장치의 항목은 남으며 채널이 보유하는 동안 회수할 수 있습니다.',
    pt_BR:
      'O canal recebe estes dispositivos como estoque livre. Você mantém uma linha de cada um, e pode recuperá-lo enquanto estiver com o canal.',
  },
  'channelOrder.channel': { en_US: 'Channel', zh_CN: '渠道', ko: '채널', pt_BR: 'Canal' },
  'channelOrder.channelMissing': {
    en_US: 'Choose a channel.',
    zh_CN: '请选择渠道。',
    ko: '채널을 선택하세요.',
    pt_BR: 'Escolha um canal.',
  },
  'channelOrder.noChannels': {
    en_US: 'You have no sub-channels yet.',
    zh_CN: '您还没有下级渠道。',
    ko: '아직 하위 채널이 없습니다.',
    pt_BR: 'Você ainda não tem subcanais.',
  },
  'channelOrder.addChannel': {
    en_US: 'Add sub-channel',
    zh_CN: '添加下级渠道',
    ko: '하위 채널 추가',
    pt_BR: 'Adicionar subcanal',
  },
  'channelOrder.which': { en_US: 'Devices', zh_CN: '设备', ko: '장치', pt_BR: 'Dispositivos' },
  'channelOrder.byNumber': { en_US: 'By number', zh_CN: '按数量', ko: '수량으로', pt_BR: 'Por quantidade' },
  'channelOrder.byMac': { en_US: 'By MAC', zh_CN: '按 MAC', ko: 'MAC으로', pt_BR: 'Por MAC' },
  'channelOrder.stock': { en_US: 'From stock', zh_CN: '来自库存', ko: '재고', pt_BR: 'Do estoque' },
  'channelOrder.stockAny': {
    en_US: 'Any model and order',
    zh_CN: '任意型号和订单',
    ko: '모든 모델과 주문',
    pt_BR: 'Qualquer modelo e pedido',
  },
  'channelOrder.stockFree': {
    en_US: '{{name}}: {{number}} free',
    zh_CN: '{{name}}：{{number}} 台空闲',
    ko: '{{name}}: 미할당 {{number}}대',
    pt_BR: '{{name}}: {{number}} livres',
  },
  'channelOrder.number': {
    en_US: 'Number of devices',
    zh_CN: '设备数量',
    ko: '장치 수',
    pt_BR: 'Número de dispositivos',
  },
  'channelOrder.numberMissing': {
    en_US: 'Enter a number from 1 to {{most}}.',
    zh_CN: '请输入 1 到 {{most}} 的数字。',
    ko: '1에서 {{most}} 사이의 숫자를 입력하세요.',
    pt_BR: 'Informe um número de 1 a {{most}}.',
  },
  'channelOrder.macs': {
    en_US: 'MACs, one per line',
    zh_CN: 'MAC，每行一个',
    ko: 'MAC, 한 줄에 하나',
    pt_BR: 'MACs, um por linha',
  },
  'channelOrder.macsMissing': {
    en_US: 'Enter at least one MAC.',
    zh_CN: '请至少输入一个 MAC。',
    ko: 'MAC을 하나 이상 입력하세요.',
    pt_BR: 'Informe ao menos um MAC.',
  },
  'channelOrder.macWrong': {
    en_US: '“{{mac}}” is not a MAC. 12 hex digits are needed, for example 0C:38:3E:55:7E:B1.',
    zh_CN: '“{{mac}}”不是 MAC。需要 12 位十六进制数字，例如 0C:38:3E:55:7E:B1。',
    ko: '“{{mac}}”은(는) MAC이 아닙니다. 16진수 12자리가 필요합니다. 예: 0C:38:3E:55:7E:B1',
    pt_BR: '“{{mac}}” não é um MAC. São necessários 12 dígitos hexadecimais, por exemplo 0C:38:3E:55:7E:B1.',
  },
  'channelOrder.macCount': {
    en_US: { one: '{{number}} MAC', other: '{{number}} MACs' },
    zh_CN: '{{number}} 个 MAC',
    ko: 'MAC {{number}}개',
    pt_BR: { one: '{{number}} MAC', many: '{{number}} de MACs', other: '{{number}} MACs' },
  },
  'channelOrder.chosen': {
    en_US: { one: '{{number}} selected device', other: '{{number}} selected devices' },
    zh_CN: '已选 {{number}} 台设备',
    ko: '선택한 장치 {{number}}대',
    pt_BR: {
      one: '{{number}} dispositivo selecionado',
      many: '{{number}} de dispositivos selecionados',
      other: '{{number}} dispositivos selecionados',
    },
  },
  'channelOrder.noStock': {
    en_US: 'Nothing is free. Import MACs first, or take some back.',
    zh_CN: '没有空闲设备。请先导入 MAC 或收回一些。',
    ko: '미할당 장치가 없습니다. 먼저 MAC을 가져오거나 일부를 회수하세요.',
    pt_BR: 'Nada está livre. Importe MACs primeiro ou recupere alguns.',
  },
  'channelOrder.wasInUse': {
    en_US: 'Devices that were in use',
    zh_CN: '使用过的设备',
    ko: '사용된 장치',
    pt_BR: 'Dispositivos que já foram usados',
  },
  'channelOrder.reset': {
    en_US: 'Reset them to factory settings',
    zh_CN: '恢复出厂设置',
    ko: '공장 초기화',
    pt_BR: 'Restaurar para os padrões de fábrica',
  },
  'channelOrder.resetText': {
    en_US: 'Connected ones at once, the others when they next connect. SIP secrets and door credentials are erased.',
    zh_CN: '已连接的立即重置，其余的在下次连接时重置。SIP 密钥和门禁凭证会被清除。',
    ko: '연결된 장치는 즉시, 나머지는 다음 연결 시 초기화합니다. SIP 비밀번호와 출입 자격 증명이 지워집니다.',
    pt_BR: 'Os conectados na hora, os outros na próxima conexão. As senhas SIP e as credenciais de porta são apagadas.',
  },
  'channelOrder.asTheyAre': {
    en_US: 'Hand them over as they are',
    zh_CN: '按现状交出',
    ko: '그대로 넘기기',
    pt_BR: 'Entregar como estão',
  },
  'channelOrder.asTheyAreText': {
    en_US: 'SIP secrets and door credentials on the phones go along.',
    zh_CN: '话机中的 SIP 密钥和门禁凭证会一并交出。',
    ko: '전화기의 SIP 비밀번호와 출입 자격 증명도 함께 넘어갑니다.',
    pt_BR: 'As senhas SIP e as credenciais de porta nos aparelhos vão junto.',
  },
  'channelOrder.ends': {
    en_US: 'Devices made of them end here: their tasks are canceled and their alarms end.',
    zh_CN: '由其生成的设备在此终止：任务被取消，告警结束。',
    ko: '이로 만든 장치는 여기서 종료됩니다. 작업이 취소되고 알람이 끝납니다.',
    pt_BR: 'Os dispositivos criados a partir deles terminam aqui: as tarefas são canceladas e os alarmes encerrados.',
  },
  'channelOrder.allocateProgress': {
    en_US: '{{done}} of {{total}} assigned',
    zh_CN: '已分配 {{done}} / {{total}}',
    ko: '{{total}}대 중 {{done}}대 할당됨',
    pt_BR: '{{done}} de {{total}} atribuídos',
  },
  'channelOrder.leaves': {
    en_US: {
      one: 'The device leaves your company: its tasks are canceled and its alarms end. The channel gets it as free stock.',
      other:
        'The devices leave your company: their tasks are canceled and their alarms end. The channel gets them as free stock.',
    },
    zh_CN: '设备将离开贵公司：任务被取消，告警结束。渠道将其作为空闲库存收到。',
    ko: '장치가 귀사를 떠납니다. 작업이 취소되고 알람이 끝나며, 채널은 이를 미할당 재고로 받습니다.',
    pt_BR: {
      one: 'O dispositivo sai da sua empresa: as tarefas são canceladas e os alarmes encerrados. O canal o recebe como estoque livre.',
      many: 'Os dispositivos saem da sua empresa: as tarefas são canceladas e os alarmes encerrados. O canal os recebe como estoque livre.',
      other:
        'Os dispositivos saem da sua empresa: as tarefas são canceladas e os alarmes encerrados. O canal os recebe como estoque livre.',
    },
  },
  'channelOrder.takeBack': { en_US: 'Take back', zh_CN: '收回', ko: '회수', pt_BR: 'Recuperar' },
  'channelOrder.takeBackOne': {
    en_US: 'Take {{name}} back',
    zh_CN: '收回 {{name}}',
    ko: '{{name}} 회수',
    pt_BR: 'Recuperar {{name}}',
  },
  'channelOrder.takeBackMany': {
    en_US: { one: 'Take {{number}} device back', other: 'Take {{number}} devices back' },
    zh_CN: '收回 {{number}} 台设备',
    ko: '장치 {{number}}대 회수',
    pt_BR: {
      one: 'Recuperar {{number}} dispositivo',
      many: 'Recuperar {{number}} de dispositivos',
      other: 'Recuperar {{number}} dispositivos',
    },
  },
  'channelOrder.takeBackText': {
    en_US:
      'What you take back is free in your stock again. Devices that the channel made of it end at once. Those that were in use are reset if they can do it: at once while connected, else when they next connect.',
    zh_CN:
      '收回的设备将重新成为您的空闲库存。渠道由其生成的设备立即终止。使用过且支持重置的设备会被重置：已连接的立即重置，否则在下次连接时重置。',
    ko: '회수한 장치는 다시 귀사의 미할당 재고가 됩니다. 채널이 이로 만든 장치는 즉시 종료됩니다. 사용된 장치는 초기화를 지원하면 연결 중일 때 즉시, 아니면 다음 연결 시 초기화됩니다.',
    pt_BR:
      'O que você recupera volta a ficar livre no seu estoque. Os dispositivos que o canal criou disso terminam na hora. Os que já foram usados são restaurados, se puderem: na hora, se conectados, ou na próxima conexão.',
  },
  'right.allocateChannelOrder': {
    en_US: 'Assign devices to channels and take them back',
    zh_CN: '向渠道分配和收回设备',
    ko: '채널에 장치 할당 및 회수',
    pt_BR: 'Atribuir dispositivos a canais e recuperá-los',
  },
  'audit.channelOrder.allocate': {
    en_US: 'Assign devices to channel',
    zh_CN: '向渠道分配设备',
    ko: '채널에 장치 할당',
    pt_BR: 'Atribuir dispositivos a um canal',
  },
  'audit.channelOrder.allocateDevices': {
    en_US: 'Assign devices of the list to channel',
    zh_CN: '将列表中的设备分配给渠道',
    ko: '목록의 장치를 채널에 할당',
    pt_BR: 'Atribuir dispositivos da lista a um canal',
  },
  'audit.channelOrder.reset': {
    en_US: 'Device reset after it changed hands',
    zh_CN: '设备易手后已重置',
    ko: '소유자가 바뀐 장치 초기화',
    pt_BR: 'Dispositivo restaurado após mudar de dono',
  },
  'audit.channelOrder.takeBack': {
    en_US: 'Take devices back from channel',
    zh_CN: '从渠道收回设备',
    ko: '채널에서 장치 회수',
    pt_BR: 'Recuperar dispositivos de um canal',
  },
  'audit.channelOrder.received': {
    en_US: 'Devices received from company above',
    zh_CN: '收到上级公司的设备',
    ko: '상위 회사에서 장치 받음',
    pt_BR: 'Dispositivos recebidos da empresa acima',
  },
  'audit.channelOrder.returned': {
    en_US: 'Devices taken back by company above',
    zh_CN: '设备被上级公司收回',
    ko: '상위 회사가 장치 회수',
    pt_BR: 'Dispositivos recuperados pela empresa acima',
  },
  'audit.channelOrder.lost': {
    en_US: 'MACs claimed by another company with a stronger proof',
    zh_CN: 'MAC 被其他公司凭更有力的证明占用',
    ko: '더 강한 증명을 가진 다른 회사에 MAC 귀속',
    pt_BR: 'MACs reivindicados por outra empresa com prova mais forte',
  },
});
