import type { ActionTexts } from '../define.ts';

export const firmwareUpgradeTexts = {
  name: { en_US: 'Firmware upgrade', zh_CN: '固件升级', ko: '펌웨어 업그레이드', pt_BR: 'Atualizar firmware' },
  effect: {
    en_US: 'Each device loads the file, checks it and restarts with it. Devices in a call restart when it ends.',
    zh_CN: '每台设备将下载并校验文件，然后以新固件重启。通话中的设备会在通话结束后重启。',
    ko: '각 장치가 파일을 내려받아 확인한 뒤 다시 시작합니다. 통화 중인 장치는 통화가 끝나면 다시 시작합니다.',
    pt_BR:
      'Cada dispositivo baixa o arquivo, confere e reinicia com ele. Dispositivos em chamada reiniciam quando ela termina.',
  },
  right: {
    en_US: 'Upgrade firmware',
    zh_CN: '升级固件',
    ko: '펌웨어 업그레이드',
    pt_BR: 'Atualizar firmware',
  },
  params: {
    firmwareId: { en_US: 'Firmware', zh_CN: '固件', ko: '펌웨어', pt_BR: 'Firmware' },
    differential: {
      en_US: 'Use a differential package where one fits',
      zh_CN: '有匹配的差分包时使用差分包',
      ko: '맞는 차분 패키지가 있으면 사용',
      pt_BR: 'Usar pacote diferencial quando houver um adequado',
    },
    downgrade: {
      en_US: 'Also devices with a newer version',
      zh_CN: '包括版本更新的设备',
      ko: '더 새 버전의 장치도 포함',
      pt_BR: 'Também dispositivos com versão mais nova',
    },
    whenIdle: {
      en_US: 'Wait for calls to end',
      zh_CN: '等待通话结束',
      ko: '통화가 끝날 때까지 대기',
      pt_BR: 'Aguardar o fim das chamadas',
    },
  },
  refusals: {
    otherModel: {
      en_US: 'The firmware is not for the {model}',
      zh_CN: '该固件不适用于 {model}',
      ko: '{model}용 펌웨어가 아님',
      pt_BR: 'O firmware não é para o {model}',
    },
    sameVersion: {
      en_US: 'It has {version} already',
      zh_CN: '已是 {version} 版本',
      ko: '이미 {version} 버전임',
      pt_BR: 'Já tem a versão {version}',
    },
    newerVersion: {
      en_US: 'It has the newer version {version}',
      zh_CN: '已是更新的版本 {version}',
      ko: '더 새 버전 {version} 사용 중',
      pt_BR: 'Tem a versão mais nova {version}',
    },
    tooOld: {
      en_US: 'It needs {least} first',
      zh_CN: '须先升级到 {least}',
      ko: '먼저 {least} 버전이 필요함',
      pt_BR: 'Precisa antes da versão {least}',
    },
    incomparable: {
      en_US: 'Its firmware version can’t be compared',
      zh_CN: '无法比较固件版本',
      ko: '펌웨어 버전을 비교할 수 없음',
      pt_BR: 'A versão do firmware não pode ser comparada',
    },
    damaged: {
      en_US: 'The stored firmware is not the one that was uploaded',
      zh_CN: '存储的固件与上传的固件不一致',
      ko: '저장된 펌웨어가 업로드된 것과 다름',
      pt_BR: 'O firmware armazenado não é o que foi enviado',
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
    signature: {
      en_US: 'The file’s signature is not trusted',
      zh_CN: '文件签名不受信任',
      ko: '파일 서명을 신뢰할 수 없음',
      pt_BR: 'A assinatura do arquivo não é confiável',
    },
    otherVersion: {
      en_US: 'It came back with another version',
      zh_CN: '重启后版本不符',
      ko: '다시 시작했지만 버전이 다름',
      pt_BR: 'Voltou com outra versão',
    },
  },
} satisfies ActionTexts<
  'firmwareId' | 'differential' | 'downgrade' | 'whenIdle',
  | 'otherModel'
  | 'sameVersion'
  | 'newerVersion'
  | 'tooOld'
  | 'incomparable'
  | 'damaged'
  | 'download'
  | 'checksum'
  | 'signature'
  | 'otherVersion'
>;
