import { defineTexts } from '../../../kit/text/define.ts';

/** What the keys of a phone are called and can do. */
export const phoneKeyTexts = defineTexts({
  'phoneKey.place.side': {
    en_US: 'Side key {{page}}.{{position}}',
    zh_CN: '侧键 {{page}}.{{position}}',
    ko: '측면 키 {{page}}.{{position}}',
    pt_BR: 'Tecla lateral {{page}}.{{position}}',
  },
  'phoneKey.place.dss': {
    en_US: 'DSS key {{page}}.{{position}}',
    zh_CN: 'DSS 键 {{page}}.{{position}}',
    ko: 'DSS 키 {{page}}.{{position}}',
    pt_BR: 'Tecla DSS {{page}}.{{position}}',
  },
  'phoneKey.place.soft': {
    en_US: 'Soft key {{position}}',
    zh_CN: '软键 {{position}}',
    ko: '소프트 키 {{position}}',
    pt_BR: 'Tecla de função {{position}}',
  },
  'phoneKey.type.none': { en_US: 'No function', zh_CN: '无功能', ko: '기능 없음', pt_BR: 'Sem função' },
  'phoneKey.type.line': { en_US: 'Line', zh_CN: '线路', ko: '회선', pt_BR: 'Linha' },
  'phoneKey.type.speedDial': { en_US: 'Speed dial', zh_CN: '快速拨号', ko: '단축 다이얼', pt_BR: 'Discagem rápida' },
  'phoneKey.type.blf': { en_US: 'BLF', zh_CN: 'BLF', ko: 'BLF', pt_BR: 'BLF' },
  'phoneKey.type.callPark': {
    en_US: 'Call park',
    zh_CN: '呼叫驻留',
    ko: '통화 대기 보관',
    pt_BR: 'Estacionar chamada',
  },
  'phoneKey.type.dtmf': { en_US: 'DTMF', zh_CN: 'DTMF', ko: 'DTMF', pt_BR: 'DTMF' },
  'phoneKey.type.multicast': {
    en_US: 'Multicast paging',
    zh_CN: '组播寻呼',
    ko: '멀티캐스트 페이징',
    pt_BR: 'Aviso por multicast',
  },
  'phoneKey.type.url': { en_US: 'Web request', zh_CN: 'URL 请求', ko: '웹 요청', pt_BR: 'Requisição web' },
  'phoneKey.type.xml': { en_US: 'XML page', zh_CN: 'XML 页面', ko: 'XML 페이지', pt_BR: 'Página XML' },
  'phoneKey.type.dnd': {
    en_US: 'Do not disturb',
    zh_CN: '免打扰',
    ko: '방해 금지',
    pt_BR: 'Não perturbe',
  },
  'phoneKey.type.forward': {
    en_US: 'Call forwarding',
    zh_CN: '呼叫转移',
    ko: '착신 전환',
    pt_BR: 'Desvio de chamadas',
  },
  'phoneKey.type.voicemail': { en_US: 'Voicemail', zh_CN: '语音信箱', ko: '음성 사서함', pt_BR: 'Correio de voz' },
  'phoneKey.type.phonebook': { en_US: 'Phonebook', zh_CN: '电话簿', ko: '전화번호부', pt_BR: 'Agenda' },
  'phoneKey.type.redial': { en_US: 'Redial', zh_CN: '重拨', ko: '재다이얼', pt_BR: 'Rediscar' },
  'phoneKey.onLine': {
    en_US: 'line {{line}}',
    zh_CN: '线路 {{line}}',
    ko: '회선 {{line}}',
    pt_BR: 'linha {{line}}',
  },
  'phoneKey.beyondModel': {
    en_US: 'Not on this model: {{names}}.',
    zh_CN: '此型号没有：{{names}}。',
    ko: '이 모델에 없음: {{names}}.',
    pt_BR: 'Não existem neste modelo: {{names}}.',
  },
});
