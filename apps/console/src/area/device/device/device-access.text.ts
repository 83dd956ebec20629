import { defineTexts } from '../../../kit/text/define.ts';

export const deviceAccessTexts = defineTexts({
  'deviceAccess.disabled': {
    en_US: 'Disabled: this device can’t connect.',
    zh_CN: '已禁用：此设备无法连接。',
    ko: '사용 중지됨: 이 장치는 연결할 수 없습니다.',
    pt_BR: 'Desativado: este dispositivo não consegue se conectar.',
  },
  'deviceAccess.disableTitle': {
    en_US: 'Disable {{name}}',
    zh_CN: '禁用 {{name}}',
    ko: '{{name}} 사용 중지',
    pt_BR: 'Desativar {{name}}',
  },
  'deviceAccess.disableText': {
    en_US: 'Its connection is closed at once. It can’t connect until it is enabled again.',
    zh_CN: '其连接会立即断开。在重新启用之前无法连接。',
    ko: '연결이 즉시 끊깁니다. 다시 사용하도록 설정할 때까지 연결할 수 없습니다.',
    pt_BR: 'A conexão é encerrada na hora. Ele só volta a se conectar quando alguém o ativar.',
  },
  'deviceAccess.enableTitle': {
    en_US: 'Enable {{name}}',
    zh_CN: '启用 {{name}}',
    ko: '{{name}} 사용',
    pt_BR: 'Ativar {{name}}',
  },
  'deviceAccess.enableText': {
    en_US: 'The device can connect again with the secret that it has.',
    zh_CN: '设备可以使用现有密钥重新连接。',
    ko: '장치가 가지고 있는 비밀 키로 다시 연결할 수 있습니다.',
    pt_BR: 'O dispositivo pode se conectar de novo com o segredo que tem.',
  },
  'deviceAccess.endOld': {
    en_US: 'Revoke the old secret at once',
    zh_CN: '立即吊销旧密钥',
    ko: '이전 비밀 키를 즉시 폐기',
    pt_BR: 'Revogar o segredo antigo na hora',
  },
  'deviceAccess.endOldHint': {
    en_US:
      'Choose this if the secret may have leaked. The device is disconnected until the new secret is entered in it.',
    zh_CN: '适用于可能已泄露的密钥。在设备中输入新密钥之前，设备会断开连接。',
    ko: '비밀 키가 유출되었을 수 있을 때 선택하세요. 새 비밀 키를 입력할 때까지 장치의 연결이 끊깁니다.',
    pt_BR:
      'Escolha isto se o segredo pode ter vazado. O dispositivo fica desconectado até que o novo segredo seja digitado nele.',
  },
});
