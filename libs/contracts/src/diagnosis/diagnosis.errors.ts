import { defineErrors } from '../define/error.ts';

/** Spec, section 8, "Devices and tasks". */
export const diagnosisErrors = defineErrors('diagnosis', {
  stateAbnormal: {
    status: 502,
    en_US: 'The system state could not be fetched from the device.',
    zh_CN: '获取系统状态异常。',
    ko: '장치의 시스템 상태를 가져오지 못했습니다.',
    pt_BR: 'Não foi possível obter o estado do sistema do dispositivo.',
  },
  queryAbnormal: {
    status: 502,
    en_US: 'The query failed.',
    zh_CN: '查询异常。',
    ko: '조회에 실패했습니다.',
    pt_BR: 'A consulta falhou.',
  },
});
