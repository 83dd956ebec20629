import type { ActionTexts } from '../define.ts';

export const resourceUpgradeTexts = {
  name: { en_US: 'Resource upgrade', zh_CN: '资源升级', ko: '리소스 업그레이드', pt_BR: 'Atualizar recursos' },
  effect: {
    en_US:
      'Each device loads the resource file and checks it before it replaces its own of that name. It does not restart.',
    zh_CN: '每台设备将下载并校验资源文件，全部通过后再替换同名资源。设备不会重启。',
    ko: '각 장치가 리소스 파일을 내려받아 확인한 뒤 같은 이름의 기존 리소스를 교체합니다. 다시 시작하지 않습니다.',
    pt_BR:
      'Cada dispositivo baixa e confere o arquivo de recursos antes de substituir o que tem com esse nome. Ele não reinicia.',
  },
  right: {
    en_US: 'Upgrade resources',
    zh_CN: '升级资源',
    ko: '리소스 업그레이드',
    pt_BR: 'Atualizar recursos',
  },
  params: {
    resourceFileId: { en_US: 'Resource file', zh_CN: '资源文件', ko: '리소스 파일', pt_BR: 'Arquivo de recursos' },
  },
  refusals: {
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
    space: {
      en_US: 'It has no room for the file',
      zh_CN: '设备存储空间不足',
      ko: '장치 저장 공간이 부족함',
      pt_BR: 'Não há espaço no dispositivo',
    },
    kindOverHttp: {
      en_US: 'The {model} takes no file of this kind over HTTP',
      zh_CN: '{model} 不支持通过 HTTP 获取此类文件',
      ko: '{model}에서는 HTTP로 이 종류의 파일을 받을 수 없음',
      pt_BR: 'O {model} não aceita arquivo deste tipo por HTTP',
    },
    oneFileOverHttp: {
      en_US: 'Phones over HTTP take resources of one file only',
      zh_CN: '通过 HTTP 的话机仅支持单个文件的资源',
      ko: 'HTTP 전화기는 파일이 하나인 리소스만 받음',
      pt_BR: 'Telefones por HTTP aceitam só recursos de um arquivo',
    },
  },
} satisfies ActionTexts<'resourceFileId', 'download' | 'checksum' | 'space' | 'kindOverHttp' | 'oneFileOverHttp'>;
