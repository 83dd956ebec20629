import { visit } from '../visit.ts';
import { fill, instead, type Screen } from './screen.ts';

export const loginScreens: Screen[] = [
  {
    name: 'login',
    route: '/login',
    open: async (p) => {
      await visit(p, '/login');
      await p.locator('form').waitFor();
    },
  },
  {
    name: 'login-refused',
    open: async (p) => {
      await visit(p, '/login');
      await p.locator('button[type=submit]').click();
      await p.locator('[aria-invalid=true]').first().waitFor();
    },
  },
  {
    name: 'login-captcha',
    open: async (p) => {
      await instead(p, 'GET', '/api/f/auth/oauth/showCaptcha', true);
      await visit(p, '/login');
      await p.locator('form img').waitFor();
      await p.locator('button[type=submit]').click();
      await p.locator('[name=captcha][aria-invalid=true]').waitFor();
    },
  },
  {
    name: 'login-elsewhere',
    open: async (p) => {
      await instead(p, 'GET', '/api/f/auth/oidc/list', [{ id: 'staff', name: 'Meridian Hotels' }]);
      await visit(p, '/login?refused=noAccount');
      await p.locator('[role=group] a').waitFor();
      await p.locator('[role=alert]').waitFor();
    },
  },
  {
    name: 'login-second-step',
    refused: true,
    open: async (p) => {
      await instead(
        p,
        'POST',
        '/api/f/auth/oauth/token',
        { error: 'auth.twoStepRequired', key: 'none', methods: ['email', 'totp', 'passkey'] },
        401,
      );
      await visit(p, '/login');
      await fill(p, { name: 'clara', password: 'of-no-one' });
      await p.locator('[name=agreement]').check();
      await p.locator('button[type=submit]').click();
      await p.locator('[name=code]').waitFor();
    },
  },
  {
    name: 'forgot-password',
    route: '/forgetPassword',
    open: async (p) => {
      await instead(p, 'GET', '/api/f/notification/mail/ready', { ready: true });
      await visit(p, '/forgetPassword');
      await p.locator('form').waitFor();
    },
  },
  {
    name: 'forgot-password-sent',
    route: '/forgetPasswordActive',
    open: async (p) => {
      await instead(p, 'GET', '/api/f/notification/mail/ready', { ready: true });
      await visit(p, '/forgetPassword');
      await p.locator('[name=name]').fill('nobody');
      await p.locator('button[type=submit]').click();
      await p.waitForURL('**/forgetPasswordActive');
      await p.locator('[name=name]').waitFor({ state: 'detached' });
      await p.locator('button[disabled]').waitFor();
    },
  },
  {
    name: 'reset-link-invalid',
    route: '/forgetPasswordResult',
    open: async (p) => {
      await visit(p, '/forgetPasswordResult');
      await p.locator('main a').first().waitFor();
    },
  },
  {
    name: 'password-set',
    route: '/resetPassSuccess',
    open: async (p) => {
      await visit(p, '/resetPassSuccess');
      await p.locator('[role=timer]').waitFor();
    },
  },
  {
    name: 'email-link-invalid',
    route: '/resetEmailResult',
    open: async (p) => {
      await visit(p, '/resetEmailResult');
      await p.locator('main a').first().waitFor();
    },
  },
  {
    name: 'activate',
    route: '/system/activeUser',
    open: async (p) => {
      await visit(p, '/system/activeUser');
      await p.locator('form').waitFor();
      await p.locator('button[type=submit]').click();
      await p.locator('[aria-invalid=true]').first().waitFor();
    },
  },
  ...['terms', 'privacy'].map((name): Screen => ({
    name,
    route: `/${name}`,
    open: async (p) => {
      await visit(p, `/${name}`);
      await p.locator('main p').nth(2).waitFor();
    },
  })),
  ...['404', '403', '500'].map((code): Screen => ({
    name: code,
    route: `/${code}`,
    open: async (p) => {
      await visit(p, `/${code}`);
      await p.locator('h1').waitFor();
    },
  })),
];
