import { defineTexts } from '../../../kit/text/define.ts';

export const lineCauseTexts = defineTexts({
  'lineCause.waiting': {
    en_US: 'Not on the device yet',
    zh_CN: '设备尚未加载',
    ko: '아직 장치에 없음',
    pt_BR: 'Ainda não está no dispositivo',
  },
  'lineCause.password': {
    en_US: 'The SIP server refused the username or password ({{code}}).',
    zh_CN: 'SIP 服务器拒绝了用户名或密码（{{code}}）。',
    ko: 'SIP 서버가 사용자 이름 또는 비밀번호를 거부했습니다({{code}}).',
    pt_BR: 'O servidor SIP recusou o nome de usuário ou a senha ({{code}}).',
  },
  'lineCause.number': {
    en_US: 'The SIP server doesn’t know this number ({{code}}).',
    zh_CN: 'SIP 服务器不认识此号码（{{code}}）。',
    ko: 'SIP 서버에 없는 번호입니다({{code}}).',
    pt_BR: 'O servidor SIP não conhece este número ({{code}}).',
  },
  'lineCause.silent': {
    en_US: 'The SIP server doesn’t answer ({{code}}).',
    zh_CN: 'SIP 服务器没有响应（{{code}}）。',
    ko: 'SIP 서버가 응답하지 않습니다({{code}}).',
    pt_BR: 'O servidor SIP não responde ({{code}}).',
  },
  'lineCause.broken': {
    en_US: 'The SIP server reports a fault of its own ({{code}}).',
    zh_CN: 'SIP 服务器报告自身故障（{{code}}）。',
    ko: 'SIP 서버가 자체 오류를 알렸습니다({{code}}).',
    pt_BR: 'O servidor SIP informa uma falha própria ({{code}}).',
  },
  'lineCause.other': {
    en_US: 'The SIP server answered {{code}}.',
    zh_CN: 'SIP 服务器返回 {{code}}。',
    ko: 'SIP 서버가 {{code}}(으)로 응답했습니다.',
    pt_BR: 'O servidor SIP respondeu {{code}}.',
  },
  'lineCause.since': {
    en_US: 'Since {{when}}.',
    zh_CN: '自 {{when}} 起。',
    ko: '{{when}}부터.',
    pt_BR: 'Desde {{when}}.',
  },
  'lineCause.openAccount': {
    en_US: 'Check the SIP account',
    zh_CN: '检查 SIP 账号',
    ko: 'SIP 계정 확인',
    pt_BR: 'Verificar a conta SIP',
  },
  'lineCause.openServer': {
    en_US: 'Check the SIP server',
    zh_CN: '检查 SIP 服务器',
    ko: 'SIP 서버 확인',
    pt_BR: 'Verificar o servidor SIP',
  },
});
