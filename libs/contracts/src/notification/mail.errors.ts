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
  expired: {
    status: 410,
    en_US: 'The email could not be sent in time.',
    zh_CN: '邮件在失效前未能发送。',
    ko: '이메일이 유효 기간 안에 발송되지 못했습니다.',
    pt_BR: 'O e-mail não pôde ser enviado a tempo.',
  },
});
