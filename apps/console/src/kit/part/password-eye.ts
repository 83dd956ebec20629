import { t } from '../text/translate.ts';

/** Returns the properties of the button that shows a password, which the keyboard reaches and screen readers name. */
export const passwordEye = () => ({ 'aria-label': t('login.showPassword'), tabIndex: 0, 'aria-hidden': undefined });
