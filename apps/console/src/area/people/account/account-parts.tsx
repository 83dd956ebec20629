import { useEffect, useState, type ReactNode } from 'react';
import { Button, PasswordInput } from '@mantine/core';
import { Link, useRouter } from '@tanstack/react-router';
import { missingParts } from '@carillon/contracts/password';
import { CardPage } from '../login/card-page.tsx';
import { PasswordRule } from '../../../kit/part/password-rule.tsx';
import { useText } from '../../../kit/text/use-text.ts';
import { passwordEye } from '../../../kit/part/password-eye.ts';

/** Returns the seconds until a time, updated every second by the clock and not by counting ticks. */
export function useCountdown(until: number): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, [until]);
  return Math.max(0, Math.ceil((until - now) / 1000));
}

const backSeconds = 10;

/** Shows that it is done and redirects to the login (AUTH-10). */
export function DonePage({ title, text }: { title: string; text: string }) {
  const { t } = useText();
  const router = useRouter();
  const [until] = useState(() => Date.now() + backSeconds * 1000);
  const left = useCountdown(until);
  useEffect(() => {
    if (left === 0) void router.navigate({ to: '/login', replace: true });
  }, [left, router]);
  return (
    <CardPage title={title} lead={text}>
      <p role="timer" aria-live="off">
        {t('account.backIn', { count: left })}
      </p>
      <Button component={Link} to="/login" replace size="md" fullWidth>
        {t('account.toLogin')}
      </Button>
    </CardPage>
  );
}

/** Tells that a link, page or button has expired, and links to the next step. */
export function ExpiredPage({
  title,
  text,
  to,
  action,
}: {
  title: string;
  text: string;
  to: '/forgetPassword' | '/resetEmail' | '/login';
  action: string;
}) {
  const { t } = useText();
  return (
    <CardPage title={title} lead={text}>
      <Button component={Link} to={to} replace size="md" fullWidth>
        {action}
      </Button>
      {to !== '/login' && (
        <Button component={Link} to="/login" variant="subtle" size="md" fullWidth>
          {t('account.toLogin')}
        </Button>
      )}
    </CardPage>
  );
}

/** The user's names, as far as the page knows them. */
type Names = readonly (string | null)[];
export interface Chosen {
  newPassword: string;
  confirmation: string;
}

/** Returns a function that finds faults of a chosen password before it is sent (AUTH-13). */
export function useChosenFaults(): (values: Chosen, names: Names) => Partial<Record<keyof Chosen, string>> {
  const { t } = useText();
  return ({ newPassword, confirmation }, names) => ({
    ...(missingParts(newPassword, names).length > 0 ? { newPassword: t('password.rule') } : {}),
    ...(confirmation !== newPassword ? { confirmation: t('password.differ') } : {}),
  });
}

/** Asks for a new password twice, with the rules beside it. */
export function ChosenPassword({
  values,
  names,
  set,
  fault,
  autoFocus = false,
}: {
  values: Chosen;
  names: Names;
  set: (change: Partial<Chosen>) => void;
  fault: (field: keyof Chosen) => ReactNode;
  autoFocus?: boolean;
}) {
  const { t } = useText();
  return (
    <>
      <PasswordInput
        name="newPassword"
        size="md"
        label={t('password.new')}
        value={values.newPassword}
        onChange={(e) => set({ newPassword: e.currentTarget.value })}
        error={fault('newPassword')}
        aria-invalid={Boolean(fault('newPassword'))}
        autoComplete="new-password"
        aria-describedby="password-rule"
        visibilityToggleButtonProps={passwordEye()}
        autoFocus={autoFocus}
      />
      <PasswordRule id="password-rule" password={values.newPassword} names={names} />
      <PasswordInput
        name="confirmation"
        size="md"
        label={t('password.confirmation')}
        value={values.confirmation}
        onChange={(e) => set({ confirmation: e.currentTarget.value })}
        error={fault('confirmation')}
        aria-invalid={Boolean(fault('confirmation'))}
        autoComplete="new-password"
        visibilityToggleButtonProps={passwordEye()}
      />
    </>
  );
}
