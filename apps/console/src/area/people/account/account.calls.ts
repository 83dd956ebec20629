import { remote } from '../../../kit/api/call.ts';

export { callPublic } from '../../../kit/api/public-call.ts';
export const forgotPassword = remote('forgotPassword', 'POST /api/f/auth/accountLink/forgotPassword');
export const resendForgotPassword = remote('resendForgotPassword', 'POST /api/f/auth/accountLink/resend');
export const checkLink = remote('checkLink', 'POST /api/f/auth/accountLink/check');
export const resetPassword = remote('resetPassword', 'POST /api/f/auth/accountLink/resetPassword');
export const activateByLink = remote('activateByLink', 'POST /api/f/auth/accountLink/activate');
export const activateByPassword = remote('activateByPassword', 'POST /api/f/auth/accountLink/activateByPassword');
export const confirmEmail = remote('confirmEmail', 'POST /api/f/auth/accountLink/confirmEmail');
export const requestEmailChange = remote('requestEmailChange', 'POST /api/f/auth/accountLink/emailChange');
export const resendEmailChange = remote('resendEmailChange', 'POST /api/f/auth/accountLink/resendEmailChange');

/** The token after the `#` of a mailed link. It is removed from the URL, so that no history contains it. */
let taken: { path: string; token: string } | undefined;
export function linkToken(): string {
  const token = location.hash.slice(1);
  if (token !== '') {
    taken = { path: location.pathname, token };
    history.replaceState(history.state, '', location.pathname);
  }
  return taken?.path === location.pathname ? taken.token : '';
}
