import { useAccess } from '../../../kit/api/access.ts';
import { AccountLines } from './account-lines.tsx';
import { AccountPasswords } from './account-passwords.tsx';
import type { SipAccount } from './sip-account.calls.ts';

/** Shows what an account's drawer has beside the columns of its list. */
export default function AccountMore({ account }: { account: SipAccount }) {
  const access = useAccess();
  const hasPassword = account.authPasswordSet || account.proxyPasswordSet || account.voicemailPasswordSet;
  return (
    <>
      {account.devices.length > 0 && <AccountLines account={account} />}
      {hasPassword && access.can('revealSipAccount') && <AccountPasswords account={account} />}
    </>
  );
}
