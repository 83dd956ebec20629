import type { ActionTexts } from '../define.ts';

export const locateTexts = {
  name: { en_US: 'Locate', zh_CN: '定位', ko: '위치 알림', pt_BR: 'Localizar' },
  effect: {
    en_US: 'Each device blinks and rings so that someone nearby can find it. Nothing is changed, and calls continue.',
    zh_CN: '每台设备会闪烁并响铃，便于附近的人找到。不会更改任何设置，通话也不受影响。',
    ko: '각 장치가 깜박이고 벨을 울려 가까이 있는 사람이 찾을 수 있습니다. 설정은 바뀌지 않고 통화도 계속됩니다.',
    pt_BR:
      'Cada dispositivo pisca e toca para que alguém por perto o encontre. Nada é alterado, e as chamadas continuam.',
  },
  right: { en_US: 'Locate devices', zh_CN: '定位设备', ko: '장치 위치 알림', pt_BR: 'Localizar dispositivos' },
  params: {
    seconds: {
      en_US: 'How long, in seconds (5 to 120)',
      zh_CN: '持续时间（秒，5 至 120）',
      ko: '지속 시간(초, 5~120)',
      pt_BR: 'Por quanto tempo, em segundos (5 a 120)',
    },
  },
  refusals: {},
} satisfies ActionTexts<'seconds', never>;
