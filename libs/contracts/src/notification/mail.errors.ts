import { defineErrors } from '../define/error.ts';

/** Spec, section 8, "Links and codes". */
export const mailErrors = defineErrors('mail', {
  sendFailure: {
    status: 502,
    en_US: 'The email could not be sent. Go back to sign in and try again.',
    zh_CN: '邮件发送失败，请返回登录页重试。',
    ko: '이메일을 보내지 못했습니다. 로그인 화면으로 돌아가 다시 시도하세요.',
    pt_BR: 'Não foi possível enviar o e-mail. Volte ao login e tente novamente.',
  },
  notConfigured: {
    status: 503,
    en_US: 'No email server is set up. The email is sent when there is one.',
    zh_CN: '未设置邮件服务器。设置后将自动发送此邮件。',
    ko: '이메일 서버가 설정되지 않았습니다. 설정되면 이메일이 발송됩니다.',
    pt_BR: 'Nenhum servidor de e-mail foi configurado. O e-mail será enviado quando houver um.',
  },
  serverNarrowed: {
    status: 403,
    en_US: 'The email server is for the whole company. Only users who see all organizations can change it.',
    zh_CN: '邮件服务器属于整个公司：只有可查看全部组织的用户才能更改。',
    ko: '이메일 서버는 회사 전체에 적용됩니다. 모든 조직을 볼 수 있는 사용자만 변경할 수 있습니다.',
    pt_BR: 'O servidor de e-mail vale para toda a empresa. Só quem vê todas as organizações pode alterá-lo.',
    help: [
      'The caller sees some organizations only, and mails of others go by this server.',
      'Ask someone who sees all organizations.',
    ],
  },
  expired: {
    status: 410,
    en_US: 'The email could not be sent in time.',
    zh_CN: '邮件在失效前未能发送。',
    ko: '이메일이 유효 기간 안에 발송되지 못했습니다.',
    pt_BR: 'O e-mail não pôde ser enviado a tempo.',
  },
});
