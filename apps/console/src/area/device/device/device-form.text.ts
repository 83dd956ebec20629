import { defineTexts } from '../../../kit/text/define.ts';

export const deviceFormTexts = defineTexts({
  'menu.editDevice': { en_US: 'Edit device', zh_CN: '编辑设备', ko: '장치 편집', pt_BR: 'Editar dispositivo' },
  'deviceForm.configFailed': {
    en_US: 'The last configuration failed',
    zh_CN: '上次配置失败',
    ko: '마지막 설정 실패',
    pt_BR: 'A última configuração falhou',
  },
  'deviceForm.editOne': {
    en_US: 'Edit {{name}}',
    zh_CN: '编辑 {{name}}',
    ko: '{{name}} 편집',
    pt_BR: 'Editar {{name}}',
  },
  'deviceForm.modelSearch': {
    en_US: 'Search models',
    zh_CN: '搜索型号',
    ko: '모델 검색',
    pt_BR: 'Buscar modelos',
  },
  'deviceForm.modelHint': {
    en_US: 'With Auto, the device tells its model when it first connects.',
    zh_CN: '选择“自动”时，设备首次连接时会报告其型号。',
    ko: '자동을 선택하면 장치가 처음 연결할 때 모델을 알립니다.',
    pt_BR: 'Com Auto, o dispositivo informa o modelo na primeira conexão.',
  },
  'deviceForm.auto': {
    en_US: 'Auto · {{series}}',
    zh_CN: '自动 · {{series}}',
    ko: '자동 · {{series}}',
    pt_BR: 'Auto · {{series}}',
  },
  'deviceForm.otherModels': {
    en_US: 'Other models',
    zh_CN: '其他型号',
    ko: '기타 모델',
    pt_BR: 'Outros modelos',
  },
  'deviceForm.noModel': {
    en_US: 'No model matches. Add it to the models first.',
    zh_CN: '没有匹配的型号。请先将其添加到型号列表。',
    ko: '일치하는 모델이 없습니다. 먼저 모델 목록에 추가하세요.',
    pt_BR: 'Nenhum modelo corresponde. Adicione-o primeiro aos modelos.',
  },
  'deviceForm.noSite': {
    en_US: 'No site yet. Add one under Sites first.',
    zh_CN: '还没有站点。请先在“站点”中添加。',
    ko: '사이트가 없습니다. 먼저 사이트에서 추가하세요.',
    pt_BR: 'Ainda não há locais. Adicione um primeiro em Locais.',
  },
  'deviceForm.noServer': {
    en_US: 'No SIP server yet. Add one under SIP servers first.',
    zh_CN: '还没有 SIP 服务器。请先在“SIP 服务器”中添加。',
    ko: 'SIP 서버가 없습니다. 먼저 SIP 서버에서 추가하세요.',
    pt_BR: 'Ainda não há servidores SIP. Adicione um primeiro em Servidores SIP.',
  },
  'deviceForm.siteMissing': {
    en_US: 'Choose a site',
    zh_CN: '请选择站点',
    ko: '사이트를 선택하세요',
    pt_BR: 'Escolha um local',
  },
  'deviceForm.serverMissing': {
    en_US: 'Choose a SIP server',
    zh_CN: '请选择 SIP 服务器',
    ko: 'SIP 서버를 선택하세요',
    pt_BR: 'Escolha um servidor SIP',
  },
  'deviceForm.linesHint': {
    en_US: 'Optional. Only accounts of the chosen SIP server.',
    zh_CN: '可选。仅限所选 SIP 服务器的账号。',
    ko: '선택 사항입니다. 선택한 SIP 서버의 계정만 표시됩니다.',
    pt_BR: 'Opcional. Só contas do servidor SIP escolhido.',
  },
  'deviceForm.line': {
    en_US: 'Line {{line}}',
    zh_CN: '线路 {{line}}',
    ko: '회선 {{line}}',
    pt_BR: 'Linha {{line}}',
  },
  'deviceForm.noAccount': {
    en_US: 'No account',
    zh_CN: '无账号',
    ko: '계정 없음',
    pt_BR: 'Sem conta',
  },
  'deviceForm.accountOnDevices': {
    en_US: {
      one: 'Already on another line. A call can ring at both.',
      other: 'Already on {{count}} other lines. A call can ring at each of them.',
    },
    zh_CN: '已用于其他 {{count}} 条线路，来电可能在每条线路上响铃。',
    ko: '이미 다른 회선 {{count}}개에 있습니다. 각 회선에서 벨이 울릴 수 있습니다.',
    pt_BR: {
      one: 'Já está em outra linha. A chamada pode tocar nas duas.',
      many: 'Já está em outras {{count}} linhas. A chamada pode tocar em cada uma.',
      other: 'Já está em outras {{count}} linhas. A chamada pode tocar em cada uma.',
    },
  },
  'deviceForm.also': {
    en_US: 'Accounts of this device are also on {{others}}. A call can ring at each of them.',
    zh_CN: '{{others}} 也使用此设备的账号，来电可能在每台设备上响铃。',
    ko: '이 장치의 계정이 {{others}}에도 있습니다. 각 장치에서 벨이 울릴 수 있습니다.',
    pt_BR: 'Contas deste dispositivo também estão em {{others}}. A chamada pode tocar em cada um.',
  },
  'deviceForm.address': {
    en_US: 'Server address',
    zh_CN: '服务器地址',
    ko: '서버 주소',
    pt_BR: 'Endereço do servidor',
  },
  'deviceForm.noAddress': {
    en_US: 'Not set for this installation',
    zh_CN: '此系统尚未设置',
    ko: '이 시스템에 설정되지 않음',
    pt_BR: 'Não definido nesta instalação',
  },
  'deviceForm.qr': {
    en_US: 'QR code with server address, username and secret',
    zh_CN: '包含服务器地址、用户名和密钥的二维码',
    ko: '서버 주소, 사용자 이름, 비밀 키가 담긴 QR 코드',
    pt_BR: 'Código QR com endereço do servidor, nome de usuário e segredo',
  },
  'deviceForm.replaceOne': {
    en_US: 'Replace {{name}}',
    zh_CN: '替换 {{name}}',
    ko: '{{name}} 교체',
    pt_BR: 'Substituir {{name}}',
  },
  'deviceForm.replaceText': {
    en_US:
      'The new device takes over name, model, lines, site, organization, groups, tags and configuration version. {{mac}} ends at once and can’t be restored. Its log is kept.',
    zh_CN:
      '新设备将接管名称、型号、线路、站点、组织、设备组、标签和配置版本。{{mac}} 会立即移除且无法恢复，其日志会保留。',
    ko: '새 장치가 이름, 모델, 회선, 사이트, 조직, 그룹, 태그, 구성 버전을 이어받습니다. {{mac}}은(는) 즉시 종료되며 복원할 수 없습니다. 로그는 유지됩니다.',
    pt_BR:
      'O novo dispositivo assume nome, modelo, linhas, local, organização, grupos, etiquetas e versão da configuração. {{mac}} é encerrado na hora e não pode ser restaurado. O registro dele é mantido.',
  },
  'deviceForm.newMac': {
    en_US: 'MAC of the new device',
    zh_CN: '新设备的 MAC',
    ko: '새 장치의 MAC',
    pt_BR: 'MAC do novo dispositivo',
  },
  'deviceForm.newSn': {
    en_US: 'Serial number of the new device',
    zh_CN: '新设备的序列号',
    ko: '새 장치의 일련번호',
    pt_BR: 'Número de série do novo dispositivo',
  },
  'deviceForm.replaced': {
    en_US: '{{name}} replaced',
    zh_CN: '{{name}} 已替换',
    ko: '{{name}} 교체됨',
    pt_BR: '{{name}} substituído',
  },
  'deviceForm.openNew': {
    en_US: 'Open new device',
    zh_CN: '打开新设备',
    ko: '새 장치 열기',
    pt_BR: 'Abrir novo dispositivo',
  },
  'deviceForm.before': {
    en_US: 'Before the replacement: {{mac}}',
    zh_CN: '替换之前：{{mac}}',
    ko: '교체 전: {{mac}}',
    pt_BR: 'Antes da substituição: {{mac}}',
  },
});
