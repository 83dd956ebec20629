import { useState, type ReactNode } from 'react';
import { Button, FileButton, MultiSelect, NumberInput, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate, useSearch } from '@tanstack/react-router';
import { pictureMaximum, softDssKeysMaximum } from '@carillon/contracts/constants';
import { hiddenItems, modelTypes, type HiddenItem } from '@carillon/contracts/models';
import { done } from '../../../kit/part/done.ts';
import { StatusPage } from '../../../kit/part/status-page.tsx';
import { CheckField, SelectField } from '../../../kit/part/form-field.tsx';
import { FormGroup, FormPage } from '../../../kit/part/form-page.tsx';
import { useForm } from '../../../kit/part/use-form.tsx';
import { useAccess } from '../../../kit/api/access.ts';
import { one } from '../../../kit/browser/address.ts';
import { call } from '../../../kit/api/call.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { addModel, editModel, modelQuery, type Model } from './model.calls.ts';
import { Capabilities } from './capabilities.tsx';
import own from './model.module.css';

const route = getRouteApi('/_main/model/editModel');

/** Adds a model, with the name filled in for one that devices have reported. */
export function AddModelPage() {
  const name = one((useSearch({ strict: false }) as Record<string, unknown>)['name']);
  const access = useAccess();
  if (!access.can('addModel')) return access.ready && <StatusPage code="403" />;
  return <ModelForm model={undefined} name={name} />;
}

export function EditModelPage() {
  const { id = '' } = route.useSearch();
  const model = useQuery(modelQuery(id));
  const access = useAccess();
  if (access.ready && !access.can('editModel')) return <StatusPage code="403" />;
  // Supplied models cannot be edited.
  if (model.isError || model.data?.supplied) return <StatusPage code="404" />;
  return model.data && access.ready ? <ModelForm model={model.data} /> : null;
}

/** The maximum of each count. */
const counts = {
  sipCount: 100,
  doorCount: 16,
  softDssKeys: softDssKeysMaximum,
  dssKeysPerPage: softDssKeysMaximum,
  dssKeyPages: softDssKeysMaximum,
  sideKeysPerPage: softDssKeysMaximum,
  sideKeyPages: softDssKeysMaximum,
} as const;
type Count = keyof typeof counts;
const countNames = Object.keys(counts) as Count[];
/** Fields of items that a model may hide (CFG-06). */
const itemOf: Readonly<Partial<Record<Count | 'secondScreen', HiddenItem>>> = {
  sipCount: 'lines',
  doorCount: 'doors',
  softDssKeys: 'dssKeys',
  dssKeysPerPage: 'dssKeys',
  dssKeyPages: 'dssKeys',
  sideKeysPerPage: 'sideKeys',
  sideKeyPages: 'sideKeys',
  secondScreen: 'secondScreen',
};

/** Returns the form's initial values: unknown ones are empty. */
function begin(model: Model | undefined, name = '') {
  return {
    name: model?.name ?? name,
    showName: model?.showName ?? '',
    internalName: model?.internalName ?? '',
    series: model?.series ?? '',
    type: model?.type ?? ('general' as Model['type']),
    ...(Object.fromEntries(countNames.map((name) => [name, model?.[name] ?? 0])) as Record<Count, number | ''>),
    hiddenItems: model?.hiddenItems ?? ([] as HiddenItem[]),
    secondScreen: model?.secondScreen ?? false,
    mutualAuth: model?.mutualAuth ?? false,
    capabilities: model?.capabilities ?? {},
    /** In base64: a new picture, null for none, or undefined to keep the current one. */
    picture: undefined as string | null | undefined,
  };
}

