import { defineTexts } from '../../../kit/text/define.ts';

export const filePairsTexts = defineTexts({
  'filePairs.file': { en_US: 'File', zh_CN: '文件', ko: '파일', pt_BR: 'Arquivo' },
  'filePairs.remove': {
    en_US: 'Remove row {{number}}',
    zh_CN: '移除第 {{number}} 行',
    ko: '{{number}}번째 행 제거',
    pt_BR: 'Remover linha {{number}}',
  },
  'filePairs.add.model': { en_US: 'Add model', zh_CN: '添加型号', ko: '모델 추가', pt_BR: 'Adicionar modelo' },
  'filePairs.add.site': { en_US: 'Add site', zh_CN: '添加站点', ko: '사이트 추가', pt_BR: 'Adicionar local' },
  'filePairs.add.group': { en_US: 'Add group', zh_CN: '添加分组', ko: '그룹 추가', pt_BR: 'Adicionar grupo' },
  'filePairs.missing.model': {
    en_US: 'Choose a model and a file in each row.',
    zh_CN: '请为每一行选择型号和文件。',
    ko: '각 행에서 모델과 파일을 선택하세요.',
    pt_BR: 'Escolha um modelo e um arquivo em cada linha.',
  },
  'filePairs.missing.site': {
    en_US: 'Choose a site and a file in each row.',
    zh_CN: '请为每一行选择站点和文件。',
    ko: '각 행에서 사이트와 파일을 선택하세요.',
    pt_BR: 'Escolha um local e um arquivo em cada linha.',
  },
  'filePairs.missing.group': {
    en_US: 'Choose a group and a file in each row.',
    zh_CN: '请为每一行选择分组和文件。',
    ko: '각 행에서 그룹과 파일을 선택하세요.',
    pt_BR: 'Escolha um grupo e um arquivo em cada linha.',
  },
  'filePairs.hint.model': {
    en_US: 'Each device gets the file of its model. Other devices are skipped.',
    zh_CN: '每台设备将收到其型号对应的文件，其他设备将被跳过。',
    ko: '각 장치는 자기 모델의 파일을 받습니다. 나머지 장치는 건너뜁니다.',
    pt_BR: 'Cada dispositivo recebe o arquivo do seu modelo. Os demais são ignorados.',
  },
  'filePairs.hint.template': {
    en_US:
      'Each device gets the settings of its templates. The accounts of its lines are part of them. Devices that have neither are skipped.',
    zh_CN: '每台设备将收到其配置模板的设置，其中包含线路的账号。既没有配置模板也没有账号的设备将被跳过。',
    ko: '각 장치는 자기 설정 템플릿의 설정을 받습니다. 회선의 계정도 포함됩니다. 설정 템플릿도 계정도 없는 장치는 건너뜁니다.',
    pt_BR:
      'Cada dispositivo recebe os ajustes dos seus modelos de configuração, com as contas das linhas. Quem não tem nem modelo nem conta é ignorado.',
  },
  'filePairs.hint.site': {
    en_US: 'Each device gets the file of its site, or of the nearest site above it. Other devices are skipped.',
    zh_CN: '每台设备将收到其站点或最近上级站点对应的文件，其他设备将被跳过。',
    ko: '각 장치는 자기 사이트 또는 가장 가까운 상위 사이트의 파일을 받습니다. 나머지 장치는 건너뜁니다.',
    pt_BR: 'Cada dispositivo recebe o arquivo do seu local ou do local superior mais próximo. Os demais são ignorados.',
  },
  'filePairs.hint.group': {
    en_US: 'Each device gets the file of its group. If it is in several, the first in this list applies.',
    zh_CN: '每台设备将收到其分组对应的文件；属于多个分组时，以列表中靠前的分组为准。',
    ko: '각 장치는 자기 그룹의 파일을 받습니다. 여러 그룹에 속하면 목록에서 먼저 나오는 그룹을 따릅니다.',
    pt_BR: 'Cada dispositivo recebe o arquivo do seu grupo. Se estiver em vários, vale o primeiro desta lista.',
  },
});
