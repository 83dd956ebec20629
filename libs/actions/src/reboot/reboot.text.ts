import type { ActionTexts } from '../define.ts';

export const rebootTexts = {
  name: { en_US: 'Reboot', zh_CN: '重启', ko: '재부팅', pt_BR: 'Reiniciar' },
  effect: {
    en_US: 'Each device goes offline for about a minute. A call in progress is waited for.',
    zh_CN: '每台设备将离线约一分钟。通话中的设备会等待通话结束。',
    ko: '각 장치가 약 1분 동안 오프라인이 됩니다. 진행 중인 통화는 끝날 때까지 기다립니다.',
    pt_BR: 'Cada dispositivo fica offline por cerca de um minuto. Uma chamada em andamento é aguardada.',
  },
  right: { en_US: 'Reboot devices', zh_CN: '重启设备', ko: '장치 재부팅', pt_BR: 'Reiniciar dispositivos' },
  params: {
    whenIdle: {
      en_US: 'Wait until no call is going on',
      zh_CN: '等待通话结束后执行',
      ko: '통화가 끝날 때까지 대기',
      pt_BR: 'Aguardar até não haver chamada',
    },
  },
  refusals: {},
} satisfies ActionTexts<'whenIdle', never>;
