import type { Form } from '../../../kit/part/use-form.tsx';
import { ActivationField } from './activation-field.tsx';
import { FirstPassword, newFirstPassword } from './first-password.tsx';

interface Access {
  activation: 'email' | 'password';
  password: string;
}

/** Chooses how a new account is activated, by mail or with a first password. */
export function FirstAccess<V extends Access>({
  form,
  mailReady,
  names,
}: {
  form: Pick<Form<V>, 'values' | 'set' | 'fault'>;
  mailReady: boolean;
  /** Names of the user, which the password must not contain. */
  names: readonly string[];
}) {
  const { activation, password } = form.values;
  const set = (change: Partial<Access>) => form.set(change as Partial<V>);
  return (
    <>
      <ActivationField
        value={activation}
        mailReady={mailReady}
        onChange={(chosen) =>
          set({
            activation: chosen,
            ...(chosen === 'password' && password === '' ? { password: newFirstPassword() } : {}),
          })
        }
      />
      {activation === 'password' && (
        <FirstPassword
          value={password}
          names={names}
          onValue={(typed) => set({ password: typed })}
          error={form.fault('password')}
        />
      )}
    </>
  );
}
