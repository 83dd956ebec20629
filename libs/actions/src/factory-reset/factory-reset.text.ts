import type { ActionTexts } from '../define.ts';

export const factoryResetTexts = {
  name: {
    en_US: 'Factory reset',
    zh_CN: '恢复出厂设置',
    ko: '공장 초기화',
    pt_BR: 'Redefinir',
  },
  effect: {
    en_US:
      'Each device loses its configuration and its SIP accounts and restarts. Devices in a call are reset when it ends.',
    zh_CN: '每台设备将丢失其配置和 SIP 账号并重启。通话中的设备会在通话结束后重置。',
    ko: '각 장치의 구성과 SIP 계정이 지워지고 다시 시작됩니다. 통화 중인 장치는 통화가 끝나면 초기화됩니다.',
    pt_BR:
      'Cada dispositivo perde a configuração e as contas SIP e reinicia. Dispositivos em chamada são restaurados quando ela termina.',
  },
  right: {
    en_US: 'Reset devices to factory settings',
    zh_CN: '将设备恢复出厂设置',
    ko: '장치 공장 초기화',
    pt_BR: 'Restaurar dispositivos para o padrão de fábrica',
  },
  params: {
    whenIdle: {
      en_US: 'Wait for calls to end',
      zh_CN: '等待通话结束',
      ko: '통화가 끝날 때까지 대기',
      pt_BR: 'Aguardar o fim das chamadas',
    },
  },
  refusals: {},
} satisfies ActionTexts<'whenIdle', never>;
