import type { ActionTexts } from '../define.ts';

export const configUpdateTexts = {
  name: { en_US: 'Push configuration', zh_CN: '下发配置', ko: '설정 전송', pt_BR: 'Enviar configuração' },
  effect: {
    en_US: 'Each device loads the configuration file, checks it and applies it. It does not restart by itself.',
    zh_CN: '每台设备将下载并校验配置文件，然后应用。设备不会自动重启。',
    ko: '각 장치가 설정 파일을 내려받아 확인한 뒤 적용합니다. 스스로 다시 시작하지 않습니다.',
    pt_BR: 'Cada dispositivo baixa o arquivo de configuração, confere e aplica. Ele não reinicia sozinho.',
  },
  right: {
    en_US: 'Push configuration',
    zh_CN: '下发配置',
    ko: '설정 전송',
    pt_BR: 'Enviar configuração',
  },
  params: {
    by: { en_US: 'Which file', zh_CN: '文件分配', ko: '파일 지정', pt_BR: 'Qual arquivo' },
    configFileId: {
      en_US: 'Configuration file',
      zh_CN: '配置文件',
      ko: '설정 파일',
      pt_BR: 'Arquivo de configuração',
    },
    pairs: {
      en_US: 'Configuration files',
      zh_CN: '配置文件',
      ko: '설정 파일',
      pt_BR: 'Arquivos de configuração',
    },
    mode: { en_US: 'Existing settings', zh_CN: '现有设置', ko: '기존 설정', pt_BR: 'Ajustes atuais' },
    whenIdle: {
      en_US: 'Wait for calls to end',
      zh_CN: '等待通话结束',
      ko: '통화가 끝날 때까지 대기',
      pt_BR: 'Aguardar o fim das chamadas',
    },
  },
  choices: {
    by: {
      file: {
        en_US: 'One file for all devices',
        zh_CN: '所有设备使用同一文件',
        ko: '모든 장치에 같은 파일',
        pt_BR: 'Um arquivo para todos',
      },
      model: { en_US: 'By model', zh_CN: '按型号', ko: '모델별', pt_BR: 'Por modelo' },
      site: { en_US: 'By site', zh_CN: '按站点', ko: '사이트별', pt_BR: 'Por local' },
      group: { en_US: 'By group', zh_CN: '按分组', ko: '그룹별', pt_BR: 'Por grupo' },
      template: {
        en_US: 'Each device’s settings from the templates',
        zh_CN: '各设备由模板生成的设置',
        ko: '템플릿에 따른 장치별 설정',
        pt_BR: 'Os ajustes de cada um pelos modelos',
      },
    },
    mode: {
      merge: {
        en_US: 'Keep settings that are not in the file',
        zh_CN: '保留文件中未包含的设置',
        ko: '파일에 없는 설정은 유지',
        pt_BR: 'Manter os que não estão no arquivo',
      },
      replace: {
        en_US: 'Remove settings that are not in the file',
        zh_CN: '删除文件中未包含的设置',
        ko: '파일에 없는 설정은 삭제',
        pt_BR: 'Remover os que não estão no arquivo',
      },
    },
  },
  refusals: {
    noFile: {
      en_US: 'No file for it',
      zh_CN: '没有适用的文件',
      ko: '해당하는 파일이 없음',
      pt_BR: 'Nenhum arquivo para ele',
    },
    noFileForModel: {
      en_US: 'No file for its model, {model}',
      zh_CN: '没有适用于其型号 {model} 的文件',
      ko: '모델 {model}에 지정된 파일이 없음',
      pt_BR: 'Nenhum arquivo para o modelo {model}',
    },
    noFileForSite: {
      en_US: 'No file for its site',
      zh_CN: '没有适用于其站点的文件',
      ko: '사이트에 지정된 파일이 없음',
      pt_BR: 'Nenhum arquivo para o local dele',
    },
    noFileForGroup: {
      en_US: 'No file for its groups',
      zh_CN: '没有适用于其设备组的文件',
      ko: '장치 그룹에 지정된 파일이 없음',
      pt_BR: 'Nenhum arquivo para os grupos dele',
    },
    noTemplate: {
      en_US: 'It has no configuration from a template or an account',
      zh_CN: '没有由配置模板或账号生成的配置',
      ko: '설정 템플릿이나 계정으로 만든 설정이 없음',
      pt_BR: 'Nenhuma configuração para ele: sem modelo de configuração e sem conta',
    },
    templatesOnly: {
      en_US: 'A phone over HTTP loads its configuration from templates only',
      zh_CN: '通过 HTTP 管理的话机只能加载由模板生成的配置',
      ko: 'HTTP로 관리되는 전화기는 템플릿으로 만든 설정만 불러옴',
      pt_BR: 'Um telefone por HTTP só carrega a configuração dos modelos',
    },
    otherModel: {
      en_US: 'The file is not for the {model}',
      zh_CN: '该文件不适用于 {model}',
      ko: '{model}용 파일이 아님',
      pt_BR: 'O arquivo não é para o {model}',
    },
    download: {
      en_US: 'The file could not be loaded',
      zh_CN: '文件下载失败',
      ko: '파일을 내려받지 못함',
      pt_BR: 'O arquivo não pôde ser baixado',
    },
    checksum: {
      en_US: 'The file was damaged on its way',
      zh_CN: '文件校验不一致',
      ko: '파일이 전송 중에 손상됨',
      pt_BR: 'O arquivo chegou danificado',
    },
    syntax: {
      en_US: 'The device can’t read the file',
      zh_CN: '设备无法读取该文件',
      ko: '장치가 파일을 읽지 못함',
      pt_BR: 'O dispositivo não consegue ler o arquivo',
    },
  },
} satisfies ActionTexts<
  'by' | 'configFileId' | 'pairs' | 'mode' | 'whenIdle',
  | 'noFile'
  | 'noFileForModel'
  | 'noFileForSite'
  | 'noFileForGroup'
  | 'noTemplate'
  | 'templatesOnly'
  | 'otherModel'
  | 'download'
  | 'checksum'
  | 'syntax'
>;
