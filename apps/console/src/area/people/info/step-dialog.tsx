import { useState, type ReactNode, type SubmitEvent } from 'react';
import { Button, Modal, PasswordInput, TextInput } from '@mantine/core';
import { startRegistration } from '@simplewebauthn/browser';
import { useText } from '../../../kit/text/use-text.ts';
import { CopyButton } from '../../../kit/part/copy.tsx';
import { FieldError } from '../../../kit/part/field-error.tsx';
import { refusalOf } from '../../../kit/part/refusal.ts';
import { call, isCallError, remote } from '../../../kit/api/call.ts';
import css from '../../../kit/part/security.module.css';
import { passwordEye } from '../../../kit/part/password-eye.ts';

const beginTotp = remote('beginTotp', 'POST /api/f/auth/secondStep/totp/begin');
const confirmTotp = remote('confirmTotp', 'POST /api/f/auth/secondStep/totp/confirm');
const removeTotp = remote('removeTotp', 'POST /api/f/auth/secondStep/totp/remove');
const renewCodes = remote('renewRecoveryCodes', 'POST /api/f/auth/secondStep/recoveryCodes');
const beginPasskey = remote('beginPasskey', 'POST /api/f/auth/secondStep/passkey/begin');
const addPasskey = remote('addPasskey', 'POST /api/f/auth/secondStep/passkey/add');
const removePasskey = remote('removePasskey', 'POST /api/f/auth/secondStep/passkey/remove');

export type StepTask =
  | { kind: 'addApp' | 'removeApp' | 'addPasskey' | 'renewCodes' }
  | { kind: 'removePasskey'; id: string; name: string };
type App = { secret: string; image: string };

type Field = 'password' | 'name' | 'code';
const missing = { password: 'login.passwordMissing', name: 'step.nameMissing', code: 'second.missing' } as const;

/** Has the browser make a passkey and stores it. Returns undefined when the user cancels. */
async function registerPasskey(name: string, password: string) {
  const optionsJSON = (await call(beginPasskey, { body: { password } })) as unknown as Parameters<
    typeof startRegistration
  >[0]['optionsJSON'];
  const response = await startRegistration({ optionsJSON }).catch(() => undefined);
  if (response === undefined) return undefined;
  return call(addPasskey, { body: { name, response: response as unknown as Record<string, unknown> } });
}

/** Asks for the password first, then for what the task needs; recovery codes are shown once at the end. */
export default function StepDialog({ task, onClose }: { task: StepTask; onClose: () => void }) {
  const { t } = useText();
  const [password, setPassword] = useState('');
  const [name, setName] = useState('');
  const [code, setCode] = useState('');
  const [app, setApp] = useState<App>();
  const [codes, setCodes] = useState<readonly string[]>();
  const [fault, setFault] = useState<{ at: Field | 'all'; text: string }>();
  const [busy, setBusy] = useState(false);
  const finish = (given: readonly string[]) => {
    if (given.length > 0) setCodes(given);
    else onClose();
  };

  async function run() {
    if (app) return finish((await call(confirmTotp, { body: { code } })).recoveryCodes);
    switch (task.kind) {
      case 'addApp':
        return setApp(await call(beginTotp, { body: { password } }));
      case 'removeApp':
        await call(removeTotp, { body: { password } });
        return onClose();
      case 'renewCodes':
        return finish((await call(renewCodes, { body: { password } })).recoveryCodes);
      case 'removePasskey':
        await call(removePasskey, { body: { id: task.id, password } });
        return onClose();
      case 'addPasskey': {
        const made = await registerPasskey(name.trim(), password);
        return made ? finish(made.recoveryCodes) : setFault({ at: 'all', text: t('second.passkeyCancelled') });
      }
    }
  }
  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const asked: [Field, string][] = app
      ? [['code', code.trim()]]
      : [...(task.kind === 'addPasskey' ? [['name', name.trim()] as [Field, string]] : []), ['password', password]];
    const empty = asked.find(([, value]) => value === '')?.[0];
    if (empty) {
      setFault({ at: empty, text: t(missing[empty]) });
      (form.elements.namedItem(empty) as HTMLElement | null)?.focus();
      return;
    }
    setFault(undefined);
    setBusy(true);
    try {
      await run();
    } catch (e) {
      const at =
        isCallError(e) && e.error === 'auth.oldPasswordWrong'
          ? ('password' as const)
          : app
            ? ('code' as const)
            : ('all' as const);
      setFault({ at, text: refusalOf(e).text });
    }
    setBusy(false);
  }
  const error = (at: Field) => fault?.at === at && <FieldError text={fault.text} />;
  const title = task.kind === 'removePasskey' ? t('step.removeOne', { name: task.name }) : t(`step.${task.kind}`);
  if (codes) return <RecoveryCodes codes={codes} onClose={onClose} />;
  return (
    <Modal opened onClose={onClose} title={title} withCloseButton={false}>
      <form onSubmit={(e) => void submit(e)} noValidate className={css.stack}>
        {app ? (
          <AppFields app={app} code={code} onCode={setCode} error={error('code')} />
        ) : (
          <>
            <p className={css.text}>{t('step.again')}</p>
            {task.kind === 'addPasskey' && (
              <TextInput
                name="name"
                data-autofocus
                label={t('step.name')}
                value={name}
                maxLength={64}
                onChange={(e) => setName(e.currentTarget.value)}
                error={error('name')}
              />
            )}
            <PasswordInput
              name="password"
              data-autofocus={task.kind !== 'addPasskey' || undefined}
              label={t('login.password')}
              value={password}
              autoComplete="current-password"
              onChange={(e) => setPassword(e.currentTarget.value)}
              visibilityToggleButtonProps={passwordEye()}
              aria-invalid={Boolean(error('password'))}
              error={error('password')}
            />
          </>
        )}
        {fault?.at === 'all' && (
          <div role="alert" className={css.error}>
            <FieldError text={fault.text} />
          </div>
        )}
        <div className={css.buttons}>
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={busy}>
            {app ? t('step.confirm') : t('step.goOn')}
          </Button>
        </div>
      </form>
    </Modal>
  );
}

/** Shows the key of an authenticator app, and asks for its first code. */
function AppFields({
  app,
  code,
  onCode,
  error,
}: {
  app: App;
  code: string;
  onCode: (code: string) => void;
  error: ReactNode;
}) {
  const { t } = useText();
  return (
    <>
      <p className={css.text}>{t('step.scan')}</p>
      <img className={css.qr} src={app.image} alt={t('step.qr')} />
      <div className={css.secret}>
        <code>{app.secret}</code>
        <CopyButton value={app.secret} label={t('step.secret')} />
      </div>
      <TextInput
        name="code"
        data-autofocus
        autoFocus
        label={t('second.appCode')}
        value={code}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={8}
        onChange={(e) => onCode(e.currentTarget.value)}
        error={error}
      />
    </>
  );
}

/** Shows the codes that replace a lost second factor, once. */
function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const { t } = useText();
  return (
    <Modal opened onClose={onClose} title={t('step.recovery')} withCloseButton={false} closeOnClickOutside={false}>
      <p className={css.text}>{t('step.codesText')}</p>
      <ul className={css.codes}>
        {codes.map((c) => (
          <li key={c}>
            <code>{c}</code>
          </li>
        ))}
      </ul>
      <div className={css.secret}>
        <CopyButton value={codes.join('\n')} label={t('step.recovery')} />
      </div>
      <div className={css.buttons}>
        <Button data-autofocus onClick={onClose}>
          {t('step.kept')}
        </Button>
      </div>
    </Modal>
  );
}
