import { defineTexts } from '../../../kit/text/define.ts';

export const configRequestTexts = defineTexts({
  'configRequest.title': {
    en_US: 'Requests over HTTP',
    zh_CN: 'HTTP 请求',
    ko: 'HTTP 요청',
    pt_BR: 'Solicitações por HTTP',
  },
  'configRequest.outcome': { en_US: 'Outcome', zh_CN: '结果', ko: '결과', pt_BR: 'Resultado' },
  'configRequest.last': { en_US: 'Last', zh_CN: '最近一次', ko: '마지막', pt_BR: 'Última' },
  'configRequest.times': { en_US: 'Times', zh_CN: '次数', ko: '횟수', pt_BR: 'Vezes' },
  'configRequest.outcome.loaded': { en_US: 'Loaded', zh_CN: '已加载', ko: '불러옴', pt_BR: 'Carregado' },
  'configRequest.outcome.unchanged': {
    en_US: 'Unchanged: the device has it',
    zh_CN: '无变化：设备已有此版本',
    ko: '변경 없음: 장치에 이미 있음',
    pt_BR: 'Sem mudança: o dispositivo já o tem',
  },
  'configRequest.outcome.otherFile': {
    en_US: 'Refused: the file of this device has another name',
    zh_CN: '已拒绝：此设备的文件名不同',
    ko: '거부됨: 이 장치의 파일 이름이 다름',
    pt_BR: 'Recusado: o arquivo deste dispositivo tem outro nome',
  },
  'configRequest.outcome.nothing': {
    en_US: 'Refused: no template or account, or the device is disabled',
    zh_CN: '已拒绝：没有模板或账号，或设备已禁用',
    ko: '거부됨: 템플릿이나 계정이 없거나 장치가 비활성화됨',
    pt_BR: 'Recusado: sem modelo de configuração nem conta, ou o dispositivo está desativado',
  },
  'configRequest.outcome.oldAddress': {
    en_US: 'Refused: the address is no longer valid',
    zh_CN: '已拒绝：地址已失效',
    ko: '거부됨: 주소가 더 이상 유효하지 않음',
    pt_BR: 'Recusado: o endereço não vale mais',
  },
  'configRequest.outcome.partial': {
    en_US: 'Only a part or the headers were sent',
    zh_CN: '仅发送了部分内容或标头',
    ko: '일부 또는 헤더만 전송됨',
    pt_BR: 'Só uma parte ou os cabeçalhos foram enviados',
  },
  'configRequest.outcome.tooMany': {
    en_US: 'Refused: too many requests',
    zh_CN: '已拒绝：请求过多',
    ko: '거부됨: 요청이 너무 많음',
    pt_BR: 'Recusado: solicitações demais',
  },
  'configRequest.outcome.event': {
    en_US: 'An event that the device reported',
    zh_CN: '设备上报的事件',
    ko: '장치가 보고한 이벤트',
    pt_BR: 'Um evento que o dispositivo informou',
  },
  'configRequest.outcome.waiting': {
    en_US: 'Refused: it asked by its MAC and was not let in',
    zh_CN: '已拒绝：仅凭 MAC 请求且未被允许',
    ko: '거부됨: MAC으로 요청했으나 허용되지 않음',
    pt_BR: 'Recusado: pediu por seu MAC e ninguém o deixou entrar',
  },
  'configRequest.outcome.firstAddress': {
    en_US: 'Asked without its address, and was told where to ask by its MAC',
    zh_CN: '请求时没有专用地址，已告知按 MAC 请求的地址',
    ko: '전용 주소 없이 요청하여, MAC으로 요청할 주소를 받음',
    pt_BR: 'Pediu sem o próprio endereço e recebeu o endereço para pedir pelo MAC',
  },
  'configRequest.outcome.otherDevice': {
    en_US: 'Refused: its certificate names another MAC',
    zh_CN: '已拒绝：其证书属于另一个 MAC',
    ko: '거부됨: 인증서에 다른 MAC이 있음',
    pt_BR: 'Recusado: seu certificado indica outro MAC',
  },
  'configRequest.outcome.noCertificate': {
    en_US: 'Refused: its model demands a certificate',
    zh_CN: '已拒绝：其型号要求证书',
    ko: '거부됨: 이 모델에는 인증서가 필요함',
    pt_BR: 'Recusado: seu modelo exige um certificado',
  },
});
