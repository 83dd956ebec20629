import { useRef, useState } from 'react';
import { Button, Radio } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import {
  settingPassword,
  templateLevels,
  type SettingKey,
  type SettingValues,
  type TemplateLevel,
} from '@carillon/contracts/settings';
import { Facts } from '../../../kit/part/facts.tsx';
import { done } from '../../../kit/part/done.ts';
import { StatusPage } from '../../../kit/part/status-page.tsx';
import { AreaField, TextField } from '../../../kit/part/form-field.tsx';
import { FormGroup, FormPage } from '../../../kit/part/form-page.tsx';
import { useForm, type Form } from '../../../kit/part/use-form.tsx';
import { useAccess } from '../../../kit/api/access.ts';
import { call, isCallError } from '../../../kit/api/call.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { useActions } from '../../task/action/actions.tsx';
import {
  addConfigTemplate,
  configLocksQuery,
  configTemplateQuery,
  editConfigTemplate,
  type ConfigTemplate,
} from './config-template.calls.ts';
import { keyPlaceWords } from '../phone-key/key-words.ts';
import { wrongKeys } from '../phone-key/phone-keys.tsx';
import { deviceConfigQuery } from '../record/device-config.calls.ts';
import { deviceQuery } from '../record/device.calls.ts';
import { RawSettings } from './raw-settings.tsx';
import { ReasonField } from './reason-field.tsx';
import { SettingFields } from './setting-fields.tsx';
import { sendDraft } from './send-draft.ts';
import { definitionOf, limitsOf } from './setting-words.ts';
import {
  changeOf,
  chosenKeys,
  draftOf,
  isNewPassword,
  locksOf,
  passwordsOf,
  rawFault,
  settingsOf,
  type TemplateDraft,
} from './template-draft.ts';
import { TargetField } from './target-field.tsx';
import { TemplateEffect } from './template-effect.tsx';
import { TemplateKeys } from './template-keys.tsx';
import { TargetName, useSites } from './template-target.tsx';
import { useLayout } from './use-layout.ts';
import own from './config-template.module.css';

const addRoute = getRouteApi('/_main/setting_/addTemplate');
const editRoute = getRouteApi('/_main/setting_/editTemplate');

export function AddConfigTemplatePage() {
  const access = useAccess();
  const { device } = addRoute.useSearch();
  if (!access.can('addConfigTemplate')) return access.ready && <StatusPage code="403" />;
  return device === undefined ? <TemplateForm template={undefined} /> : <TemplateFormOf device={device} />;
}

/** Begins with the settings that a device has from its templates, for the other devices of its model. */
function TemplateFormOf({ device: id }: { device: string }) {
  const device = useQuery({ ...deviceQuery(id), staleTime: 0 });
  const config = useQuery({ ...deviceConfigQuery(id), staleTime: 0 });
  if (device.isError || config.isError) return <StatusPage code="404" />;
  // A later answer changes nothing in the form: the user has begun to fill it.
  if (!device.data || !config.data || !device.isFetchedAfterMount || !config.isFetchedAfterMount) return null;
  const values = Object.fromEntries(config.data.values.map(({ key, value }) => [key, value])) as SettingValues;
  return <TemplateForm template={undefined} first={{ level: 'model', target: device.data.model, values }} />;
}

export function EditConfigTemplatePage() {
  const { id = '' } = editRoute.useSearch();
  const template = useQuery(configTemplateQuery(id));
  const access = useAccess();
  if (access.ready && !access.can('editConfigTemplate')) return <StatusPage code="403" />;
  if (template.isError) return <StatusPage code="404" />;
  return template.data && access.ready ? <TemplateForm template={template.data} /> : null;
}

/** Returns what is missing or out of range in the settings, by key. */
function useSettingFaults() {
  const { t } = useText();
  return (draft: TemplateDraft) =>
    Object.fromEntries(
      chosenKeys(draft).flatMap((key): [SettingKey, string][] => {
        const definition = definitionOf(key);
        const value = draft[key];
        if (definition.kind === 'host') return String(value).trim() === '' ? [[key, t('setting.hostMissing')]] : [];
        if (definition.kind === 'password')
          return isNewPassword(value) && !settingPassword.test(String(value))
            ? [[key, t('setting.passwordWrong')]]
            : [];
        if (definition.kind !== 'whole') return [];
        const fits = Number.isInteger(value) && Number(value) >= definition.least && Number(value) <= definition.most;
        return fits ? [] : [[key, t('setting.wrongNumber', limitsOf(definition))]];
      }),
    );
}

