import { createFileRoute, redirect } from '@tanstack/react-router';
import type { OidcRefusal } from '@carillon/contracts';
import { one } from '../../kit/browser/address.ts';
import { session } from '../../kit/session/session.ts';
import { LoginPage } from '../../area/people/login/login-page.tsx';

const refusals: readonly OidcRefusal[] = ['failed', 'noAccount', 'noRole', 'closed'];

export const Route = createFileRoute('/login')({
  staticData: { title: 'login.title' },
  validateSearch: (s: Record<string, unknown>): { to?: string; signedIn?: '1'; refused?: OidcRefusal } => {
    const [to, signedIn, refused] = [one(s['to']), one(s['signedIn']), one(s['refused'])];
    return {
      ...(to === undefined ? {} : { to }),
      ...(signedIn === '1' ? { signedIn } : {}),
      ...(refused !== undefined && refusals.includes(refused as OidcRefusal)
        ? { refused: refused as OidcRefusal }
        : {}),
    };
  },
  beforeLoad: () => {
    if (session() !== undefined) throw redirect({ to: '/wel/home', replace: true });
  },
  component: LoginPage,
});
