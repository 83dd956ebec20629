import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { isCallError } from '../../../kit/api/call.ts';
import { count } from '../../../kit/text/text.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { templatePreviewQuery, type TemplateChange, type TemplatePreview } from './config-template.calls.ts';
import { settingName, valueWords } from './setting-words.ts';
import part from '../../../kit/part/drawer-table.module.css';
import own from './config-template.module.css';

type Value = TemplatePreview['settings'][number]['changes'][number]['before'];

/** Shows a value, or that a device keeps its own. */
export function SettingValueWords({ name, value }: { name: string; value: Value | undefined }) {
  const { t } = useText();
  return <>{value === null || value === undefined ? t('configVersion.notSet') : valueWords(name, value)}</>;
}

/**
 * Says what a change of a template changes on which devices, while it is being made. Nothing is shown before the change
 * can be read, and a refusal is told here before the user tries to save.
 */
export function TemplateEffect({ change }: { change: TemplateChange | undefined }) {
  const { t } = useText();
  const [asked] = useDebouncedValue(change, 250);
  const preview = useQuery({
    ...templatePreviewQuery(asked ?? {}),
    enabled: asked !== undefined,
    placeholderData: keepPreviousData,
  });
  if (asked === undefined) return <p className={own.note}>{t('configVersion.effectLater')}</p>;
  if (preview.isError)
    return (
      <p className={own.note} role="status">
        {isCallError(preview.error) ? preview.error.message : t('configVersion.effectUnknown')}
      </p>
    );
  return (
    <div className={own.effect} aria-busy={preview.isPending || preview.isPlaceholderData}>
      {preview.data && <Effect preview={preview.data} />}
    </div>
  );
}

function Effect({ preview: { devices, changed, settings } }: { preview: TemplatePreview }) {
  const { t } = useText();
  return (
    <>
      <p role="status">{useEffectWords({ devices, changed })}</p>
      {settings.some(({ changes, overridden }) => changes.length + overridden > 0) && (
        <table className={part.table}>
          <thead>
            <tr>
              <th scope="col">{t('configVersion.setting')}</th>
              <th scope="col">{t('configVersion.before')}</th>
              <th scope="col">{t('configVersion.after')}</th>
              <th scope="col" className={own.number}>
                {t('configTemplate.devices')}
              </th>
            </tr>
          </thead>
          {settings.map((setting) => (
            <SettingRows key={setting.key} setting={setting} />
          ))}
        </table>
      )}
    </>
  );
}

function SettingRows({
  setting: { key, changed, overridden, lock, changes },
}: {
  setting: TemplatePreview['settings'][number];
}) {
  const { t } = useText();
  const more = changed - changes.reduce((sum, { devices }) => sum + devices, 0);
  return (
    <tbody>
      {changes.map(({ before, after, devices }) => (
        <tr key={JSON.stringify([before, after])}>
          <th scope="row">{settingName(key)}</th>
          <td>
            <SettingValueWords name={key} value={before} />
          </td>
          <td>
            <SettingValueWords name={key} value={after} />
          </td>
          <td className={own.number}>{count(devices)}</td>
        </tr>
      ))}
      {more > 0 && (
        <tr>
          <th scope="row">{settingName(key)}</th>
          <td colSpan={2}>{t('configVersion.otherChanges')}</td>
          <td className={own.number}>{count(more)}</td>
        </tr>
      )}
      {overridden > 0 && (
        <tr>
          <th scope="row">{settingName(key)}</th>
          <td colSpan={2}>
            {!lock
              ? t('configVersion.overridden')
              : lock.company === null
                ? t('configLock.unchangedOwn')
                : t('configLock.unchanged', { company: lock.company })}
          </td>
          <td className={own.number}>{count(overridden)}</td>
        </tr>
      )}
    </tbody>
  );
}

/** Returns how many of the devices get other values, as a sentence. */
function useEffectWords({ devices, changed }: Pick<TemplatePreview, 'devices' | 'changed'>): string {
  const { t } = useText();
  if (devices === 0) return t('configVersion.noDevice');
  if (changed === 0) return t('configVersion.unchanged', { count: devices, number: count(devices) });
  return t('configVersion.changed', { count: changed, number: count(changed), of: count(devices) });
}
