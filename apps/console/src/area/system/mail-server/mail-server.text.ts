import { defineTexts } from '../../../kit/text/define.ts';

export const mailServerTexts = defineTexts({
  'menu.mailServer': { en_US: 'Email server', zh_CN: '邮件服务器', ko: '이메일 서버', pt_BR: 'Servidor de e-mail' },
  'mailServer.enabled': {
    en_US: 'Use this server for the company’s emails',
    zh_CN: '使用此服务器发送公司邮件',
    ko: '회사 이메일에 이 서버 사용',
    pt_BR: 'Usar este servidor para os e-mails da empresa',
  },
  'mailServer.enabledHint': {
    en_US: 'Sign-in codes and password resets always go through the system’s server, so that nobody is locked out.',
    zh_CN: '登录验证码和密码重置邮件始终通过系统服务器发送，以免无人能登录。',
    ko: '로그인 코드와 비밀번호 재설정은 항상 시스템 서버로 보내므로 아무도 로그인하지 못하는 일이 없습니다.',
    pt_BR:
      'Códigos de acesso e redefinições de senha sempre saem pelo servidor do sistema, para que ninguém fique sem acesso.',
  },
  'mailServer.used': {
    en_US:
      'Emails of your company go through {{host}}. One that it does not take is tried again, not sent another way.',
    zh_CN: '贵公司的邮件通过 {{host}} 发送。未被接收的邮件会重试，不会改由其他服务器发送。',
    ko: '회사 이메일은 {{host}}을(를) 통해 발송됩니다. 받지 않은 이메일은 다시 시도하며 다른 서버로 보내지 않습니다.',
    pt_BR:
      'Os e-mails da sua empresa saem por {{host}}. Um que ele não aceita é tentado de novo, não enviado por outro.',
  },
  'mailServer.off': {
    en_US: '{{host}} is not used.',
    zh_CN: '未使用 {{host}}。',
    ko: '{{host}}은(는) 사용하지 않습니다.',
    pt_BR: '{{host}} não é usado.',
  },
  'mailServer.withoutOwn': {
    en_US: 'Emails of your company go through the system’s email server.',
    zh_CN: '贵公司的邮件通过系统邮件服务器发送。',
    ko: '회사 이메일은 시스템 이메일 서버를 통해 발송됩니다.',
    pt_BR: 'Os e-mails da sua empresa saem pelo servidor de e-mail do sistema.',
  },
  'mailServer.withoutAny': {
    en_US: 'The system has no email server: emails of your company wait until there is one.',
    zh_CN: '系统没有邮件服务器：贵公司的邮件将等待直到设置服务器。',
    ko: '시스템에 이메일 서버가 없습니다. 서버가 설정될 때까지 회사 이메일이 대기합니다.',
    pt_BR: 'O sistema não tem servidor de e-mail: os e-mails da sua empresa esperam até haver um.',
  },
  'right.editMailServer': {
    en_US: 'Edit the company’s email server',
    zh_CN: '编辑公司邮件服务器',
    ko: '회사 이메일 서버 편집',
    pt_BR: 'Editar o servidor de e-mail da empresa',
  },
  'audit.mailServer.edit': {
    en_US: 'Edit email server',
    zh_CN: '编辑邮件服务器',
    ko: '이메일 서버 편집',
    pt_BR: 'Editar servidor de e-mail',
  },
  'audit.mailServer.delete': {
    en_US: 'Remove email server',
    zh_CN: '移除邮件服务器',
    ko: '이메일 서버 제거',
    pt_BR: 'Remover servidor de e-mail',
  },
  'audit.mailServer.test': {
    en_US: 'Send test email by the company’s server',
    zh_CN: '通过公司服务器发送测试邮件',
    ko: '회사 서버로 테스트 이메일 보내기',
    pt_BR: 'Enviar e-mail de teste pelo servidor da empresa',
  },
});
