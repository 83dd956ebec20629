import { defineTexts } from '../../../kit/text/define.ts';

export const accountPasswordsTexts = defineTexts({
  'sipAccount.authPassword': {
    en_US: 'Auth password',
    zh_CN: '认证密码',
    ko: '인증 비밀번호',
    pt_BR: 'Senha de autenticação',
  },
  'sipAccount.proxyPassword': {
    en_US: 'Proxy password',
    zh_CN: '代理密码',
    ko: '프록시 비밀번호',
    pt_BR: 'Senha do proxy',
  },
  'sipAccount.voicemailPassword': {
    en_US: 'Voicemail password',
    zh_CN: '语音信箱密码',
    ko: '음성 사서함 비밀번호',
    pt_BR: 'Senha do correio de voz',
  },
  'sipAccount.passwordSet': { en_US: 'Set', zh_CN: '已设置', ko: '설정됨', pt_BR: 'Definida' },
  'sipAccount.passwordNone': { en_US: 'Not set', zh_CN: '未设置', ko: '설정 안 됨', pt_BR: 'Não definida' },
  'sipAccount.passwordKept': {
    en_US: 'A password is stored. Leave empty to keep it.',
    zh_CN: '已保存密码。留空则保持不变。',
    ko: '비밀번호가 저장되어 있습니다. 비워 두면 유지됩니다.',
    pt_BR: 'Há uma senha salva. Deixe vazio para mantê-la.',
  },
  'sipAccount.passwordRemove': {
    en_US: 'Remove the stored password',
    zh_CN: '删除已保存的密码',
    ko: '저장된 비밀번호 삭제',
    pt_BR: 'Remover a senha salva',
  },
  'right.revealSipAccount': {
    en_US: 'Show passwords of SIP accounts',
    zh_CN: '查看 SIP 账号密码',
    ko: 'SIP 계정 비밀번호 보기',
    pt_BR: 'Ver senhas de contas SIP',
  },
  'audit.sipAccount.reveal': {
    en_US: 'Show passwords of SIP account',
    zh_CN: '查看 SIP 账号密码',
    ko: 'SIP 계정 비밀번호 보기',
    pt_BR: 'Ver senhas da conta SIP',
  },
  'sipAccount.passwords': { en_US: 'Passwords', zh_CN: '密码', ko: '비밀번호', pt_BR: 'Senhas' },
  'sipAccount.reveal': {
    en_US: 'Show passwords',
    zh_CN: '显示密码',
    ko: '비밀번호 표시',
    pt_BR: 'Mostrar senhas',
  },
  'sipAccount.revealText': {
    en_US: 'The activity log records that you viewed them.',
    zh_CN: '操作日志会记录您的查看行为。',
    ko: '조회한 사실이 감사 로그에 기록됩니다.',
    pt_BR: 'O log de atividades registra que você as viu.',
  },
  'sipAccount.hide': { en_US: 'Hide passwords', zh_CN: '隐藏密码', ko: '비밀번호 숨기기', pt_BR: 'Ocultar senhas' },
});
