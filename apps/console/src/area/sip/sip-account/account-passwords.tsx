import { useState } from 'react';
import { Button } from '@mantine/core';
import { IconEye, IconEyeOff } from '@tabler/icons-react';
import type { RouteOutput, revealSipAccount as Reveal } from '@carillon/contracts';
import { CopyButton } from '../../../kit/part/copy.tsx';
import { Facts } from '../../../kit/part/facts.tsx';
import { RefusalBox } from '../../../kit/part/refusal-box.tsx';
import { call } from '../../../kit/api/call.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { revealSipAccount, type SipAccount } from './sip-account.calls.ts';
import part from '../../../kit/part/drawer-table.module.css';
import { useAction } from '../../../kit/part/use-action.ts';
import css from './account-passwords.module.css';

const passwords = ['authPassword', 'proxyPassword', 'voicemailPassword'] as const;

/** Shows the passwords of an account on request. They leave the page with the drawer: no cache holds them. */
export function AccountPasswords({ account }: { account: SipAccount }) {
  const { t } = useText();
  const [shown, setShown] = useState<RouteOutput<typeof Reveal>>();
  const { busy, refusal, run } = useAction();
  const reveal = () =>
    run(async () => {
      setShown(await call(revealSipAccount, { params: { id: account.id } }));
    });
  const known = passwords.flatMap((password) => {
    const value = shown?.[password];
    const label = t(`sipAccount.${password}`);
    return value
      ? [
          [
            label,
            <span key={password} className={css.secret}>
              <code>{value}</code>
              <CopyButton value={value} label={label} />
            </span>,
          ] as const,
        ]
      : [];
  });
  return (
    <section className={part.section} aria-labelledby="account-passwords">
      <h2 id="account-passwords">{t('sipAccount.passwords')}</h2>
      {shown ? <Facts items={known} /> : <p className={part.note}>{t('sipAccount.revealText')}</p>}
      <RefusalBox refusal={refusal} />
      <Button
        className={css.button}
        variant="default"
        loading={busy}
        leftSection={shown ? <IconEyeOff size={15} stroke={1.75} /> : <IconEye size={15} stroke={1.75} />}
        onClick={() => (shown ? setShown(undefined) : void reveal())}
      >
        {t(shown ? 'sipAccount.hide' : 'sipAccount.reveal')}
      </Button>
    </section>
  );
}
