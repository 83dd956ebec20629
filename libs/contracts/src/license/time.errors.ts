import { defineErrors } from '../define/error.ts';

export const timeErrors = defineErrors('time', {
  ruleInvalid: {
    status: 400,
    en_US: 'This is not a valid daylight saving rule. Check the month, week, day, hour and minutes.',
    zh_CN: '夏令时规则无效。请检查月、周、日、时和分钟。',
    ko: '올바른 서머타임 규칙이 아닙니다. 월, 주, 일, 시 또는 분을 확인하세요.',
    pt_BR: 'Não é uma regra válida de horário de verão. Verifique mês, semana, dia, hora e minutos.',
  },
});
