import { defineErrors } from '../define/error.ts';

/** Spec, section 8, "Links and codes". */
export const mailErrors = defineErrors('mail', {
  sendFailure: {
    status: 502,
    en_US: 'The mail could not be sent. Return to the login and try again.',
    zh_CN: '邮件发送失败，请返回登录页重试。',
    ko: '메일을 보내지 못했습니다. 로그인 화면으로 돌아가 다시 시도하세요.',
    pt_BR: 'Não foi possível enviar o e-mail. Volte ao login e tente novamente.',
  },
  notConfigured: {
    status: 503,
    en_US: 'No mail server is set up. The mail is kept and goes out as soon as there is one.',
    zh_CN: '未配置邮件服务器。邮件已保留，配置后将自动发送。',
    ko: '메일 서버가 설정되지 않았습니다. 메일은 보관되며 설정되면 발송됩니다.',
    pt_BR: 'Nenhum servidor de e-mail está configurado. A mensagem fica guardada e sai assim que houver um.',
  },
  expired: {
    status: 410,
    en_US: 'The mail could not be sent before it lost its meaning.',
    zh_CN: '邮件在失效前未能发送。',
    ko: '메일이 유효 기간 안에 발송되지 못했습니다.',
    pt_BR: 'O e-mail não pôde ser enviado antes de perder o sentido.',
  },
});
