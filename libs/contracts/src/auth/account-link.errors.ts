import { defineErrors } from '../define/error.ts';

/** Spec, section 8, "Links and codes". */
export const accountLinkErrors = defineErrors('link', {
  activationInvalid: {
    status: 400,
    en_US: 'The activation link is invalid or has expired.',
    zh_CN: '激活链接无效或已过期。',
    ko: '활성화 링크가 유효하지 않거나 만료되었습니다.',
    pt_BR: 'O link de ativação é inválido ou expirou.',
  },
  resetInvalid: {
    status: 400,
    en_US: 'The reset link is invalid or has expired.',
    zh_CN: '重置链接无效或已过期。',
    ko: '재설정 링크가 유효하지 않거나 만료되었습니다.',
    pt_BR: 'O link de redefinição é inválido ou expirou.',
  },
  emailInvalid: {
    status: 400,
    en_US: 'The link to confirm the email is invalid or has expired.',
    zh_CN: '邮箱确认链接无效或已过期。',
    ko: '이메일 확인 링크가 유효하지 않거나 만료되었습니다.',
    pt_BR: 'O link de confirmação do e-mail é inválido ou expirou.',
  },
  resendExpired: {
    status: 400,
    en_US: 'The resend button has expired. Start again.',
    zh_CN: '重新发送按钮已失效，请重新开始。',
    ko: '다시 보내기 버튼이 만료되었습니다. 처음부터 다시 하세요.',
    pt_BR: 'O botão de reenvio expirou. Comece de novo.',
  },
  pageExpired: {
    status: 400,
    en_US: 'The page has expired. Start again.',
    zh_CN: '页面已过期，请重新开始。',
    ko: '페이지가 만료되었습니다. 처음부터 다시 하세요.',
    pt_BR: 'A página expirou. Comece de novo.',
  },
});
