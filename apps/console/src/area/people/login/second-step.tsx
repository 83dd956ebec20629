import { useEffect, useState, type SubmitEvent } from 'react';
import { Button, TextInput } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { startAuthentication } from '@simplewebauthn/browser';
import type { answerLoginPasskey, beginLoginPasskey, mailLoginCode } from '@carillon/contracts';
import { useText } from '../../../kit/text/use-text.ts';
import { FieldError } from '../../../kit/part/field-error.tsx';
import { useMailStatus } from '../../../kit/api/mail-status.ts';
import { usePublicMailReady } from '../../../kit/api/public-mail-ready.ts';
import { ask } from '../../../kit/api/ask.ts';
import { LoginError, logInSecond, type SecondStep } from '../../../kit/session/session.ts';
import { CardPage, RefusalNote } from './card-page.tsx';
import type { Refusal } from '../../../kit/part/refusal.ts';

const path = {
  mail: '/api/f/auth/twoStep/login/mail' satisfies typeof mailLoginCode.path,
  passkey: '/api/f/auth/twoStep/login/passkey' satisfies typeof beginLoginPasskey.path,
  answer: '/api/f/auth/twoStep/login/passkeyAnswer' satisfies typeof answerLoginPasskey.path,
};
/** A mail takes a while; requesting another one at once only invalidates the first code. */
const resendSeconds = 60;

/** Confirms a login by a code or a passkey. A login that cannot be confirmed any more begins again. */
function useConfirmation(step: SecondStep, onDone: () => void, onBack: (refusal: Refusal) => void) {
  const { t } = useText();
  const [code, setCode] = useState('');
  const [refusal, setRefusal] = useState<Refusal>();
  const [busy, setBusy] = useState(false);
  function refused(e: unknown) {
    setBusy(false);
    if (!(e instanceof LoginError)) return setRefusal({ text: t('login.unreachable') });
    const message = { text: e.message || t('common.unknownError'), requestId: e.requestId };
    // A login with too many attempts, or one that waited too long, starts again.
    if (e.error === 'auth.codeExpired' || e.error === 'auth.accountLocked') onBack(message);
    else setRefusal(message);
  }
  async function end(given: string) {
    setBusy(true);
    setRefusal(undefined);
    try {
      await logInSecond(step, given);
      onDone();
    } catch (e) {
      setCode('');
      refused(e);
    }
  }
  async function confirmByPasskey() {
    setRefusal(undefined);
    setBusy(true);
    try {
      const optionsJSON = await ask<Parameters<typeof startAuthentication>[0]['optionsJSON']>('POST', path.passkey, {
        key: step.key,
      });
      const response = await startAuthentication({ optionsJSON }).catch(() => undefined);
      if (response === undefined) {
        setBusy(false);
        setRefusal({ text: t('second.passkeyCancelled') });
        return;
      }
      await end((await ask<{ code: string }>('POST', path.answer, { key: step.key, response })).code);
    } catch (e) {
      refused(e);
    }
  }
  return { code, setCode, refusal, setRefusal, busy, refused, end, confirmByPasskey };
}

/** The second step of a login: a code by mail or from an app, a recovery code, or a passkey (AUTH-14, AUTH-18). */
export default function SecondStepPage({
  step,
  onDone,
  onBack,
}: {
  step: SecondStep;
  onDone: () => void;
  onBack: (refusal?: Refusal) => void;
}) {
  const { t } = useText();
  const confirmation = useConfirmation(step, onDone, onBack);
  const { code, setCode, refusal, setRefusal, busy, refused, end, confirmByPasskey } = confirmation;
  const [recovery, setRecovery] = useState(false);
  const [missing, setMissing] = useState(false);
  const mail = step.methods.includes('email');
  const [mailId, setMailId] = useState(step.mail);
  const app = step.methods.includes('totp');
  const key = step.methods.includes('passkey');
  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const field = event.currentTarget.elements.namedItem('code') as HTMLInputElement | null;
    setMissing(code.trim() === '');
    if (code.trim() === '') {
      field?.focus();
      return;
    }
    await end(code.trim());
    field?.focus();
  }
  const label = recovery ? t('second.recoveryCode') : mail ? t('second.mailCode') : t('second.appCode');
  const typed = mail || app || recovery;
  return (
    <CardPage
      title={t('second.title')}
      lead={
        recovery ? (
          t('second.recoveryText')
        ) : mail ? (
          <MailText id={mailId} />
        ) : app ? (
          t('second.appText')
        ) : (
          t('second.passkeyText')
        )
      }
      onSubmit={(e) => void submit(e)}
    >
      {key && !recovery && (
        <Button
          size="md"
          fullWidth
          variant={app ? 'default' : 'filled'}
          leftSection={<IconKey size={16} stroke={1.75} aria-hidden />}
          loading={busy && !typed}
          disabled={busy}
          onClick={() => void confirmByPasskey()}
        >
          {t('second.usePasskey')}
        </Button>
      )}
      {typed && (
        <TextInput
          key={String(recovery)}
          name="code"
          size="md"
          label={label}
          value={code}
          onChange={(e) => setCode(e.currentTarget.value)}
          autoComplete="one-time-code"
          inputMode={recovery ? 'text' : 'numeric'}
          autoFocus
          maxLength={recovery ? 16 : 8}
          spellCheck={false}
          error={missing && code.trim() === '' && <FieldError text={t('second.missing')} />}
        />
      )}
      <RefusalNote refusal={refusal} />
      {typed && (
        <Button type="submit" size="md" fullWidth loading={busy}>
          {t('login.submit')}
        </Button>
      )}
      {mail && (
        <ResendButton
          busy={busy}
          onClick={() => {
            setRefusal(undefined);
            ask<{ mail: string }>('POST', path.mail, { key: step.key }).then((sent) => setMailId(sent.mail), refused);
          }}
        />
      )}
      {!mail && (
        <Button
          variant="subtle"
          size="md"
          fullWidth
          disabled={busy}
          onClick={() => {
            setRecovery(!recovery);
            setCode('');
            setMissing(false);
          }}
        >
          {t(recovery ? 'second.noRecovery' : 'second.useRecovery')}
        </Button>
      )}
      <Button variant="subtle" size="md" fullWidth disabled={busy} onClick={() => onBack()}>
        {t('second.back')}
      </Button>
    </CardPage>
  );
}

/** Says what became of the mail with the code. */
function MailText({ id }: { id: string | undefined }) {
  const { t } = useText();
  const isReady = usePublicMailReady();
  const status = useMailStatus(id);
  const text =
    isReady === false
      ? 'second.noMail'
      : status === 'failed'
        ? 'second.mailFailed'
        : status === 'retrying'
          ? 'second.mailRetrying'
          : 'second.mailText';
  return <span role="status">{t(text)}</span>;
}

/** Asks for another mail, at most once a minute. */
function ResendButton({ busy, onClick }: { busy: boolean; onClick: () => void }) {
  const { t } = useText();
  const [wait, setWait] = useState(resendSeconds);
  useEffect(() => {
    if (wait <= 0) return undefined;
    const timer = setTimeout(() => setWait(wait - 1), 1_000);
    return () => clearTimeout(timer);
  }, [wait]);
  return (
    <Button
      variant="subtle"
      size="md"
      fullWidth
      disabled={wait > 0 || busy}
      onClick={() => {
        setWait(resendSeconds);
        onClick();
      }}
    >
      {wait > 0 ? t('second.resendIn', { seconds: wait }) : t('second.resend')}
    </Button>
  );
}
