import { defineTexts } from '../../../kit/text/define.ts';

/** What became of the devices of a task. */
export const taskResultTexts = defineTexts({
  'taskResult.reasons': {
    en_US: 'Why devices failed',
    zh_CN: '设备失败原因',
    ko: '장치가 실패한 이유',
    pt_BR: 'Por que os dispositivos falharam',
  },
  'taskResult.noReason': {
    en_US: 'No reason given',
    zh_CN: '未说明原因',
    ko: '이유를 알리지 않음',
    pt_BR: 'Sem motivo informado',
  },
  'taskResult.others': {
    en_US: 'Other reasons',
    zh_CN: '其他原因',
    ko: '기타 이유',
    pt_BR: 'Outros motivos',
  },
  'taskResult.showThese': {
    en_US: 'Show these',
    zh_CN: '显示这些设备',
    ko: '해당 장치 표시',
    pt_BR: 'Mostrar estes',
  },
  'taskResult.told': {
    en_US: 'Told {{when}}',
    zh_CN: '{{when}} 已发送指令',
    ko: '{{when}}에 명령을 보냄',
    pt_BR: 'Comando enviado em {{when}}',
  },
  'taskResult.accepted': {
    en_US: 'Told {{told}}, accepted {{when}}',
    zh_CN: '{{told}} 已发送指令，{{when}} 已接受',
    ko: '{{told}}에 명령을 보냄, {{when}}에 수락함',
    pt_BR: 'Comando enviado em {{told}}, aceito em {{when}}',
  },
  'taskResult.file': {
    en_US: 'Task results',
    zh_CN: '任务结果',
    ko: '작업 결과',
    pt_BR: 'Resultados da tarefa',
  },
  'taskResult.percent': {
    en_US: 'Progress (%)',
    zh_CN: '进度（%）',
    ko: '진행률(%)',
    pt_BR: 'Progresso (%)',
  },
  'taskResult.try': { en_US: 'Try', zh_CN: '尝试次数', ko: '시도', pt_BR: 'Tentativa' },
  'taskResult.toldAt': {
    en_US: 'Told',
    zh_CN: '发送指令时间',
    ko: '명령을 보낸 시간',
    pt_BR: 'Comando enviado em',
  },
  'taskResult.acceptedAt': { en_US: 'Accepted', zh_CN: '接受时间', ko: '수락한 시간', pt_BR: 'Aceito em' },
  'taskResult.changedAt': {
    en_US: 'Last change',
    zh_CN: '最后变化',
    ko: '마지막 변경',
    pt_BR: 'Última mudança',
  },
  'taskResult.seconds': { en_US: 'Time (s)', zh_CN: '用时（秒）', ko: '시간(초)', pt_BR: 'Tempo (s)' },
});