/** Returns what is missing or wrong in the target, the settings and the keys. */
function useEffectFaults() {
  const { t } = useText();
  const settingFaults = useSettingFaults();
  return (draft: TemplateDraft) => ({
    ...(draft.level !== 'general' && draft.target.trim() === '' ? { target: t('configTemplate.targetMissing') } : {}),
    ...settingFaults(draft),
    ...(wrongKeys(draft.keys).length === 0
      ? {}
      : { keys: t('phoneKey.valuesWrong', { names: wrongKeys(draft.keys).map(keyPlaceWords).join(', ') }) }),
    ...(draft.raw.some((one) => rawFault(one, draft.raw) !== undefined) ? { raw: t('rawSetting.wrong') } : {}),
    ...(Object.keys(settingsOf(draft)).length === 0 ? { values: t('configTemplate.settingMissing') } : {}),
  });
}

function TemplateForm({
  template,
  first,
}: {
  template: ConfigTemplate | undefined;
  /** What a new template begins with. */
  first?: Pick<ConfigTemplate, 'level' | 'target' | 'values'>;
}) {
  const { t } = useText();
  const navigate = useNavigate();
  const client = useQueryClient();
  const [saved, setSaved] = useState(false);
  const effectFaults = useEffectFaults();
  const sites = useSites();
  const maySend = useActions().some(({ key }) => key === 'configUpdate');
  const form = useForm<TemplateDraft>(draftOf(template ?? first));
  const { values, set, fault, dirty } = form;
  /** The version whose values the user may replace by saving. */
  const [seen, setSeen] = useState(template?.version);
  /** Shows what saving would change in the version of someone else, so that saving again replaces it. */
  const seeNewest = async (e: unknown): Promise<never> => {
    if (isCallError(e) && e.error === 'configTemplate.changed')
      setSeen((await client.fetchQuery({ ...configTemplateQuery(template!.id), staleTime: 0 })).version);
    throw e;
  };
  /** Set by the button that also opens the task. */
  const sends = useRef(false);
  const save = async () => {
    const fields = {
      name: values.name.trim(),
      description: values.description.trim(),
      values: settingsOf(values),
      passwords: passwordsOf(values),
      ...locksOf(values),
      reason: makesVersion ? values.reason.trim() : '',
    };
    const target = { level: values.level, target: values.level === 'general' ? null : values.target.trim() };
    const stored = await (template
      ? call(editConfigTemplate, { body: { id: template.id, version: seen, ...fields } }).catch(seeNewest)
      : call(addConfigTemplate, { body: { ...fields, ...target } }));
    setSaved(true);
    for (const queryKey of [['configTemplate'], ['device', 'config']]) await client.invalidateQueries({ queryKey });
    await done(template ? 'saved' : 'added', { name: fields.name });
    const search = sends.current ? { draft: sendDraft(stored, sites) } : {};
    await navigate({ to: sends.current ? '/task/addTask' : '/setting', search: search as never, ignoreBlocker: true });
  };
  const check = () => ({
    ...(values.name.trim() === '' ? { name: t('configTemplate.nameMissing') } : {}),
    ...effectFaults(values),
  });
  const edited = changeOf(template, values);
  const change = Object.keys(effectFaults(values)).length > 0 ? undefined : edited;
  // Another name alone makes no version, which a reason would be kept with.
  const makesVersion = edited !== undefined;
  return (
    <FormPage
      title={template ? t('configTemplate.editOne', { name: template.name }) : t('configTemplate.add')}
      form={form}
      saved={saved}
      className={own.body}
      confirm={t(template ? 'common.save' : 'configTemplate.add')}
      more={
        maySend && (
          <Button
            variant="default"
            disabled={form.busy}
            onClick={(e) => {
              sends.current = true;
              e.currentTarget.form!.requestSubmit();
            }}
          >
            {t('configVersion.saveAndSend')}
          </Button>
        )
      }
      onConfirm={() => {
        sends.current = false;
      }}
      onSubmit={form.submit(check, save)}
      onCancel={() => void navigate({ to: '/setting', search: {} as never })}
    >
      <TextField form={form} name="name" label={t('configTemplate.name')} maxLength={64} autoFocus />
      <AreaField form={form} name="description" label={t('configTemplate.description')} maxLength={256} />
      <FormGroup title={t('configTemplate.target')}>
        <Target template={template} values={values} set={set} fault={fault} />
      </FormGroup>
      <FormGroup title={t('configTemplate.settings')}>
        <Settings values={values} set={set} fault={fault} />
      </FormGroup>
      <FormGroup title={t('phoneKey.title')}>
        <TemplateKeys
          template={dirty ? undefined : template}
          values={values}
          set={({ keys, ...change }) => set({ ...change, ...(keys ? { keys, values: undefined } : {}) })}
          fault={fault('keys')}
        />
      </FormGroup>
      <FormGroup title={t('rawSetting.title')}>
        <RawSettings
          values={values}
          set={(change) => set({ ...change, ...(change.raw ? { values: undefined } : {}) })}
          fault={fault('raw')}
        />
      </FormGroup>
      <FormGroup title={t('configVersion.effect')} className={own.beside}>
        <TemplateEffect change={change} />
      </FormGroup>
      {makesVersion && (
        <ReasonField
          description={t('configVersion.reasonHint')}
          value={values.reason}
          onChange={(reason) => set({ reason })}
          error={fault('reason')}
        />
      )}
    </FormPage>
  );
}

