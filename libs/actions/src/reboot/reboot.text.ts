import type { ActionTexts } from '../define.ts';

export const rebootTexts = {
  name: { en_US: 'Reboot', zh_CN: '重启', ko: '재부팅', pt_BR: 'Reiniciar' },
  effect: {
    en_US: 'Each device goes offline for about a minute. Devices in a call reboot when it ends.',
    zh_CN: '每台设备将离线约一分钟。通话中的设备会在通话结束后重启。',
    ko: '각 장치가 약 1분 동안 오프라인이 됩니다. 통화 중인 장치는 통화가 끝나면 재부팅합니다.',
    pt_BR:
      'Cada dispositivo fica offline por cerca de um minuto. Dispositivos em chamada reiniciam quando ela termina.',
  },
  right: { en_US: 'Reboot devices', zh_CN: '重启设备', ko: '장치 재부팅', pt_BR: 'Reiniciar dispositivos' },
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
