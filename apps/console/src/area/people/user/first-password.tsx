import type { ReactNode } from 'react';
import { Button, TextInput } from '@mantine/core';
import { IconDice5 } from '@tabler/icons-react';
import { missingParts } from '@carillon/contracts/password';
import { CopyButton } from '../../../kit/part/copy.tsx';
import { PasswordRule } from '../../../kit/part/password-rule.tsx';
import { useText } from '../../../kit/text/use-text.ts';

const letters = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789-_!#%';

/** Uses characters that are not confused on paper or over the phone. */
export function newFirstPassword(): string {
  for (;;) {
    const text = [...crypto.getRandomValues(new Uint32Array(14))].map((n) => letters[n % letters.length]).join('');
    if (missingParts(text).length === 0) return text;
  }
}

/** Shows the first password of an account, because it is passed on to its user. It is good for the activation only. */
export function FirstPassword({
  value,
  names,
  onValue,
  error,
}: {
  value: string;
  /** Names of the user, which the password must not contain. */
  names: readonly (string | null | undefined)[];
  onValue: (value: string) => void;
  error?: ReactNode;
}) {
  const { t } = useText();
  return (
    <div style={{ display: 'grid', gap: 8 }}>
      <TextInput
        name="password"
        label={t('user.firstPassword')}
        description={t('user.firstPasswordHint')}
        value={value}
        onChange={(e) => onValue(e.currentTarget.value)}
        error={error}
        autoComplete="off"
        spellCheck={false}
        classNames={{ input: 'mono' }}
        aria-describedby="first-password-rule"
        rightSection={value !== '' && <CopyButton value={value} label={t('user.firstPassword')} />}
      />
      <PasswordRule id="first-password-rule" password={value} names={names} />
      <div>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconDice5 size={14} stroke={1.75} aria-hidden />}
          onClick={() => onValue(newFirstPassword())}
        >
          {t('user.generate')}
        </Button>
      </div>
    </div>
  );
}
