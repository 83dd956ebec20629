import { SegmentedControl } from '@mantine/core';
import { useText } from '../../../kit/text/use-text.ts';
import { NoMail } from './no-mail.tsx';

/** Chooses how a new account is activated. */
export function ActivationField({
  value,
  mailReady,
  onChange,
}: {
  value: 'email' | 'password';
  mailReady: boolean;
  onChange: (value: 'email' | 'password') => void;
}) {
  const { t } = useText();
  return (
    <div style={{ display: 'grid', gap: 8 }}>
      <span className="mantine-InputWrapper-label" id="activation-label">
        {t('user.activation')}
      </span>
      <SegmentedControl
        aria-labelledby="activation-label"
        data={[
          { value: 'email', label: t('user.byEmail') },
          { value: 'password', label: t('user.byPassword') },
        ]}
        value={value}
        onChange={(v) => onChange(v as 'email')}
      />
      <span style={{ color: 'var(--text-2)', fontSize: 12 }}>
        {t(value === 'email' ? 'user.byEmailHint' : 'user.byPasswordHint')}
      </span>
      {!mailReady && <NoMail />}
    </div>
  );
}
