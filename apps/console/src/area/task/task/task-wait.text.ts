import { defineTexts } from '../../../kit/text/define.ts';

/** What the devices of a task wait for. */
export const taskWaitTexts = defineTexts({
  'taskWait.frozen': {
    en_US: 'Frozen until {{when}}',
    zh_CN: '冻结至 {{when}}',
    ko: '{{when}}까지 동결',
    pt_BR: 'Congelado até {{when}}',
  },
  'taskWait.idle': {
    en_US: { one: '{{number}} waits for a call to end', other: '{{number}} wait for a call to end' },
    zh_CN: '{{number}} 台在等待通话结束',
    ko: '{{number}}대가 통화 종료를 기다리는 중',
    pt_BR: {
      one: '{{number}} aguarda o fim de uma chamada',
      many: '{{number}} aguardam o fim de uma chamada',
      other: '{{number}} aguardam o fim de uma chamada',
    },
  },
  'taskWait.byHand': {
    en_US: 'Done by hand…',
    zh_CN: '人工完成…',
    ko: '직접 처리함…',
    pt_BR: 'Feito manualmente…',
  },
  'taskWait.byHandTitle': {
    en_US: 'Mark {{name}} as done by hand?',
    zh_CN: '将 {{name}} 标记为已人工完成？',
    ko: '{{name}}을(를) 직접 처리한 것으로 표시할까요?',
    pt_BR: 'Marcar {{name}} como feito manualmente?',
  },
  'taskWait.byHandText': {
    en_US:
      'This task won’t tell the device anything any more and counts it as finished. The activity log says that you marked it. It can’t be undone.',
    zh_CN: '此任务不会再向该设备发送任何内容，并将其计为已完成。活动日志会记录由您标记。此操作无法撤销。',
    ko: '이 작업은 더 이상 장치에 아무것도 보내지 않고 완료된 것으로 셉니다. 활동 로그에 표시한 사람이 남습니다. 되돌릴 수 없습니다.',
    pt_BR:
      'Esta tarefa não envia mais nada ao dispositivo e o conta como concluído. O log de atividades informa que você o marcou. Não é possível desfazer.',
  },
  'taskWait.byHandTold': {
    en_US: 'The device was already told: it may still carry that out.',
    zh_CN: '指令已发送到该设备，设备仍可能执行。',
    ko: '장치에 이미 명령을 보냈으므로 장치가 실행할 수도 있습니다.',
    pt_BR: 'O comando já foi enviado: o dispositivo ainda pode executá-lo.',
  },
  'taskWait.byHandGo': {
    en_US: 'Mark as done',
    zh_CN: '标记为完成',
    ko: '완료로 표시',
    pt_BR: 'Marcar como feito',
  },
});
