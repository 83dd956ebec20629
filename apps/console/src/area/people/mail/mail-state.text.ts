import { defineTexts } from '../../../kit/text/define.ts';

export const mailStateTexts = defineTexts({
  'mailState.last': {
    en_US: 'Last email',
    zh_CN: '最近的邮件',
    ko: '최근 이메일',
    pt_BR: 'Último e-mail',
  },
  'mailState.none': {
    en_US: 'None in the last 30 days',
    zh_CN: '近 30 天内没有',
    ko: '최근 30일 동안 없음',
    pt_BR: 'Nenhum nos últimos 30 dias',
  },
  'mailState.waiting': { en_US: 'Waiting', zh_CN: '等待发送', ko: '대기 중', pt_BR: 'Aguardando' },
  'mailState.sent': { en_US: 'Sent', zh_CN: '已发送', ko: '발송됨', pt_BR: 'Enviado' },
  'mailState.failed': { en_US: 'Not sent', zh_CN: '发送失败', ko: '발송 실패', pt_BR: 'Não enviado' },
  'mailState.activation': { en_US: 'Activation link', zh_CN: '激活链接', ko: '활성화 링크', pt_BR: 'Link de ativação' },
  'mailState.passwordReset': {
    en_US: 'Password reset link',
    zh_CN: '密码重置链接',
    ko: '비밀번호 재설정 링크',
    pt_BR: 'Link para redefinir a senha',
  },
  'mailState.emailChange': {
    en_US: 'Link to confirm a new email',
    zh_CN: '新邮箱确认链接',
    ko: '새 이메일 확인 링크',
    pt_BR: 'Link para confirmar o novo e-mail',
  },
  'mailState.alarms': { en_US: 'Alarms', zh_CN: '告警', ko: '알람', pt_BR: 'Alarmes' },
  'mailState.emailChanged': {
    en_US: 'Notice: email changed',
    zh_CN: '通知：邮箱已更改',
    ko: '알림: 이메일 변경됨',
    pt_BR: 'Aviso: e-mail alterado',
  },
  'mailState.passwordChanged': {
    en_US: 'Notice: password changed',
    zh_CN: '通知：密码已更改',
    ko: '알림: 비밀번호 변경됨',
    pt_BR: 'Aviso: senha alterada',
  },
  'mailState.code': { en_US: 'Verification code', zh_CN: '验证码', ko: '인증 코드', pt_BR: 'Código de verificação' },
  'mailState.test': { en_US: 'Test', zh_CN: '测试', ko: '테스트', pt_BR: 'Teste' },
  'mailState.noServer': {
    en_US: 'No email server is set up. The email is sent when there is one.',
    zh_CN: '未设置邮件服务器。设置后将自动发送此邮件。',
    ko: '이메일 서버가 설정되지 않았습니다. 설정되면 이메일이 발송됩니다.',
    pt_BR: 'Nenhum servidor de e-mail foi configurado. O e-mail será enviado quando houver um.',
  },
  'mailState.expired': {
    en_US: 'It was not sent in time. Send it again.',
    zh_CN: '未能及时发送，请重新发送。',
    ko: '제때 발송되지 않았습니다. 다시 보내세요.',
    pt_BR: 'Não foi enviado a tempo. Envie de novo.',
  },
  'mailState.refused': {
    en_US: 'The email server answered: {{reason}}',
    zh_CN: '邮件服务器的回应：{{reason}}',
    ko: '이메일 서버의 응답: {{reason}}',
    pt_BR: 'Resposta do servidor de e-mail: {{reason}}',
  },
  'mailState.unreachable': {
    en_US: 'The email server could not be reached.',
    zh_CN: '无法连接邮件服务器。',
    ko: '이메일 서버에 연결할 수 없습니다.',
    pt_BR: 'Não foi possível conectar ao servidor de e-mail.',
  },
  'mailState.retrying': {
    en_US: 'The email server does not accept it yet. It will be tried again.',
    zh_CN: '邮件服务器暂未接收，系统会再次尝试。',
    ko: '이메일 서버가 아직 받지 않습니다. 다시 시도합니다.',
    pt_BR: 'O servidor de e-mail ainda não o aceita. Haverá nova tentativa.',
  },
  'mailState.rejected': {
    en_US: 'The email server refused it. Check the address and send it again.',
    zh_CN: '邮件服务器拒收。请检查地址后重新发送。',
    ko: '이메일 서버가 거부했습니다. 주소를 확인하고 다시 보내세요.',
    pt_BR: 'O servidor de e-mail o recusou. Verifique o endereço e envie de novo.',
  },
  'mailState.nextTry': {
    en_US: 'Next try: {{time}}',
    zh_CN: '下次尝试：{{time}}',
    ko: '다음 시도: {{time}}',
    pt_BR: 'Próxima tentativa: {{time}}',
  },
});