type Draft = Pick<Form<TemplateDraft>, 'values' | 'set' | 'fault'>;

/** Chooses the settings, and which of them are locked. */
function Settings({ values, set, fault }: Draft) {
  const { t } = useText();
  const isGeneral = values.level === 'general';
  const locks = useQuery(configLocksQuery()).data ?? [];
  const { layout } = useLayout(values.level, values.target);
  const { locked } = values;
  return (
    <>
      {isGeneral && chosenKeys(values).length > 0 && <p className={own.note}>{t('configLock.hint')}</p>}
      <SettingFields
        values={values}
        set={(key, value) =>
          set({
            [key]: value,
            values: undefined,
            ...(value === undefined ? { locked: locked.filter((name) => name !== key) } : {}),
          })
        }
        fault={fault}
        // The own locks of a template are its check marks.
        locks={isGeneral ? locks.filter(({ company }) => company !== null) : locks}
        locked={locked}
        layout={layout}
        onLock={
          isGeneral
            ? (key, isLocked) => set({ locked: isLocked ? [...locked, key] : locked.filter((name) => name !== key) })
            : undefined
        }
      />
    </>
  );
}

/** Chooses the devices. An existing template keeps its own: others need a template of their own. */
function Target({ template, values, set, fault }: Draft & { template: ConfigTemplate | undefined }) {
  const { t } = useText();
  if (template)
    return (
      <>
        <Facts
          items={[
            [t('configTemplate.level'), t(`configTemplate.level.${template.level}`)],
            ...(template.level === 'general'
              ? []
              : [[t('configTemplate.target'), <TargetName key="target" template={template} />] as const]),
          ]}
        />
        <p className={own.note}>{t('configTemplate.targetFixed')}</p>
      </>
    );
  const isGeneral = values.level === 'general';
  return (
    <>
      <Radio.Group
        // The fault of a target without its field, when another template is for all devices.
        name={isGeneral ? 'target' : 'level'}
        value={values.level}
        onChange={(level) => set({ level: level as TemplateLevel, target: '' })}
        aria-label={t('configTemplate.target')}
        description={t('configTemplate.targetHint')}
        error={isGeneral && fault('target')}
      >
        <div className={own.radios}>
          {templateLevels.map((level) => (
            <Radio key={level} value={level} label={t(`configTemplate.level.${level}`)} />
          ))}
        </div>
      </Radio.Group>
      <TargetField
        level={values.level}
        value={values.target}
        onValue={(target) => set({ target })}
        error={fault('target')}
      />
    </>
  );
}
