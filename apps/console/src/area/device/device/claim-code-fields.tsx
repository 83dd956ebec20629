import type { ReactNode } from 'react';
import { Checkbox, TextInput } from '@mantine/core';
import { useText } from '../../../kit/text/use-text.ts';

export interface ClaimCodeValues {
  hasClaimCode: boolean;
  claimCode: string;
}
export const noClaimCode: ClaimCodeValues = { hasClaimCode: false, claimCode: '' };

/** Returns the error of a claim code that is announced but missing. */
export const claimCodeFault = ({ hasClaimCode, claimCode }: ClaimCodeValues, t: ReturnType<typeof useText>['t']) =>
  hasClaimCode && claimCode.trim() === '' ? { claimCode: t('deviceForm.claimCodeMissing') } : {};
/** Returns the claim code as a call takes it. */
export const claimCodeOf = ({ hasClaimCode, claimCode }: ClaimCodeValues) =>
  hasClaimCode ? { claimCode: claimCode.trim() } : {};

interface Props {
  values: ClaimCodeValues;
  set: (change: Partial<ClaimCodeValues>) => void;
  fault: (field: 'claimCode') => ReactNode;
}

/** Asks for the claim code of the device's label when the user has one. */
export function ClaimCodeFields({ values, set, fault }: Props) {
  const { t } = useText();
  return (
    <>
      <Checkbox
        label={t('deviceForm.hasClaimCode')}
        checked={values.hasClaimCode}
        onChange={(e) => set({ hasClaimCode: e.currentTarget.checked })}
      />
      {values.hasClaimCode && (
        <TextInput
          name="claimCode"
          label={t('deviceForm.claimCode')}
          description={t('deviceForm.claimCodeHint')}
          maxLength={96}
          value={values.claimCode}
          onChange={(e) => set({ claimCode: e.currentTarget.value })}
          error={fault('claimCode')}
          autoComplete="off"
          spellCheck={false}
          classNames={{ input: 'mono' }}
        />
      )}
    </>
  );
}
