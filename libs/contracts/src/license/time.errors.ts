import { defineErrors } from '../define/error.ts';

export const timeErrors = defineErrors('time', {
  ruleInvalid: {
    status: 400,
    en_US: 'This is no daylight saving rule: month, week, day, hour or minutes are not possible.',
    zh_CN: '夏令时规则无效：月、周、日、时或分钟不合理。',
    ko: '올바른 서머타임 규칙이 아닙니다. 월, 주, 일, 시 또는 분을 확인하세요.',
    pt_BR: 'Não é uma regra de horário de verão: mês, semana, dia, hora ou minutos são impossíveis.',
  },
});
