import type { ReactNode } from 'react';
import { Checkbox, MultiSelect, Radio, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { UserRecord } from '@carillon/contracts';
import { subAccountAge } from '@carillon/contracts/constants';
import { useOrganizations, useUser } from '../../../kit/api/access.ts';
import { languageNames } from '../../../kit/browser/language.ts';
import { countryOptions, noCountry } from '../../../kit/text/country.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { useZoneOptions, zoneOfBrowser } from '../../../kit/text/zone.ts';
import { roleNamesQuery } from './user.calls.ts';

/** Values that several users can have in common. */
export interface Alike {
  accountType: UserRecord['accountType'];
  roleIds: string[];
  allOrgs: boolean;
  orgIds: string[];
  language: string;
  timezoneId: string;
  countryId: string;
}
type Part = 'roleIds' | 'orgIds';

const mostBoxes = 8;

function Choices({
  boxes,
  data,
  ...field
}: {
  boxes: boolean;
  name: string;
  label?: string;
  'aria-label'?: string;
  data: { value: string; label: string; disabled?: boolean }[];
  value: string[];
  onChange: (value: string[]) => void;
  error: ReactNode;
  disabled: boolean;
  description?: string | undefined;
}) {
  if (!boxes || data.length > mostBoxes) return <MultiSelect data={data} {...field} />;
  const { name, disabled, ...group } = field;
  return (
    <Checkbox.Group {...group}>
      <div style={{ display: 'flex', gap: '8px 20px', padding: '4px 0', flexWrap: 'wrap' }}>
        {data.map((choice) => (
          <Checkbox
            key={choice.value}
            name={name}
            value={choice.value}
            label={choice.label}
            disabled={disabled || choice.disabled === true}
          />
        ))}
      </div>
    </Checkbox.Group>
  );
}

/** Chooses what users may do, and where. */
export function RightFields({
  values,
  set,
  fault,
  own = false,
  boxes = false,
}: {
  values: Alike;
  set: (change: Partial<Alike>) => void;
  fault: (field: Part) => ReactNode;
  /** Set for the user's own account, whose rights they cannot change. */
  own?: boolean;
  /** Shows a few options as check boxes, a click each. */
  boxes?: boolean;
}) {
  const { t } = useText();
  const { data: self } = useUser();
  const { data: roles } = useQuery(roleNamesQuery);
  const { data: organizations } = useOrganizations();
  const narrow = self?.allOrgs === false && !values.allOrgs;
  const types =
    self?.accountType === 'super'
      ? (['ordinary', 'channel', 'super'] as const)
      : self?.accountType === 'channel'
        ? (['ordinary', 'channel'] as const)
        : (['ordinary'] as const);
  return (
    <>
      <Choices
        name="roleIds"
        boxes={boxes}
        label={t('user.roles')}
        data={(roles ?? []).map((r) => ({
          value: r.id,
          label: r.name,
          disabled: !r.givable && !values.roleIds.includes(r.id),
        }))}
        value={values.roleIds}
        onChange={(roleIds) => set({ roleIds })}
        error={fault('roleIds')}
        disabled={own}
        description={
          own ? t('user.notYourself') : roles?.some((r) => !r.givable) ? t('user.roleNotGivable') : undefined
        }
      />
      {/* A user who sees only some organizations cannot grant all of them, so there is no choice. */}
      {!narrow && (
        <Radio.Group
          label={t('user.organizations')}
          value={values.allOrgs ? 'all' : 'some'}
          onChange={(v) => set({ allOrgs: v === 'all' })}
        >
          <div style={{ display: 'flex', gap: 20, padding: '4px 0', flexWrap: 'wrap' }}>
            <Radio value="some" label={t('user.someOrganizations')} disabled={own} />
            <Radio value="all" label={t('user.allOrganizationsHint')} disabled={own || self?.allOrgs === false} />
          </div>
        </Radio.Group>
      )}
      {!values.allOrgs && (
        <Choices
          name="orgIds"
          boxes={boxes}
          {...(narrow ? { label: t('user.organizations') } : { 'aria-label': t('user.organizations') })}
          data={(organizations ?? []).map((o) => ({ value: o.id, label: o.name }))}
          value={values.orgIds}
          onChange={(orgIds) => set({ orgIds })}
          error={fault('orgIds')}
          disabled={own}
        />
      )}
      {types.length > 1 && (
        <Select
          name="accountType"
          label={t('user.type')}
          data={types.map((v) => ({ value: v, label: t(`accountType.${v}`) }))}
          value={values.accountType}
          onChange={(v) => set({ accountType: v as 'ordinary' })}
          allowDeselect={false}
          disabled={own}
        />
      )}
    </>
  );
}

type FieldProps<Key extends keyof Alike> = {
  values: Pick<Alike, Key>;
  set: (change: Partial<Pick<Alike, Key>>) => void;
};

/** The language of mails to the user. */
export function LanguageField({ label, values, set }: FieldProps<'language'> & { label: string }) {
  const { t } = useText();
  return (
    <Select
      name="language"
      label={label}
      data={[
        { value: '', label: t('user.languageOfBrowser') },
        ...Object.entries(languageNames).map(([value, name]) => ({ value, label: name })),
      ]}
      value={values.language}
      onChange={(v) => set({ language: v ?? '' })}
      allowDeselect={false}
    />
  );
}

export function CountryField({ values, set }: FieldProps<'countryId'>) {
  const { t } = useText();
  return (
    <Select
      name="countryId"
      label={t('user.country')}
      data={countryOptions(t('user.countryNone'))}
      value={values.countryId}
      onChange={(v) => set({ countryId: v ?? noCountry })}
      allowDeselect={false}
      searchable
    />
  );
}

/** Language of mails, time zone, country. */
export function PlaceFields({ values, set }: FieldProps<'language' | 'timezoneId' | 'countryId'>) {
  const { t } = useText();
  const zones = useZoneOptions();
  return (
    <>
      <LanguageField label={t('user.language')} values={values} set={set} />
      <Select
        name="timezoneId"
        label={t('user.timezone')}
        data={zones}
        value={values.timezoneId}
        onChange={(v) => set({ timezoneId: v ?? zoneOfBrowser })}
        allowDeselect={false}
        searchable
      />
      <CountryField values={values} set={set} />
    </>
  );
}

/** Confirms the minimum age of the privacy text, wherever an account is added (SHELL-21). */
export function AgeField({
  text,
  values,
  set,
  error,
}: {
  text: 'user.oldEnough' | 'severalUsers.oldEnough';
  values: { oldEnough: boolean };
  set: (change: { oldEnough: boolean }) => void;
  error: ReactNode;
}) {
  const { t } = useText();
  return (
    <Checkbox
      name="oldEnough"
      label={t(text, { age: subAccountAge })}
      checked={values.oldEnough}
      onChange={(e) => set({ oldEnough: e.currentTarget.checked })}
      error={error}
    />
  );
}

/** Returns the values as fields of the calls. */
export const alikeBody = ({ accountType, roleIds, allOrgs, orgIds, language, timezoneId, countryId }: Alike) => ({
  accountType,
  roleIds,
  allOrgs,
  orgIds: allOrgs ? [] : orgIds,
  language: language === '' ? null : (language as NonNullable<UserRecord['language']>),
  timezoneId: timezoneId === zoneOfBrowser ? null : Number(timezoneId),
  countryId: Number(countryId),
});
