import { defineErrors } from '../define/error.ts';

export const alarmErrors = defineErrors('alarm', {
  narrowed: {
    status: 403,
    en_US: 'Alarm rules belong to the whole company. Only users who see all organizations can change them.',
    zh_CN: '告警规则属于整个公司：只有可查看全部组织的用户才能更改。',
    ko: '알람 규칙은 회사 전체에 속합니다. 모든 조직을 볼 수 있는 사용자만 변경할 수 있습니다.',
    pt_BR: 'As regras de alarme pertencem a toda a empresa. Só quem vê todas as organizações pode alterá-las.',
    help: [
      'The caller sees some organizations only, and the rule counts for all.',
      'Ask someone who sees all organizations.',
    ],
  },
  tooManySilences: {
    status: 409,
    en_US: 'There are {count} silences already. End one first.',
    zh_CN: '已有 {count} 条静音，请先结束一条。',
    ko: '알림 끄기가 이미 {count}개 있습니다. 먼저 하나를 종료하세요.',
    pt_BR: 'Já há {count} silêncios. Encerre um antes.',
    help: [
      'Each alarm is held against all silences, so that there is a bound.',
      'End a silence, or name a whole site.',
    ],
  },
  silenceNothing: {
    status: 400,
    en_US: 'Choose what to silence: a type, a site or a device.',
    zh_CN: '请选择要静音的内容：类型、站点或设备。',
    ko: '알림을 끌 대상을 선택하세요: 유형, 사이트 또는 장치.',
    pt_BR: 'Escolha o que silenciar: um tipo, um local ou um dispositivo.',
    help: ['The call names neither a type nor a site nor a device.', 'Name at least one of them.'],
  },
});
