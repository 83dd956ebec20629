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
});