function ModelForm({ model, name }: { model: Model | undefined; name?: string | undefined }) {
  const { t } = useText();
  const navigate = useNavigate();
  const client = useQueryClient();
  const [saved, setSaved] = useState(false);
  const form = useForm(begin(model, name));
  const { values, set, fault } = form;
  const save = async () => {
    const { picture, ...rest } = values;
    const body = {
      ...rest,
      name: values.name.trim(),
      ...(Object.fromEntries(countNames.map((name) => [name, Number(values[name])])) as Record<Count, number>),
      ...(picture === undefined ? {} : { picture }),
    };
    await (model ? call(editModel, { body: { id: model.id, ...body } }) : call(addModel, { body }));
    setSaved(true);
    await client.invalidateQueries({ queryKey: ['model'] });
    await done(model ? 'saved' : 'added', { name: body.name });
    await navigate({ to: '/model/list', search: {} as never, ignoreBlocker: true });
  };
  const isHidden = (field: Count | 'secondScreen'): boolean => {
    const item = itemOf[field];
    return item !== undefined && values.hiddenItems.includes(item);
  };
  const check = () => ({
    ...(values.name.trim() === '' ? { name: t('model.nameMissing') } : {}),
    ...Object.fromEntries(
      countNames
        .filter((name) => !isHidden(name) && (values[name] === '' || values[name] > counts[name]))
        .map((name) => [name, t('model.numberMissing', { most: counts[name] })]),
    ),
  });
  const text = (field: 'name' | 'showName' | 'internalName' | 'series', hint?: string) => (
    <TextInput
      name={field}
      label={t(`model.${field}`)}
      {...(hint === undefined ? {} : { description: hint })}
      maxLength={64}
      value={values[field]}
      onChange={(e) => set({ [field]: e.currentTarget.value })}
      error={fault(field)}
      autoComplete="off"
      autoFocus={field === 'name'}
    />
  );
  const shown = values.picture === undefined ? (model?.picture ?? null) : dataOf(values.picture);
  return (
    <FormPage
      title={model ? t('model.editOne', { name: model.name }) : t('model.add')}
      form={form}
      saved={saved}
      confirm={t(model ? 'common.save' : 'model.add')}
      onSubmit={form.submit(check, save)}
      onCancel={() => void navigate({ to: '/model/list', search: {} as never })}
    >
      {text('name', t('model.nameHint'))}
      {text('showName')}
      {text('internalName', t('model.internalNameHint'))}
      {text('series')}
      <SelectField
        form={form}
        name="type"
        label={t('model.type')}
        data={modelTypes.map((value) => ({ value, label: t(`model.type.${value}`) }))}
      />
      <FormGroup title={t('model.counts')}>
        <div className={own.counts}>
          {countNames
            .filter((name) => !isHidden(name))
            .map((name) => (
              <NumberInput
                key={name}
                name={name}
                label={t(`model.${name}`)}
                min={0}
                max={counts[name]}
                clampBehavior="none"
                allowDecimal={false}
                allowNegative={false}
                value={values[name]}
                onChange={(value) => set({ [name]: value === '' ? '' : Number(value) })}
                error={fault(name)}
              />
            ))}
        </div>
      </FormGroup>
      <FormGroup title={t('model.properties')}>
        <MultiSelect
          name="hiddenItems"
          label={t('model.hiddenItems')}
          description={t('model.hiddenItemsHint')}
          data={hiddenItems.map((value) => ({ value, label: t(`model.hidden.${value}`) }))}
          value={values.hiddenItems}
          onChange={(chosen) => set({ hiddenItems: chosen as HiddenItem[] })}
          openOnFocus={false}
        />
        {!isHidden('secondScreen') && <CheckField form={form} name="secondScreen" label={t('model.secondScreen')} />}
        <CheckField
          form={form}
          name="mutualAuth"
          label={t('model.mutualAuth')}
          description={t('model.mutualAuthHint')}
        />
        <Picture shown={shown} error={fault('picture')} onChoose={(picture) => set({ picture })} />
      </FormGroup>
      <Capabilities value={values.capabilities} onChange={(capabilities) => set({ capabilities })} />
    </FormPage>
  );
}

/** Returns a data URL: browsers detect the format by the content, not by the type. */
const dataOf = (base64: string | null): string | null => (base64 === null ? null : `data:image/png;base64,${base64}`);
const toBase64 = (bytes: Uint8Array) => btoa(Array.from(bytes, (b) => String.fromCharCode(b)).join(''));

/** Chooses a picture, a new one or none. The server checks its content. */
function Picture({
  shown,
  error,
  onChoose,
}: {
  shown: string | null;
  error: ReactNode;
  onChoose: (picture: string | null) => void;
}) {
  const { t } = useText();
  const choose = async (file: File | null) => {
    // One byte above the limit tells the server that it is too long.
    if (file) onChoose(toBase64(new Uint8Array(await file.slice(0, pictureMaximum + 1).arrayBuffer())));
  };
  return (
    <div>
      <div className={own.picture}>
        <span className={own.shown}>{shown ? <img src={shown} alt={t('model.picture')} /> : t('model.noPicture')}</span>
        <div>
          <strong>{t('model.picture')}</strong>
          <span className={own.hint}>{t('model.pictureHint')}</span>
        </div>
        <FileButton accept="image/jpeg,image/png" onChange={(file) => void choose(file)}>
          {(props) => (
            <Button {...props} variant="default">
              {t('model.choose')}
            </Button>
          )}
        </FileButton>
        {shown && (
          <Button variant="subtle" data-danger onClick={() => onChoose(null)}>
            {t('model.takeAway')}
          </Button>
        )}
      </div>
      {error && <p className={own.error}>{error}</p>}
    </div>
  );
}
