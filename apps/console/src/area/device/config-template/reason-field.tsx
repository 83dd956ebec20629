import type { ReactNode } from 'react';
import { TextInput } from '@mantine/core';
import { useText } from '../../../kit/text/use-text.ts';

/** Why the values of a template change, which its versions keep. */
export function ReasonField({
  onChange,
  ...field
}: {
  value: string;
  onChange: (reason: string) => void;
  description?: string;
  error?: ReactNode;
}) {
  const { t } = useText();
  return (
    <TextInput
      {...field}
      name="reason"
      label={t('configVersion.reason')}
      maxLength={256}
      onChange={(e) => onChange(e.currentTarget.value)}
      autoComplete="off"
    />
  );
}
