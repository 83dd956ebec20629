import { defineTexts } from '../../../kit/text/define.ts';

export const deviceConfigTexts = defineTexts({
  'deviceConfig.title': { en_US: 'Configuration', zh_CN: '配置', ko: '설정', pt_BR: 'Configuração' },
  'deviceConfig.setting': { en_US: 'Setting', zh_CN: '设置项', ko: '항목', pt_BR: 'Ajuste' },
  'deviceConfig.value': { en_US: 'Value', zh_CN: '值', ko: '값', pt_BR: 'Valor' },
  'deviceConfig.source': { en_US: 'From', zh_CN: '来源', ko: '출처', pt_BR: 'Origem' },
  'deviceConfig.sourceOf': {
    en_US: '{{level}}: {{name}}',
    zh_CN: '{{level}}：{{name}}',
    ko: '{{level}}: {{name}}',
    pt_BR: '{{level}}: {{name}}',
  },
  'deviceConfig.overridden': {
    en_US: '{{name}}: {{value}}, overridden',
    zh_CN: '{{name}}：{{value}}，已被覆盖',
    ko: '{{name}}: {{value}}, 적용되지 않음',
    pt_BR: '{{name}}: {{value}}, substituído',
  },
  'deviceConfig.state.current': {
    en_US: 'Up to date',
    zh_CN: '已是最新',
    ko: '최신 상태',
    pt_BR: 'Em dia',
  },
  'deviceConfig.state.waiting': {
    en_US: 'Not loaded yet',
    zh_CN: '尚未加载',
    ko: '아직 불러오지 않음',
    pt_BR: 'Ainda não carregada',
  },
  'deviceConfig.state.drifted': {
    en_US: 'Drifted: the device doesn’t have this configuration',
    zh_CN: '已偏离：设备没有此配置',
    ko: '이탈: 장치에 이 설정이 없음',
    pt_BR: 'Divergente: o dispositivo não está com esta configuração',
  },
  'deviceConfig.since': {
    en_US: 'Since {{when}}',
    zh_CN: '自 {{when}} 起',
    ko: '{{when}}부터',
    pt_BR: 'Desde {{when}}',
  },
  'deviceConfig.state.other': {
    en_US: 'The device reports another configuration',
    zh_CN: '设备上报的是其他配置',
    ko: '장치가 다른 설정을 보고함',
    pt_BR: 'O dispositivo informa outra configuração',
  },
  'deviceConfig.state.unmade': {
    en_US: 'Not made yet',
    zh_CN: '尚未生成',
    ko: '아직 만들지 않음',
    pt_BR: 'Ainda não foi criada',
  },
  'deviceConfig.changed': {
    en_US: 'Changed {{when}}',
    zh_CN: '更改于 {{when}}',
    ko: '{{when}}에 변경됨',
    pt_BR: 'Alterada em {{when}}',
  },
  'deviceConfig.loaded': {
    en_US: 'Last loaded over HTTP {{when}}',
    zh_CN: '上次通过 HTTP 加载于 {{when}}',
    ko: '마지막으로 HTTP로 불러온 시각: {{when}}',
    pt_BR: 'Carregada por HTTP pela última vez em {{when}}',
  },
  'deviceConfig.neverLoaded': {
    en_US: 'Never loaded over HTTP',
    zh_CN: '从未通过 HTTP 加载',
    ko: 'HTTP로 불러온 적 없음',
    pt_BR: 'Nunca carregada por HTTP',
  },
  'deviceConfig.lines': {
    en_US: {
      one: 'The account of {{number}} line is part of it.',
      other: 'The accounts of {{number}} lines are part of it.',
    },
    zh_CN: '还包含 {{number}} 条线路的账号。',
    ko: '회선 {{number}}개의 계정도 포함됩니다.',
    pt_BR: {
      one: 'A conta de {{number}} linha faz parte dela.',
      many: 'As contas de {{number}} de linhas fazem parte dela.',
      other: 'As contas de {{number}} linhas fazem parte dela.',
    },
  },
  'deviceConfig.emptied': {
    en_US: {
      one: '{{number}} line without an account is switched off.',
      other: '{{number}} lines without an account are switched off.',
    },
    zh_CN: '{{number}} 条没有账号的线路将被禁用。',
    ko: '계정이 없는 회선 {{number}}개는 꺼집니다.',
    pt_BR: {
      one: '{{number}} linha sem conta é desativada.',
      many: '{{number}} de linhas sem conta são desativadas.',
      other: '{{number}} linhas sem conta são desativadas.',
    },
  },
  'deviceConfig.withoutName': {
    en_US: 'The device’s own file format can’t carry: {{names}}.',
    zh_CN: '设备自身的文件格式不支持：{{names}}。',
    ko: '장치의 파일 형식에 넣을 수 없는 항목: {{names}}.',
    pt_BR: 'O formato de arquivo do dispositivo não comporta: {{names}}.',
  },
  'deviceConfig.linesWithoutName': {
    en_US: {
      one: 'The device’s own file format can’t carry the account of line {{lines}}.',
      other: 'The device’s own file format can’t carry the accounts of lines {{lines}}.',
    },
    zh_CN: '设备自身的文件格式不支持线路 {{lines}} 的账号。',
    ko: '장치의 파일 형식에 넣을 수 없는 회선 계정: {{lines}}.',
    pt_BR: {
      one: 'O formato de arquivo do dispositivo não comporta a conta da linha {{lines}}.',
      many: 'O formato de arquivo do dispositivo não comporta as contas das linhas {{lines}}.',
      other: 'O formato de arquivo do dispositivo não comporta as contas das linhas {{lines}}.',
    },
  },
  'deviceConfig.none': {
    en_US: 'No template is for this device, and no line has an account',
    zh_CN: '没有适用于此设备的配置模板，线路也没有账号',
    ko: '이 장치를 위한 설정 템플릿이 없고, 계정이 있는 회선도 없습니다',
    pt_BR: 'Nenhum modelo de configuração vale para este dispositivo, e nenhuma linha tem conta',
  },
  'deviceConfig.noneText': {
    en_US: 'Add a template, for example for all devices or for the {{model}}. Its settings then appear here.',
    zh_CN: '请添加配置模板，例如用于全部设备或 {{model}}，其设置会显示在此处。',
    ko: '템플릿을 추가하세요. 예를 들어 모든 장치용 또는 {{model}}용 템플릿의 설정이 여기에 표시됩니다.',
    pt_BR:
      'Adicione um modelo de configuração, por exemplo para todos os dispositivos ou para o {{model}}. Os ajustes aparecem aqui.',
  },
  'deviceConfig.failed': {
    en_US: 'The configuration could not be loaded.',
    zh_CN: '无法加载配置。',
    ko: '설정을 불러오지 못했습니다.',
    pt_BR: 'Não foi possível carregar a configuração.',
  },
  'deviceConfig.send': {
    en_US: 'Send to this device',
    zh_CN: '下发到此设备',
    ko: '이 장치로 보내기',
    pt_BR: 'Enviar a este dispositivo',
  },
  'deviceConfig.newTemplate': {
    en_US: 'New template from these',
    zh_CN: '以此新建模板',
    ko: '이 설정으로 새 템플릿',
    pt_BR: 'Novo modelo com estes ajustes',
  },
  'deviceConfig.showAddress': {
    en_US: 'Show address',
    zh_CN: '显示地址',
    ko: '주소 보기',
    pt_BR: 'Mostrar endereço',
  },
  'deviceConfig.file': { en_US: 'File', zh_CN: '文件', ko: '파일', pt_BR: 'Arquivo' },
  'deviceConfig.folder': { en_US: 'Folder', zh_CN: '目录', ko: '폴더', pt_BR: 'Pasta' },
  'deviceConfig.secret': {
    en_US:
      'Set the folder as the provisioning server of the phone. Anyone with this address can read the configuration with the passwords of its lines.',
    zh_CN: '请在话机上将目录设为自动部署服务器。任何拥有此地址的人都可以读取配置，包括线路密码。',
    ko: '전화기의 프로비저닝 서버로 폴더를 설정하세요. 이 주소가 있는 누구나 회선 비밀번호를 포함한 설정을 읽을 수 있습니다.',
    pt_BR:
      'Defina a pasta como o servidor de provisionamento do telefone. Quem tiver este endereço pode ler a configuração com as senhas das linhas.',
  },
  'deviceConfig.noSyntax': {
    en_US: 'No file format is known for this model, so it has no file of its own.',
    zh_CN: '此型号没有已知的文件格式，因此没有专用文件。',
    ko: '이 모델의 파일 형식을 알 수 없어 전용 파일이 없습니다.',
    pt_BR: 'Não há formato de arquivo conhecido para este modelo, por isso ele não tem arquivo próprio.',
  },
  'audit.deviceConfig.showAddress': {
    en_US: 'Show configuration address',
    zh_CN: '查看配置地址',
    ko: '설정 주소 보기',
    pt_BR: 'Mostrar endereço da configuração',
  },
});
